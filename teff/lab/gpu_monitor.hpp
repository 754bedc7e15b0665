// SPDX-License-Identifier: MIT
#pragma once

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
  explicit gpu_monitor(int cuda_ordinal);
  ~gpu_monitor();
  gpu_monitor(gpu_monitor&&) = delete;
  gpu_monitor& operator=(gpu_monitor&&) = delete;

  /// Processes that compute on the GPU now, this one included; 0 if not known.
  int processes() const;

  /// True if the GPU has lowered its clocks for heat or power.
  bool is_throttled() const;

 private:
  void* library_ = nullptr;
  void* gpu_ = nullptr;
};

}  // namespace teff::lab
