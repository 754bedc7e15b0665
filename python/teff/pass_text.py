# SPDX-License-Identifier: MIT
"""The text of a kernel that makes a whole step or several on a GPU, of Teff's own headers, for NVRTC: a
pass of several (teff/stencil/warps/compiled_pass.hpp), all stages of one at once (fused/
compiled_fused.hpp), or blocks that stay on the chip (resident/compiled_resident.hpp). It has the
formula's lines as in the C++ text (emit.py), without what is not for the kernel, residuals and the
conditions' numbers.
"""

from .library import NAMES
from .rows import is_formula

TEXT = """\
// {what} on a GPU, written by Teff's Python package; x and n are its numbers.
#include <teff/expr/fd{rank}.hpp>
#include <teff/stencil/{header}.hpp>

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
using made = detail::compiled_{name}<decltype(formula(nullptr, nullptr)), {number}{types}>;
}}  // namespace

extern "C" __global__ void __launch_bounds__(made::kernel::threads, made::kernel::least_blocks)
    teff_{name}(const __grid_constant__ made::kernel of) {{
  block blk(nullptr);
  of(blk);
}}
extern "C" __global__ void teff_{name}_prepare(
    const __grid_constant__ teff_kernel_numbers<{reals}, {integers}> of, runtime::{name}_facts* facts,
    made::kernel* parameter) {{
  made::prepare(formula(of.reals, of.integers), *facts, *parameter);
}}
"""


# Kernels by name: what they do, and the folder of their header.
KINDS = {"pass": ("Several steps per pass", "warps"),
         "fused": ("All stages of a step at once", "fused"),
         "resident": ("Many steps by blocks that stay", "resident")}


def kernel_text(lines, used, result, types, rank, reals, integers, which):
    """A kernel of a formula.
    @param which the shape of a pass, by its number among those that suit the formula; or another kind"""
    names = [NAMES[t] for t in types]
    name, number = which, ""
    if not isinstance(which, str):
        name, number = "pass", f"{which}, {'true' if has_formulas(result) else 'false'}, "
    what, folder = KINDS[name]
    return TEXT.format(
        name=name, what=what, header=f"{folder}/compiled_{name}", number=number, rank=rank,
        types=", ".join(names), reals=reals, integers=integers,
        fields=", ".join(f"[[maybe_unused]] auto f{i}" for i in range(len(types))),
        lines="".join(f"    [[maybe_unused]] auto t{at} = {lines[at]};\n" for at in used),
        cells=", ".join(f"cells<{name}>" for name in names),
        result=_result(result, has_conditions(result)))


def has_conditions(part):
    """Some border cells follow from inner ones."""
    return any(name != "fixed" or numbers for _, _, name, numbers in part.sides or ()) or \
        any(map(has_conditions, part.parts))


def has_formulas(part):
    """Some condition has a value or a slope that is a formula."""
    return any(numbers and is_formula(numbers[-1]) for *_, numbers in part.sides or ()) or \
        any(map(has_formulas, part.parts))


def _result(part, some_have_conditions):
    if part.kind == "update":
        conditions = ", boundary{}" if some_have_conditions and part.sides is not None else ""
        return f"update({part.operands[0]._name}, {part.value}{conditions})"
    inside = (_result(one, some_have_conditions) for one in part.parts if one.kind != "residual")
    return f"{part.kind}({', '.join(inside)})"
