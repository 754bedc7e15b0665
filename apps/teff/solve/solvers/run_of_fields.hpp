// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/base/error.hpp>
#include <teff/solve/spec.hpp>

namespace teff::app::inline TEFF_MODE {

/// The part that all solvers share: fields of one type and rank, to the host and back.
template <class R, int N>
class run_of_fields : public solve::solver_run {
 public:
  void read(std::size_t field, void* to) const override {
    copy_to_host(static_cast<R*>(to), *arrays_[field]);
  }
  void write(std::size_t field, const void* from) override {
    const array<R, N>& target = *arrays_[field];
    *arrays_[field] =
        from_host(std::span(static_cast<const R*>(from), static_cast<std::size_t>(target.size())));
  }

 protected:
  /// @param spacing between neighbouring values by dim @param first position of the first one
  void add(const std::string& name, array<R, N>& a, const std::array<double, 3>& spacing,
           const std::array<double, 3>& first = {}) {
    solve::solver_field f{name, {}, {}, {}};
    for (int d = 0; d < N; ++d) {
      f.shape.push_back(a.extent(d));
      f.origin.push_back(first[static_cast<std::size_t>(d)]);
      f.spacings.push_back(spacing[static_cast<std::size_t>(d)]);
    }
    fields_.push_back(std::move(f));
    arrays_.push_back(&a);
  }
  /// Values at cell centres.
  void add_at_centres(const std::string& name, array<R, N>& a, const std::array<double, 3>& d) {
    add(name, a, d, {d[0] / 2, d[1] / 2, d[2] / 2});
  }
  /// Values at the faces across one dim, those of the border included.
  void add_at_faces(const std::string& name, array<R, N>& a, const std::array<double, 3>& d,
                    int across) {
    std::array<double, 3> first{d[0] / 2, d[1] / 2, d[2] / 2};
    first[static_cast<std::size_t>(across)] = 0;
    add(name, a, d, first);
  }

 private:
  std::vector<array<R, N>*> arrays_;
};

template <int N>
extents<N> extents_of(const std::vector<index_t>& shape) {
  extents<N> n;
  for (int d = 0; d < N; ++d) n.n[d] = shape[static_cast<std::size_t>(d)];
  return n;
}

/// A run of the type that the setup names. @throws error (usage) for another than f64 and f32
template <template <class, int> class Run, int N>
std::unique_ptr<solve::solver_run> start_run(const solve::setup& setup) {
  if (setup.type == type_name<double>()) return std::make_unique<Run<double, N>>(setup);
  if (setup.type == type_name<float>()) return std::make_unique<Run<float, N>>(setup);
  throw error(failure::usage, "a solver runs in f64 or f32, got '" + setup.type + "'");
}

}  // namespace teff::app::inline TEFF_MODE
