// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <teff/base/conversion.hpp>
#include <teff/base/error.hpp>
#include <teff/stencil/rows/row_program.hpp>

namespace teff::runtime {

namespace {

/// Cells that a loop takes: fewer cost more calls, of more a formula's values leave the caches.
constexpr index_t cells_at_once = 512;
constexpr index_t bytes_of_cell[] = {8, 4, 8, 4, 1};  // by cell_type
constexpr index_t bytes_at_once = cells_at_once * 8;

template <class T>
void put_number(void* to, T number) {
  std::fill_n(static_cast<T*>(to), cells_at_once, number);
}

template <class V>
void put_number(void* to, cell_type type, V number) {
  if (type == cell_type::f64)
    put_number(to, static_cast<double>(number));
  else if (type == cell_type::f32)
    put_number(to, static_cast<float>(number));
  else if (type == cell_type::i64)
    put_number(to, convert<i64>(number));
  else if (type == cell_type::i32)
    put_number(to, convert<i32>(number));
  else
    put_number(to, convert<u8>(number));
}

}  // namespace

row_program::row_program(std::vector<place> places, const std::vector<instruction>& code,
                         const double* reals, const i64* integers)
    : places_(std::move(places)) {
  constexpr std::size_t lines = bytes_at_once / cpu_line;
  std::size_t numbers = 0;
  for (place& p : places_) {
    if (p.where == kind::temporary)
      temporaries_ = std::max(temporaries_, static_cast<std::size_t>(p.at) + 1);
    if (p.where < kind::real) continue;
    numbers_.resize((numbers + 1) * lines);
    void* const to = &numbers_[numbers * lines];
    if (p.where == kind::real)
      put_number(to, p.type, reals[p.at]);
    else if (p.where == kind::whole)
      put_number(to, p.type, integers[p.at]);
    else
      put_number(to, p.type, static_cast<double>(p.at) / p.more);
    p.at = static_cast<int>(numbers++);
  }
  for (const instruction& given : code) {
    step made{nullptr, given.to, {given.operands[0], given.operands[1], given.operands[2]}};
    check(given.to);
    if (given.what != row_operation::index) {
      for (const int operand : given.operands) check(operand);
      // (Of a choice the first operand is a condition.)
      const int of = given.operands[given.what == row_operation::where ? 1 : 0];
      made.loop = row_loop_of(given.what, places_[static_cast<std::size_t>(of)].type,
                              places_[static_cast<std::size_t>(given.to)].type);
    }
    steps_.push_back(made);
  }
}

void row_program::check(int place) const {
  if (place < 0 || place >= static_cast<int>(places_.size()))
    throw error(failure::usage, "a row's program has place " + std::to_string(place) + " of " +
                                    std::to_string(places_.size()));
}

void row_program::compute(void* to, const void* const* from, index_t cells,
                          const index_t* at) const {
  thread_local std::vector<line> temporaries;
  thread_local std::vector<char*> found;
  constexpr std::size_t lines = bytes_at_once / cpu_line;
  if (temporaries.size() < temporaries_ * lines) temporaries.resize(temporaries_ * lines);
  found.resize(places_.size());
  for (std::size_t p = 0; p < places_.size(); ++p) {
    const place& where = places_[p];
    const auto n = static_cast<std::size_t>(where.at);
    const void* first = where.where == kind::target      ? to
                        : where.where == kind::temporary ? temporaries.data() + n * lines
                        : where.where == kind::cell      ? from[n]
                                                         : numbers_.data() + n * lines;
    found[p] = static_cast<char*>(const_cast<void*>(first));
    if (where.where == kind::cell)
      found[p] += where.more * bytes_of_cell[static_cast<int>(where.type)];
  }
  for (index_t i = 0; i < cells; i += cells_at_once) {
    const index_t now = std::min(cells_at_once, cells - i);
    for (const step& one : steps_) {
      char* const result = found[static_cast<std::size_t>(one.to)];
      if (one.loop == nullptr) {
        const int dim = one.operands[0];
        auto* const values = reinterpret_cast<i64*>(result);
        const index_t first = at[dim] + one.operands[1] + (dim == 0 ? i : 0);
        for (index_t n = 0; n < now; ++n) values[n] = first + (dim == 0 ? n : 0);
        continue;
      }
      const void* operands[3];
      for (int n = 0; n < 3; ++n) operands[n] = found[static_cast<std::size_t>(one.operands[n])];
      one.loop(result, operands, now);
    }
    for (std::size_t p = 0; p < places_.size(); ++p)
      if (places_[p].where == kind::target || places_[p].where == kind::cell)
        found[p] += now * bytes_of_cell[static_cast<int>(places_[p].type)];
  }
}

}  // namespace teff::runtime
