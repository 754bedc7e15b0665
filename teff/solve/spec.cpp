// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include <teff/array/extents.hpp>
#include <teff/base/error.hpp>
#include <teff/grid/grid_run.hpp>
#include <teff/solve/spec.hpp>

namespace teff::solve {

namespace {

/// Names are words of a command line and of completion, and stand before `=`.
bool is_word(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

template <class Report>
made_steps::made_steps(const Report& report, rank_use by)
    : steps(report.steps()),
      time_s(report.time_s()),
      passes(report.passes()),
      per_step(report.per_step()),
      residual(report.residual()),
      has_converged(report.has_converged()),
      schedule(report.schedule()),
      reason(report.reason()),
      ranks(std::move(by)) {}

made_steps::made_steps(const iterate_report& report) : made_steps(report, rank_use{}) {}

made_steps::made_steps(const grid_report& report)
    : made_steps(report,
                 {report.ranks(), report.cuts(), report.transport(), report.exchange_every()}) {}

bool solver_number::takes(double other) const {
  if (!std::isfinite(other)) return false;
  return range ? range->lower <= other && other <= range->upper : other > 0;
}

std::string solver_number::expected() const {
  if (!range) return "a number above 0";
  return "a number from " + number_text(range->lower) + " to " + number_text(range->upper);
}

double setup::number(const std::string& name) const {
  for (const solver_number& n : numbers)
    if (n.name == name) return n.value;
  throw error("a solver asked for a number that it does not have: '" + name + "'");
}

void check_spec(const spec& what) {
  if (!is_word(what.name))
    throw error("a solver's name: expected letters, digits, _ and -, got '" + what.name + "'");
  if (!what.make) throw error("there is no .make, which makes the solver");
  const auto is_extent = [](index_t n) { return n >= 1; };
  for (const std::vector<index_t>& shape : {what.shape, what.cuda_shape})
    if (shape.size() > max_rank || !std::ranges::all_of(shape, is_extent))
      throw error(".shape: expected up to three extents >= 1");
  if (!what.cuda_shape.empty() && what.cuda_shape.size() != what.rank())
    throw error(".cuda_shape: expected as many extents as .shape has");
  const auto is_type = [](const std::string& type) { return type == "f64" || type == "f32"; };
  if (what.types.empty() || !std::ranges::all_of(what.types, is_type))
    throw error(".types: expected f64, f32 or both");
  std::set<std::string> names;
  for (const solver_number& n : what.numbers) {
    if (!is_word(n.name))
      throw error("a number's name: expected letters, digits, _ and -, got '" + n.name + "'");
    if (!names.insert(n.name).second) throw error("two numbers have the name '" + n.name + "'");
    if (!n.takes(n.value))
      throw error("the default " + n.name + "=" + number_text(n.value) + ": expected " +
                  n.expected());
  }
}

std::string shape_text(const std::vector<index_t>& shape) {
  return runtime::extents_text(shape.data(), static_cast<int>(shape.size()));
}

std::string number_text(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace teff::solve
