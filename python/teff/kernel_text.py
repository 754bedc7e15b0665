# SPDX-License-Identifier: MIT
"""What stands around a kernel's text; and what is put into it on a CPU, so that its mistakes are
exceptions (teff/capi/kernel_checks.hpp).
"""

import re

TEXT = """\
// A kernel, written by Teff's Python package.
#include <teff/capi/kernel.hpp>
{checks}
#undef assert
#define assert(...) TEFF_ASSERT((__VA_ARGS__))
#define print(...) TEFF_PRINT(__VA_ARGS__)

namespace {{
using namespace teff;

struct teff_kernel_of_text {{
{members}

  TEFF_FN void operator()({parameters}) const {{
{begin}#line 1 "kernel_text"
{text}
#line 1 "kernel_end"
  }}
}};
}}  // namespace

extern "C" teff_status teff_kernel_run(const teff_stream* on, [[maybe_unused]] const teff_array* const* a,
                                       [[maybe_unused]] const double* x, [[maybe_unused]] const int64_t* n,
                                       const teff_kernel_launch* launch, teff_kernel_facts* facts) {{
  return {run}(on, launch, facts, [&] {{ return teff_kernel_of_text{{{values}}}; }});
}}
"""
# Loops look whether they are to end: one that counts its turns, at each 64th, for 0 to 5 % of its
# time; at each it would be up to 30 %. (An `else` of its own, so that nobody's is taken for it.)
CHECKS = """\
#include <teff/base/interrupt.hpp>
#include <teff/capi/kernel_checks.hpp>

#define teff_turn ::teff::runtime::end_if_interrupted()
#define teff_turns(...) if (unsigned teff_turns = 0; false) {{}} else __VA_ARGS__ \\
  if (__builtin_expect(++teff_turns % 64 == 0, false) && (teff_turn, false)) {{}} else
#define for(...) teff_turns(for (__VA_ARGS__))
#define while(...) {loop}
#define goto if (teff_turn, false) {{}} else goto
"""
# After Ctrl-C the other cells of a row, each of which would count 64 turns of its outermost loop.
BEGIN = "    ::teff::runtime::end_if_interrupted({nullptr, 0});\n"
LOOP, LOOP_AFTER_DO = "teff_turns(while (__VA_ARGS__))", "while (teff_turn, __VA_ARGS__)"
BETWEEN = " ::teff::capi::over() "  # the operands of a division

# In the order of what hides what; the last is a division.
_PARTS = re.compile(r"""
    //[^\n]* | /\*.*?\*/
  | \bR"([^(\s]*)\(.*?\)\1"
  | "(?:\\.|[^"\\\n])*" | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'
  | ^[ \t]*\#(?:\\\n|[^\n])*
  | \boperator\s*[/%]=? | \.\.\.\s*[/%] | [/%]\s*\.\.\. | \b(?:do|for|while|goto)\b
  | (?P<sign>[/%])(?P<assigns>=?)""", re.S | re.M | re.X)


def around(text):
    """What stands before the function of a text that is checked, and in it before the text."""
    words = [part[0] for part in _PARTS.finditer(text)]
    loops = sum(word in ("for", "while", "goto") for word in words)
    return CHECKS.format(loop=LOOP_AFTER_DO if "do" in words else LOOP), BEGIN * (loops > 1)


def checked(text):
    """The text with a check between the operands of every division."""
    def put(part):
        return f"{part[0]}{BETWEEN}{part['assigns'] or part['sign']}" if part["sign"] else part[0]
    return _PARTS.sub(put, text)


def as_written(message):
    """A message whose quotations of the text are as that was before."""
    return re.sub(rf"([/%]=?) *{re.escape(BETWEEN.strip())} *[/%=]", r"\1", message)
