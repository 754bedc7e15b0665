// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

namespace teff::lab {

/// True if the management library's reasons for the present clocks hold one that lowers them for
/// heat or power: a cap, a slowdown, a power brake. That nothing runs, or that someone set them, is
/// none.
bool are_clocks_lowered(unsigned long long reasons);

/// Asks NVIDIA's management library about a GPU, if it is there: it comes with the driver and is
/// opened at run time, so no build depends on it. Only reads. Where it is missing, nothing is
/// known.
class gpu_monitor {
 public:
  /// @param library, driver other libraries than the system's: of tests
  explicit gpu_monitor(int cuda_ordinal, const char* library = "libnvidia-ml.so.1",
                       const char* driver = "libcuda.so.1");
  ~gpu_monitor();
  gpu_monitor(gpu_monitor&&) = delete;
  gpu_monitor& operator=(gpu_monitor&&) = delete;

  /// Processes that compute on the GPU now, this one included; 0 if not known.
  int processes() const;

  /// True if the GPU has lowered its clocks for heat or power.
  bool is_throttled() const;

  /// Joules that the whole board took since the driver was loaded, where the GPU counts them (since
  /// Volta). It is brought up to date some ten times a second.
  std::optional<double> energy_j() const;

 private:
  void* library_ = nullptr;
  void* gpu_ = nullptr;
};

}  // namespace teff::lab
