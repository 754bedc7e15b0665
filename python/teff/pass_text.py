# SPDX-License-Identifier: MIT
"""The text of a kernel that makes several steps per pass on a GPU, of Teff's own headers
(teff/stencil/warps/compiled_pass.hpp), for NVRTC: the formula's lines as in the C++ text (emit.py),
without what is not for the kernel, residuals and the conditions' numbers.
"""

from .library import NAMES

TEXT = """\
// Several steps per pass on a GPU, written by Teff's Python package; x and n are its numbers.
#include <teff/expr/fd{rank}.hpp>
#include <teff/stencil/warps/compiled_pass.hpp>

namespace {{
using namespace teff;
using namespace teff::fd{rank};

auto step([[maybe_unused]] const double* x, [[maybe_unused]] const i64* n) {{
  return timestep([=]({fields}) {{
{lines}    return {result};
  }});
}}
template <class T>
struct cells {{
  using value_type = T;
  static constexpr int rank = {rank};
}};
auto formula(const double* x, const i64* n) {{
  return step(x, n).formula<{cells}>();
}}
using pass = detail::compiled_pass<decltype(formula(nullptr, nullptr)), {number}, {types}>;
}}  // namespace

extern "C" __global__ void __launch_bounds__(pass::kernel::threads, pass::kernel::least_blocks)
    teff_pass(const __grid_constant__ pass::kernel of) {{
  block blk(nullptr);
  of(blk);
}}
extern "C" __global__ void teff_pass_prepare(
    const __grid_constant__ teff_pass_numbers<{reals}, {integers}> of, runtime::pass_facts* facts,
    pass::kernel* parameter) {{
  pass::prepare(formula(of.reals, of.integers), *facts, *parameter);
}}
"""


def pass_text(lines, used, result, types, rank, reals, integers, number):
    """The kernel of one shape. @param number of the shape, of those that suit the formula"""
    names = [NAMES[t] for t in types]
    return TEXT.format(
        rank=rank, number=number, types=", ".join(names), reals=reals, integers=integers,
        fields=", ".join(f"[[maybe_unused]] auto f{i}" for i in range(len(types))),
        lines="".join(f"    [[maybe_unused]] auto t{at} = {lines[at]};\n" for at in used),
        cells=", ".join(f"cells<{name}>" for name in names),
        result=_result(result, _has_conditions(result)))


def _has_conditions(part):
    """Some border cells follow from inner ones."""
    return any(name != "fixed" or numbers for _, _, name, numbers in part.sides or ()) or \
        any(map(_has_conditions, part.parts))


def _result(part, has_conditions):
    if part.kind == "update":
        conditions = ", boundary{}" if has_conditions and part.sides is not None else ""
        return f"update({part.operands[0]._name}, {part.value}{conditions})"
    inside = (_result(one, has_conditions) for one in part.parts if one.kind != "residual")
    return f"{part.kind}({', '.join(inside)})"
