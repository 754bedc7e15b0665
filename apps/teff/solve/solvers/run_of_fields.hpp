// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/base/error.hpp>
#include <teff/grid/gather.hpp>
#include <teff/grid/grid.hpp>
#include <teff/solve/shared_run.hpp>
#include <teff/solve/spec.hpp>

namespace teff::app::inline TEFF_MODE {

template <int N>
extents<N> extents_of(const std::vector<index_t>& shape) {
  extents<N> n;
  for (int d = 0; d < N; ++d) n.n[d] = shape[static_cast<std::size_t>(d)];
  return n;
}

/// Makes the fields of a run, arrays or grid arrays, and takes them to the host and back.
template <class A>
class field_place;

template <class R, int N>
class field_place<array<R, N>> {
 public:
  explicit field_place(const solve::setup& s) : dev_(s.dev), cells_(extents_of<N>(s.shape)) {}

  /// @param more cells along each dim
  array<R, N> operator()(const std::string& label, const std::array<int, N>& more = {}) const {
    extents<N> n = cells_;
    for (int d = 0; d < N; ++d) n[d] += more[static_cast<std::size_t>(d)];
    return {dev_, n, label};
  }
  static void read(const array<R, N>& from, void* to) { copy_to_host(static_cast<R*>(to), from); }
  static void write(const array<R, N>& to, const void* from) {
    to = from_host(std::span(static_cast<const R*>(from), static_cast<std::size_t>(to.size())));
  }

 private:
  device dev_;
  extents<N> cells_;
};

/// Of a grid of the setup's ranks. Only the root's memory is read and written.
template <class R, int N>
class field_place<grid_array<R, N>> {
 public:
  explicit field_place(const solve::setup& s)
      : grid_(extents_of<N>(s.shape), {.on = s.on, .timeout_s = solve::longest_wait_s}) {}

  grid_array<R, N> operator()(const std::string& label, const std::array<int, N>& more = {}) const {
    return grid_.template array<R>(label, more);
  }
  static void read(const grid_array<R, N>& from, void* to) {
    const array<R, N> all = gather(from);
    if (from.grid()->on.is_root()) copy_to_host(static_cast<R*>(to), all);
  }
  static void write(const grid_array<R, N>& to, const void* from) {
    const bool is_root = to.grid()->on.is_root();
    const array<R, N> all(device::cpu(), is_root ? to.shape() : extents<N>{});
    if (is_root) field_place<array<R, N>>::write(all, from);
    scatter(to, all);
  }

 private:
  grid<N> grid_;
};

/// The part that all solvers share: fields of one type and rank, to the host and back.
/// @tparam A array<R, N>, or grid_array<R, N>
template <class A>
class run_of_fields : public solve::solver_run {
 public:
  void read(std::size_t field, void* to) const override {
    field_place<A>::read(*arrays_[field], to);
  }
  void write(std::size_t field, const void* from) override {
    field_place<A>::write(*arrays_[field], from);
  }

 protected:
  /// @param spacing between neighbouring values by dim @param first position of the first one
  void add(const std::string& name, A& a, const std::array<double, 3>& spacing,
           const std::array<double, 3>& first = {}) {
    solve::solver_field f{name, {}, {}, {}};
    for (int d = 0; d < A::rank; ++d) {
      f.shape.push_back(a.extent(d));
      f.origin.push_back(first[static_cast<std::size_t>(d)]);
      f.spacings.push_back(spacing[static_cast<std::size_t>(d)]);
    }
    fields_.push_back(std::move(f));
    arrays_.push_back(&a);
  }
  /// Values at cell centres.
  void add_at_centres(const std::string& name, A& a, const std::array<double, 3>& d) {
    add(name, a, d, {d[0] / 2, d[1] / 2, d[2] / 2});
  }
  /// Values at the faces across one dim, those of the border included.
  void add_at_faces(const std::string& name, A& a, const std::array<double, 3>& d, int across) {
    std::array<double, 3> first{d[0] / 2, d[1] / 2, d[2] / 2};
    first[static_cast<std::size_t>(across)] = 0;
    add(name, a, d, first);
  }

 private:
  std::vector<A*> arrays_;
};

/// A run of the type that the setup names. @throws error (usage) for another than f64 and f32
template <template <class> class Run, int N>
std::unique_ptr<solve::solver_run> start_run(const solve::setup& setup) {
  if (setup.type == type_name<double>()) return std::make_unique<Run<array<double, N>>>(setup);
  if (setup.type == type_name<float>()) return std::make_unique<Run<array<float, N>>>(setup);
  throw error(failure::usage, "a solver runs in f64 or f32, got '" + setup.type + "'");
}

/// The same on a grid, where the setup has ranks that share it.
template <template <class> class Run, int N>
std::unique_ptr<solve::solver_run> start_shared_run(const solve::setup& setup) {
  if (setup.on && setup.type == type_name<double>())
    return std::make_unique<Run<grid_array<double, N>>>(setup);
  if (setup.on && setup.type == type_name<float>())
    return std::make_unique<Run<grid_array<float, N>>>(setup);
  return start_run<Run, N>(setup);
}

}  // namespace teff::app::inline TEFF_MODE
