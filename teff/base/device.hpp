// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <teff/base/config.hpp>

namespace teff {

enum class device_kind : std::uint8_t { cpu, cuda };

/// A place that holds arrays and runs statements: the CPU (all its cores), or one GPU.
class device {
 public:
  /// The CPU.
  static device cpu() noexcept { return {device_kind::cpu, 0}; }

  /// The CPU with page-locked memory: arrays there copy to and from a GPU at full speed.
  static device cpu_pinned() noexcept { return {device_kind::cpu, 1}; }

  /// GPU number `ordinal`.
  /// @throws error (no_device) if there is no such GPU; the message says why and what there is.
  static device cuda(int ordinal = 0);

  device_kind kind() const noexcept { return kind_; }
  bool is_cpu() const noexcept { return kind_ == device_kind::cpu; }
  bool is_cuda() const noexcept { return kind_ == device_kind::cuda; }
  bool is_pinned() const noexcept { return is_cpu() && ordinal_ == 1; }
  int ordinal() const noexcept { return is_cpu() ? 0 : ordinal_; }

  /// "cpu", "cuda:0".
  std::string name() const;

  /// Same place; pinned and pageable host memory are one place.
  friend bool operator==(device a, device b) noexcept {
    return a.kind_ == b.kind_ && a.ordinal() == b.ordinal();
  }

 private:
  device(device_kind kind, int ordinal) noexcept : kind_(kind), ordinal_(ordinal) {}
  device_kind kind_;
  int ordinal_;
};

/// What is known of a device without measuring it.
struct device_info {
  std::string name;                  ///< "NVIDIA H200", or the processor's own name
  std::size_t memory_bytes = 0;      ///< all of it
  std::size_t free_bytes = 0;        ///< free now
  std::size_t cache_bytes = 0;       ///< last-level cache
  std::size_t core_cache_bytes = 0;  ///< second-level cache of a core; 0 on a GPU and where unknown
  int processors = 0;                ///< cores that OpenMP uses, or streaming multiprocessors
  int threads_per_processor = 0;     ///< most resident threads of a multiprocessor; 1 on a CPU
  int max_threads_per_block = 0;     ///< 0 on a CPU
  std::size_t shared_bytes_per_block = 0;  ///< most that a block can ask for; 0 on a CPU
  int f32_per_f64 = 2;                     ///< operations in f32 in the time of one in f64
  double nominal_gb_per_s = 0;         ///< the vendor's figure where the driver tells it, else 0
  double clock_ghz = 0;                ///< highest clock where known, else 0
  double nominal_f32_gflop_per_s = 0;  ///< multiply-adds of all lanes at that clock; 0 on a CPU
  std::string driver;                  ///< driver and runtime versions, or the compiler
  std::string uuid;                    ///< "GPU-1a2b...", the same for all processes; "" on a CPU
};
device_info describe(device dev);

/// describe(dev) as it was when first asked: for what does not change, at no cost.
const device_info& known_device(device dev);

/// Number of usable GPUs; 0 where there is none, no driver, or a build without CUDA.
int cuda_device_count();

/// Why cuda_device_count() is 0, in words; "" where it is not.
std::string why_no_cuda();

/// Reads "cpu", "cuda" or "cuda:N".
/// @throws error (usage) on any other text, (no_device) if that GPU is not there.
device parse_device(std::string_view text);

/// The device of TEFF_DEVICE, else the first GPU, else the CPU; without kernels always the CPU.
/// @throws error (no_device) if TEFF_DEVICE names a GPU that can not be used.
device choose_device(bool has_kernels);

inline namespace TEFF_MODE {

/// The device that TEFF_DEVICE names, else the first GPU if there is one, else the CPU.
/// A plain C++ unit holds no kernels: there it is the CPU.
inline device default_device() {
  return choose_device(is_cuda_unit);
}

}  // namespace TEFF_MODE
}  // namespace teff
