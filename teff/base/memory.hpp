// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <teff/base/stream.hpp>

namespace teff {

/// A block of memory on a device, released when the last handle goes. On a GPU allocation and
/// release are ordered in the stream and served from a pool, small ones from what was released in
/// the same stream. On the CPU blocks of a cache line or
/// more are aligned to lines, large ones to huge pages. Large ones get their pages at once, by all
/// threads, and when they are released they are kept for the next of the same size, since new pages
/// take as long as a pass over them, or several: never more bytes than are in use.
class memory_block {
 public:
  /// @throws error (out_of_memory) with what was asked, for which label, and what is free.
  memory_block(stream s, device place, std::size_t bytes, const std::string& label);
  ~memory_block();
  memory_block(memory_block&&) = delete;
  memory_block& operator=(memory_block&&) = delete;

  void* data() const noexcept { return data_; }

 private:
  stream stream_;
  device place_;
  std::size_t bytes_;
  void* data_ = nullptr;
  bool is_spare_later_ = false;  // a GPU's, when it is released
};

namespace runtime {
/// A block on the stream's device.
std::shared_ptr<memory_block> shared_block(const stream& on, std::size_t bytes,
                                           const std::string& label);

/// Memory of the CPU that is somebody else's: in use as long as this lives, so that a run over it
/// finds its scratch again.
class foreign_memory {
 public:
  explicit foreign_memory(std::size_t bytes);
  ~foreign_memory();
  foreign_memory(foreign_memory&&) = delete;
  foreign_memory& operator=(foreign_memory&&) = delete;

 private:
  std::size_t bytes_;
};

/// Kernels and copies of one GPU can use memory of another one, now and later, if the hardware
/// connects the two; else copies go by the host.
void let_reach(device by, device of);
}  // namespace runtime

}  // namespace teff
