// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <teff/base/device.hpp>

namespace teff {

class stream_point;

/// An ordered queue of work on a device; a counted handle. A device may stand where a stream does:
/// it means the device's own default stream. On the CPU work is done when the call returns.
class stream {
 public:
  /// The default stream of `dev`, always the same one.
  stream(device dev);  // NOLINT(google-explicit-constructor)

  /// A new stream of its own, independent of the default one.
  static stream create(device dev);
  /// One whose kernels begin before those of others that wait for room on the GPU.
  static stream create_urgent(device dev);

  /// A stream of somebody else's, a cudaStream_t as void*, which must outlive all handles; null is
  /// CUDA's legacy default stream. On the CPU, where there are none, the default one.
  /// @throws error (usage) for a handle of a stream on the CPU
  static stream adopt(device dev, void* native);

  device dev() const noexcept;

  /// Waits until all work in the stream is done.
  /// @throws error if a kernel failed.
  void synchronize() const;

  /// Whether all work in the stream is done: it looks, and does not wait.
  /// @throws error if a kernel failed.
  bool is_done() const;

  /// Its work goes into a graph, which may run again and beside the stream. False on the CPU.
  bool is_captured() const;

  /// Work enqueued here from now on starts after what is in `other` now.
  void wait_for(const stream& other) const;
  /// The same, after what was in another stream when the point was last set.
  void wait_for(const stream_point& point) const;

  /// cudaStream_t as void*; null on the CPU.
  void* native() const noexcept;

  /// Words on a GPU that are 0 between the stream's kernels: one that counts its blocks' arrivals
  /// in them leaves them so (block::atomic_increment_wrap). Null where there are none: on the CPU,
  /// and while the stream is captured in a graph, which may run beside the stream.
  unsigned* arrival_counters() const;
  static constexpr int arrival_count = 4097;

  friend bool operator==(const stream& a, const stream& b) noexcept { return a.state_ == b.state_; }

 private:
  friend class memory_block;
  struct state;
  /// Memory of a GPU in the order of the stream. Small blocks are spare when they are released: a
  /// call of CUDA's pool takes as long as a launch. Those of a graph are not, which runs again.
  /// @param is_spare_later what release() is to be told
  void* allocate(std::size_t bytes, const std::string& label, bool& is_spare_later) const;
  void release(void* data, std::size_t bytes, bool is_spare) const noexcept;

  explicit stream(std::shared_ptr<state> s) noexcept : state_(std::move(s)) {}
  std::shared_ptr<state> state_;
};

/// A point in a stream's work, for streams that wait for that and for nothing later. On the CPU,
/// where all that was enqueued is done, it says nothing.
class stream_point {
 public:
  explicit stream_point(stream of);
  ~stream_point();
  stream_point(stream_point&&) = delete;
  stream_point& operator=(stream_point&&) = delete;
  const stream& of() const noexcept { return of_; }
  /// After all work that is in the stream now.
  void set();

 private:
  friend class stream;
  stream of_;
  void* event_ = nullptr;
};

/// Waits until all work in the default stream of `dev` is done.
inline void synchronize(device dev) {
  stream(dev).synchronize();
}

namespace runtime {
/// How often the host has waited for a stream or a timer so far. On a CPU, where nothing is to be
/// waited for, the same calls count: so a test sees there what would wait on a GPU.
std::uint64_t host_waits() noexcept;
/// Calls f while `dev` is what CUDA's own calls of this thread are for; on a CPU just so.
void with_current_device(device dev, const std::function<void()>& f);
}  // namespace runtime

/// Copies bytes between any two places, in the order of `s`; waits only if the target is pageable
/// host memory.
void copy_bytes(const stream& s, void* target, const void* source, std::size_t bytes);

/// Bytes of 0, in the order of `s`.
void zero_bytes(const stream& s, void* target, std::size_t bytes);

/// Measures the time that work in a stream takes: by events on a GPU, by the steady clock on a CPU.
class timer {
 public:
  explicit timer(stream s);
  ~timer();
  timer(timer&&) = delete;
  timer& operator=(timer&&) = delete;
  void start();
  void stop();
  /// Seconds between start and stop. @sync waits until stop was reached.
  double elapsed_s() const;

 private:
  stream stream_;
  void* begin_ = nullptr;
  void* end_ = nullptr;
  double begin_s_ = 0;
  double end_s_ = 0;
};

/// A named range on the profiler's timeline (NVTX) while it lives; nothing without CUDA.
class timeline_range {
 public:
  explicit timeline_range(const char* name) noexcept;
  ~timeline_range();
  timeline_range(timeline_range&&) = delete;
  timeline_range& operator=(timeline_range&&) = delete;
};

}  // namespace teff
