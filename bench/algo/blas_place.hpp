// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <teff/algo/blas/blas.hpp>
#include <teff/base/device.hpp>
#include <teff/lab/case.hpp>

namespace teff::bench {

/// Where a variant runs that needs the vendor's matrix library; nothing if it is nowhere.
inline std::optional<lab::place> place_of_blas(bool (*is_there)(device_kind)) {
  const bool cpu = is_there(device_kind::cpu);
  const bool cuda = cuda_device_count() > 0 && is_there(device_kind::cuda);
  if (cpu && cuda) return lab::place::everywhere;
  if (cpu) return lab::place::cpu;
  if (cuda) return lab::place::cuda;
  return {};
}

}  // namespace teff::bench
