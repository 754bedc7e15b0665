// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/device.hpp>
#include <teff/expr/row_bands.hpp>

namespace teff::runtime {

namespace {

/// Rows of a band at least. (Of 4 KB each, 32 to 64 took the same time and 8 a seventh more, on a
/// Xeon with 2 MB of second-level cache; of 32 KB each, 8 were best.)
constexpr index_t least_rows = 8;

}  // namespace

row_bands::row_bands(index_t units, index_t planes, const unit& one) : row_bands(units, planes) {
  if (planes < 2 || one.bytes == 0) return;
  static const device_info& cpu = known_device(device::cpu());
  *this = row_bands(units, planes, one, static_cast<index_t>(cpu.core_cache_bytes), cpu.processors);
}

row_bands::row_bands(index_t units, index_t planes, const unit& one, index_t cache_bytes,
                     index_t threads)
    : row_bands(units, planes) {
  if (planes < 2 || one.bytes == 0 || cache_bytes == 0) return;
  const index_t most = std::max(cache_bytes / 2 / one.bytes, ceil_div(least_rows, one.rows));
  if (most >= units) return;
  band_ = ceil_div(units, ceil_div(units, most));
  part_planes_ = ceil_div(planes, std::min(threads, planes));
}

row_bands::place row_bands::in_band(index_t number) const {
  const index_t part = number / (units_ * part_planes_);
  const index_t first_plane = part * part_planes_;
  const index_t planes = std::min(part_planes_, planes_ - first_plane);
  const index_t in_part = number - units_ * first_plane;
  const index_t first_unit = in_part / (band_ * planes) * band_;
  const index_t units = std::min(band_, units_ - first_unit);
  const index_t in_band = in_part - first_unit * planes;
  return {first_unit + in_band % units, first_plane + in_band / units};
}

}  // namespace teff::runtime
