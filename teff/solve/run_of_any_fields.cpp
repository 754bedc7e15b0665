// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string_view>

#include <teff/base/error.hpp>
#include <teff/base/words.hpp>
#include <teff/solve/run_of_any_fields.hpp>

namespace teff::solve {

namespace {

/// Files name fields in plain ASCII, and pictures and messages too.
bool is_name(const std::string& label) {
  return !label.empty() &&
         std::ranges::all_of(label, [](char c) { return c > ' ' && c <= '~' && c != '/'; });
}

}  // namespace

run_of_any_fields::run_of_any_fields(double dt, std::vector<io::any_field> cells)
    : dt_(dt), cells_(std::move(cells)) {
  if (!(dt >= 0 && std::isfinite(dt)))
    throw error("a solver's dt: expected 0 or more, got " + number_text(dt));
  for (const io::any_field& f : cells_) {
    const std::string& name = f.label();
    const std::string number = std::to_string(fields_.size() + 1);
    if (!is_name(name))
      throw error("a solver's field " + number + " of " + std::to_string(cells_.size()) +
                  ": expected a name as its array's label, got '" + name + "'");
    if (std::ranges::count(fields_, name, &solver_field::name) > 0)
      throw error("a solver's field " + number + ": another one has the label '" + name + "'");
    const std::string_view type_now = f.as_any().type;
    if (type_now != type())
      throw error("a solver's fields are of one type, but " + fields_.front().name + " is " +
                  type() + " and " + name + " " + std::string(type_now));
    const std::size_t rank = f.shape().size();
    fields_.push_back(
        {name, f.shape(), std::vector<double>(rank, 0), std::vector<double>(rank, 1)});
  }
}

void run_of_any_fields::read(std::size_t field, void* to) const {
  io::copy_to_host(static_cast<char*>(to), cells_[field]);
}

void run_of_any_fields::write(std::size_t field, const void* from) {
  io::copy_from_host(cells_[field], static_cast<const char*>(from));
}

const char* run_of_any_fields::type() const {
  return cells_.front().as_any().type;
}

void run_of_any_fields::lead(const std::string& name) {
  const auto found = std::ranges::find(fields_, name, &solver_field::name);
  if (found == fields_.end()) {
    std::vector<std::string> names;
    for (const solver_field& f : fields_) names.push_back(f.name);
    throw runtime::unknown_name("leading field", name, names);
  }
  const auto at = found - fields_.begin();
  std::rotate(fields_.begin(), found, found + 1);
  std::rotate(cells_.begin(), cells_.begin() + at, cells_.begin() + at + 1);
}

void run_of_any_fields::space(const std::vector<double>& spacings) {
  for (const double d : spacings)
    if (!(d > 0 && std::isfinite(d)))
      throw error("a solver's spacings: expected numbers above 0, got " + number_text(d));
  for (solver_field& f : fields_) {
    if (f.shape.size() != spacings.size())
      throw error("a solver's spacings: expected " + std::to_string(f.shape.size()) + ", as " +
                  f.name + " has dims, got " + std::to_string(spacings.size()));
    f.spacings = spacings;
  }
}

}  // namespace teff::solve
