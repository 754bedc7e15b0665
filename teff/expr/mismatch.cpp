// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>

#include <teff/base/decimal.hpp>
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

/// @throws error with both, and with what would make the larger one fit
[[noreturn, gnu::cold]] void throw_mismatch(const text_source& left_operand, const index_t (&a)[3],
                                            const text_source& right_operand,
                                            const index_t (&b)[3]) {
  const std::string left = left_operand.text(), right = right_operand.text();
  std::string hint = cure(left, "the first", a, b);
  if (hint.empty()) hint = cure(right, "the second", b, a);
  throw error("extents do not match: " + left + " is " + operand_extents(a) + ", " + right +
              " is " + operand_extents(b) +
              "; all operands of a statement must have the same extents" + hint);
}

[[noreturn, gnu::cold]] void throw_too_few(const text_source& operand, const index_t (&n)[3],
                                           int less_than, int dim) {
  throw error("too few cells: " + operand.text() + " is " + operand_extents(n) +
              "; this operator needs at least " + std::to_string(less_than) + " cells along dim " +
              std::to_string(dim));
}

}  // namespace

std::string operand_extents(const index_t (&n)[3]) {
  std::string text;
  for (int d = 0; d < 3 && n[d] >= 0; ++d) text += (d == 0 ? "" : "x") + std::to_string(n[d]);
  return text.empty() ? "of any extents" : text;
}

void combine_extents(index_t (&a)[3], const text_source& left, const index_t (&b)[3],
                     const text_source& right) {
  for (int d = 0; d < 3; ++d)
    if (a[d] >= 0 && b[d] >= 0 && a[d] != b[d]) throw_mismatch(left, a, right, b);
  for (int d = 0; d < 3; ++d)
    if (a[d] < 0) a[d] = b[d];
}

void lose_cells(index_t (&n)[3], const int (&by)[3], const text_source& operand) {
  for (int d = 0; d < 3; ++d)
    if (n[d] >= 0 && n[d] < by[d]) throw_too_few(operand, n, by[d], d);
  for (int d = 0; d < 3; ++d)
    if (n[d] >= 0) n[d] -= by[d];
}

namespace {

std::string operand_of(const char* outer, bool is_right, const operand_text& operand) {
  std::string text = operand.source.text();
  const char* inner = operand.symbol;
  if (inner == nullptr) return text;
  const bool is_loose = binding(inner) < binding(outer) || binding(outer) == 1;
  const bool is_regrouped = is_right && (outer[1] == '-' || outer[1] == '/');
  if (is_loose || (is_regrouped && binding(inner) == binding(outer))) return "(" + text + ")";
  return text;
}

}  // namespace

std::string operator_text(const operand_text& left, const char* symbol, const operand_text& right) {
  return operand_of(symbol, false, left) + symbol + operand_of(symbol, true, right);
}

std::string call_text(const char* name, const text_source* operands, int count) {
  std::string text = std::string(name) + "(";
  for (int o = 0; o < count; ++o) text += (o == 0 ? "" : ", ") + operands[o].text();
  return text + ")";
}

namespace {

/// An operator stands between its operands, and not in the brackets of one.
bool has_operator(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0 && text[i] == ' ' && std::strchr("+-*/<>=!&|", text[i + 1]) != nullptr)
      return true;
  }
  return false;
}

}  // namespace

std::string text_around(const char* before, const text_source& operand, const char* after) {
  const std::string text = operand.text();
  return before + (has_operator(text) ? "(" + text + ")" : text) + after;
}

std::string digits_of(double value) {
  const bool is_long = value != 0 && (std::abs(value) < 1e-3 || std::abs(value) >= 1e9);
  std::string digits = decimal(value, 6, is_long ? decimal_form::shortest : decimal_form::fixed);
  if (is_long || digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}
std::string digits_of(i64 value) {
  return std::to_string(value);
}
std::string digits_of(std::uint64_t value) {
  return std::to_string(value);
}

}  // namespace teff::runtime
