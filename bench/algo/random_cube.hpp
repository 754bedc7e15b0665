// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/lab/case.hpp>

#include <bench/compare_cells.hpp>
#include <bench/host_values.hpp>

namespace teff::bench {

/// What cases along a dim start from: an array of three dims with random values, on the device and
/// on the host.
template <class T>
class random_cube : public lab::prepared_case {
 public:
  explicit random_cube(const lab::setting& where)
      : on_(where.dev),
        shape_(where.shape),
        a_(on_, {shape_[0], shape_[1], shape_[2]}, "A"),
        values_(random_values<T>(static_cast<std::size_t>(a_.size()), 1)),
        comparer_(on_) {
    a_ = from_host(values_);
  }

  stream on() const override { return on_; }
  const array<T, 3>& a() const { return a_; }

 protected:
  const std::vector<index_t>& shape() const { return shape_; }
  const std::vector<T>& values() const { return values_; }
  cell_comparer& comparer() { return comparer_; }

 private:
  stream on_;
  std::vector<index_t> shape_;
  array<T, 3> a_;
  std::vector<T> values_;
  cell_comparer comparer_;
};

}  // namespace teff::bench
