// SPDX-License-Identifier: MIT
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>

#include <teff/base/bytes.hpp>
#include <teff/base/detail/cuda_runtime.hpp>
#include <teff/base/error.hpp>
#include <teff/base/memory.hpp>

namespace teff {

namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t large = 16 * huge_page;

[[noreturn]] void throw_out_of_host_memory(std::size_t bytes, const std::string& label) {
  throw error(failure::out_of_memory,
              "out of memory on the CPU: asked " + bytes_text(bytes) + " for " +
                  (label.empty() ? "an array" : "array '" + label + "'") + ", free " +
                  bytes_text(describe(device::cpu()).free_bytes) + "; use smaller extents or f32");
}

std::size_t rounded_up(std::size_t bytes) {
  const std::size_t alignment = bytes >= large ? huge_page : cache_line;
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Large blocks that were released, the oldest first: at most as many bytes as are in use.
class kept_blocks {
 public:
  static kept_blocks& all() {
    static auto& kept = *new kept_blocks;  // never destroyed: arrays may outlive any static
    return kept;
  }

  /// A kept block of this size, or null. It or a new one counts as in use from now on.
  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    in_use_ += bytes;
    const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                    [&](const block& b) { return b.bytes == bytes; });
    if (found == blocks_.rend()) return nullptr;
    void* data = found->data;
    kept_ -= bytes;
    blocks_.erase(std::next(found).base());
    return data;
  }
  void keep(void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    in_use_ -= bytes;
    kept_ += bytes;
    blocks_.push_back({data, bytes});
    release(is_kept ? in_use_ : 0);
  }
  void release_all() {
    const std::lock_guard lock(mutex_);
    release(0);
  }
  /// No block came of what take() counted.
  void forget(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    in_use_ -= bytes;
  }

 private:
  struct block {
    void* data;
    std::size_t bytes;
  };
#ifdef __SANITIZE_ADDRESS__
  static constexpr bool is_kept = false;  // or it would not see who uses released memory
#else
  static constexpr bool is_kept = true;
#endif

  void release(std::size_t until) {
    while (kept_ > until) {
      std::free(blocks_.front().data);
      kept_ -= blocks_.front().bytes;
      blocks_.pop_front();
    }
  }

  std::mutex mutex_;
  std::deque<block> blocks_;
  std::size_t kept_ = 0, in_use_ = 0;
};

void* new_large_block(std::size_t bytes, const std::string& label) {
  if (bytes > describe(device::cpu()).free_bytes) kept_blocks::all().release_all();
  // The kernel would promise more than there is and kill the program when it is touched.
  if (bytes > describe(device::cpu()).free_bytes) throw_out_of_host_memory(bytes, label);
  void* pointer = std::aligned_alloc(huge_page, rounded_up(bytes));
  if (pointer == nullptr) throw_out_of_host_memory(bytes, label);
  (void)madvise(pointer, rounded_up(bytes), MADV_HUGEPAGE);
  return pointer;
}

void* allocate_on_host(std::size_t bytes, const std::string& label) {
  if (bytes < large) {
    void* pointer = std::aligned_alloc(cache_line, rounded_up(bytes));
    if (pointer == nullptr) throw_out_of_host_memory(bytes, label);
    return pointer;
  }
  if (void* kept = kept_blocks::all().take(rounded_up(bytes))) return kept;
  try {
    return new_large_block(bytes, label);
  } catch (...) {
    kept_blocks::all().forget(rounded_up(bytes));
    throw;
  }
}

void release_on_host(void* data, std::size_t bytes) {
  if (bytes >= large)
    kept_blocks::all().keep(data, rounded_up(bytes));
  else
    std::free(data);
}

}  // namespace

memory_block::memory_block(stream s, device place, std::size_t bytes, const std::string& label)
    : stream_(std::move(s)), place_(place), bytes_(bytes) {
  if (bytes == 0) return;
  if (place_.is_cuda())
    data_ = runtime::cuda::allocate(place_.ordinal(), stream_.native(), bytes, label);
  else if (place_.is_pinned())
    data_ = runtime::cuda::allocate_pinned(bytes, label);
  else
    data_ = allocate_on_host(bytes, label);
}

memory_block::~memory_block() {
  if (data_ == nullptr) return;
  if (place_.is_cuda())
    runtime::cuda::release(place_.ordinal(), stream_.native(), data_);
  else if (place_.is_pinned())
    runtime::cuda::release_pinned(data_);
  else
    release_on_host(data_, bytes_);
}

}  // namespace teff
