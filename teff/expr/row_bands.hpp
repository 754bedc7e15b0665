// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

namespace teff::runtime {

/// The order in which the CPU takes the rows of a statement in 3-D. Where planes are too large for
/// a core's cache, each thread goes through its planes in bands: some rows of a plane, the same of
/// the next one, which reads what the first one has read. (A band's neighbours are read twice.)
class row_bands {
 public:
  /// What a task takes of a plane: some rows, and the bytes of all rows that it reads, 0 if they
  /// are in one plane.
  struct unit {
    index_t rows, bytes;
  };
  /// A unit of a plane.
  struct place {
    index_t unit, plane;
  };

  /// All units of a plane before the next.
  row_bands(index_t units, index_t planes) : units_(units), planes_(planes), band_(units) {}
  /// In bands that stay in the second-level cache, where its size is known.
  row_bands(index_t units, index_t planes, const unit& one);
  /// The same for a cache of so many bytes and so many threads.
  row_bands(index_t units, index_t planes, const unit& one, index_t cache_bytes, index_t threads);

  index_t count() const { return units_ * planes_; }
  place operator[](index_t number) const {
    return band_ == units_ ? place{number % units_, number / units_} : in_band(number);
  }

 private:
  place in_band(index_t number) const;

  index_t units_, planes_;
  index_t band_;             // units
  index_t part_planes_ = 0;  // of a thread, if there are bands
};

}  // namespace teff::runtime
