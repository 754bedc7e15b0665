// SPDX-License-Identifier: MIT
#include <teff/base/error.hpp>
#include <teff/expr/mismatch.hpp>

namespace teff::runtime {

namespace {

/// What to write of `text`, which has `large` cells, to get `small`; "" where nothing simple does.
std::string cure(const std::string& text, const std::string& which, const index_t (&large)[3],
                 const index_t (&small)[3]) {
  std::string axes;
  int rank = 0;
  index_t less = 0;
  for (int d = 0; d < 3; ++d) {
    if ((large[d] < 0) != (small[d] < 0)) return "";
    rank += large[d] < 0 ? 0 : 1;
    const index_t here = large[d] - small[d];
    if (large[d] < 0 || here == 0) continue;
    if ((here != 1 && here != 2) || (less != 0 && here != less)) return "";
    less = here;
    axes += "xyz"[d];
  }
  const bool is_name = text.find_first_of("+-*/<>=!&|,") == std::string::npos &&
                       text.find(" of ") == std::string::npos;
  const std::string all = static_cast<int>(axes.size()) == rank ? "" : "_" + axes;
  const std::string of = is_name ? "(" + text + ")" : "(...)";
  const std::string more = "; " + (is_name ? text : which) + " has one cell more ";
  if (less == 2) return more + "at each side: write inn" + all + of + "?";
  if (axes.size() != 1) return "";
  const std::string along = rank == 1 ? "" : "_" + axes + "a";
  return more + "along " + axes + ": write av" + along + of + " or d" + along + of + "?";
}

int binding(const char* symbol) {
  switch (symbol[1]) {
    case '*':
    case '/':
      return 3;
    case '+':
    case '-':
      return 2;
    default:
      return 1;
  }
}

}  // namespace

std::string operand_extents(const index_t (&n)[3]) {
  std::string text;
  for (int d = 0; d < 3 && n[d] >= 0; ++d) text += (d == 0 ? "" : "x") + std::to_string(n[d]);
  return text.empty() ? "of any extents" : text;
}

void throw_mismatch(const std::string& left, const index_t (&a)[3], const std::string& right,
                    const index_t (&b)[3]) {
  std::string hint = cure(left, "the first", a, b);
  if (hint.empty()) hint = cure(right, "the second", b, a);
  throw error("extents do not match: " + left + " is " + operand_extents(a) + ", " + right +
              " is " + operand_extents(b) +
              "; all operands of a statement must have the same extents" + hint);
}

std::string operand_of(const char* outer, bool is_right, const char* inner, std::string text) {
  const bool is_loose = binding(inner) < binding(outer) || binding(outer) == 1;
  const bool is_regrouped = is_right && (outer[1] == '-' || outer[1] == '/');
  if (is_loose || (is_regrouped && binding(inner) == binding(outer))) return "(" + text + ")";
  return text;
}

}  // namespace teff::runtime
