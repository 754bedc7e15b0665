// SPDX-License-Identifier: MIT
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <new>
#include <vector>

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

/// Large blocks that were released, the oldest first.
class kept_blocks {
 public:
  static kept_blocks& all() {
    static kept_blocks kept;
    return kept;
  }
  ~kept_blocks() { release(0); }

  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                    [&](const block& b) { return b.bytes == bytes; });
    if (found == blocks_.rend()) return nullptr;
    void* data = found->data;
    bytes_ -= bytes;
    blocks_.erase(std::next(found).base());
    return data;
  }
  void keep(void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    blocks_.push_back({data, bytes});
    bytes_ += bytes;
    release(most_);
  }
  void release_all() {
    const std::lock_guard lock(mutex_);
    release(0);
  }

 private:
  struct block {
    void* data;
    std::size_t bytes;
  };
  void release(std::size_t until) {
    while (bytes_ > until) {
      std::free(blocks_.front().data);
      bytes_ -= blocks_.front().bytes;
      blocks_.erase(blocks_.begin());
    }
  }

  std::mutex mutex_;
  std::vector<block> blocks_;
  std::size_t bytes_ = 0;
#ifdef __SANITIZE_ADDRESS__
  std::size_t most_ = 0;  // or it would not see who uses released memory
#else
  std::size_t most_ = describe(device::cpu()).memory_bytes / 8;
#endif
};

void* allocate_on_host(std::size_t bytes, const std::string& label) {
  const std::size_t rounded = rounded_up(bytes);
  if (bytes < large) {
    void* pointer = std::aligned_alloc(cache_line, rounded);
    if (pointer == nullptr) throw_out_of_host_memory(bytes, label);
    return pointer;
  }
  if (void* kept = kept_blocks::all().take(rounded)) return kept;
  if (bytes > describe(device::cpu()).free_bytes) kept_blocks::all().release_all();
  // The kernel would promise more than there is and kill the program when it is touched.
  if (bytes > describe(device::cpu()).free_bytes) throw_out_of_host_memory(bytes, label);
  void* pointer = std::aligned_alloc(huge_page, rounded);
  if (pointer == nullptr) throw_out_of_host_memory(bytes, label);
  (void)madvise(pointer, rounded, MADV_HUGEPAGE);
  return pointer;
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
