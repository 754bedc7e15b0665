// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <utility>

#include <teff/base/bytes.hpp>
#include <teff/base/config.hpp>
#include <teff/base/detail/cuda_runtime.hpp>
#include <teff/base/error.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/base/free_memory.hpp>
#include <teff/base/memory.hpp>
#include <teff/base/spare_blocks.hpp>

namespace teff {

namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Blocks of less than a line are plain ones, which the C library serves several times faster. From
/// `staggered` bytes on, blocks begin next_offset_in_page() after a page; from `huge_page` on,
/// after a huge one (a step over less than 32 MB took 1.2 to 1.7 times as long with small ones, and
/// rounding up takes 2 MB at most); from `large` on, they are kept when they are released. The
/// sanitizer sees more where neither is done.
constexpr std::size_t staggered = std::size_t{64} << 10;
constexpr std::size_t large = 16 * huge_page;
#ifdef TEFF_UNDER_ASAN
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

[[noreturn]] void throw_out_of_host_memory(std::size_t bytes, const std::string& label) {
  throw error(failure::out_of_memory,
              "out of memory on the CPU: asked " + bytes_text(bytes) + " for " +
                  (label.empty() ? "an array" : "array '" + label + "'") + ", free " +
                  runtime::free_host_memory().text() + "; use smaller extents or f32");
}

/// A core takes a load to depend on an earlier store if the last 12 bits of their addresses agree.
/// Arrays that all begin at a page would suffer from that in every loop (six times the time, seen
/// in a stencil), so each begins some lines further on than the one before.
std::size_t next_offset_in_page() {
  constexpr std::size_t step = 11 * cache_line;  // six blocks in a row are 500 bytes or more apart
  static std::atomic<std::size_t> blocks{0};
  return blocks++ * step % page;
}

bool is_staggered(std::size_t bytes) {
  return bytes >= staggered && !is_sanitized;
}

std::size_t alignment_of_block(std::size_t bytes) {
  if (bytes >= huge_page) return huge_page;
  if (is_staggered(bytes)) return page;
  return bytes < cache_line ? alignof(std::max_align_t) : cache_line;
}

std::size_t size_of_block(std::size_t bytes) {
  const std::size_t alignment = alignment_of_block(bytes);
  const std::size_t used = bytes + (is_staggered(bytes) ? page : 0);
  return (used + alignment - 1) / alignment * alignment;
}

/// Gives a new block its pages, each by the thread that gets tasks over it later: a page lies
/// beside the core that touches it first, and all threads take less time for it than one.
void touch_pages(void* data, std::size_t bytes) {
  for_tasks(static_cast<index_t>(bytes / page), true,
            [&](index_t p) { static_cast<char*>(data)[static_cast<std::size_t>(p) * page] = 0; });
}

/// The memory for `bytes`, as it came from the C library, or null.
void* new_block(std::size_t bytes) {
  void* block = std::aligned_alloc(alignment_of_block(bytes), size_of_block(bytes));
  if (block == nullptr) return nullptr;
  if (bytes >= huge_page) (void)madvise(block, size_of_block(bytes), MADV_HUGEPAGE);
  return static_cast<char*>(block) + (is_staggered(bytes) ? next_offset_in_page() : 0);
}

void free_block(void* data, std::size_t bytes) {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(data) % page;
  std::free(static_cast<char*>(data) - (is_staggered(bytes) ? offset : 0));
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
    return spare_.take(bytes);
  }
  void keep(void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    in_use_ -= bytes;
    spare_.put(data, bytes);
    spare_.shrink(is_sanitized ? 0 : in_use_, free_block);
  }
  void release_all() {
    const std::lock_guard lock(mutex_);
    spare_.shrink(0, free_block);
  }
  /// So many are in use that are none of these blocks.
  void count(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    in_use_ += bytes;
  }
  /// What take() or count() counted is not in use: no block came of it, or it has gone.
  void forget(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    in_use_ -= bytes;
    spare_.shrink(in_use_, free_block);
  }

 private:
  std::mutex mutex_;
  runtime::spare_blocks spare_;
  std::size_t in_use_ = 0;
};

void* new_large_block(std::size_t bytes, const std::string& label) {
  if (bytes > runtime::free_host_memory().bytes) kept_blocks::all().release_all();
  // The kernel would promise more than there is and kill the program when it is touched.
  if (bytes > runtime::free_host_memory().bytes) throw_out_of_host_memory(bytes, label);
  void* data = new_block(bytes);
  if (data == nullptr) throw_out_of_host_memory(bytes, label);
  touch_pages(data, bytes);
  return data;
}

void* allocate_on_host(std::size_t bytes, const std::string& label) {
  if (bytes < large) {
    void* data = new_block(bytes);
    if (data == nullptr) throw_out_of_host_memory(bytes, label);
    return data;
  }
  if (void* kept = kept_blocks::all().take(bytes)) return kept;
  try {
    return new_large_block(bytes, label);
  } catch (...) {
    kept_blocks::all().forget(bytes);
    throw;
  }
}

void release_on_host(void* data, std::size_t bytes) {
  if (bytes >= large)
    kept_blocks::all().keep(data, bytes);
  else
    free_block(data, bytes);
}

}  // namespace

memory_block::memory_block(stream s, device place, std::size_t bytes, const std::string& label)
    : stream_(std::move(s)), place_(place), bytes_(bytes) {
  if (bytes == 0) return;
  if (place_.is_cuda())
    data_ = stream_.allocate(bytes, label, is_spare_later_);
  else if (place_.is_pinned())
    data_ = runtime::cuda::allocate_pinned(bytes, label);
  else
    data_ = allocate_on_host(bytes, label);
}

memory_block::~memory_block() {
  if (data_ == nullptr) return;
  if (place_.is_cuda())
    stream_.release(data_, bytes_, is_spare_later_);
  else if (place_.is_pinned())
    runtime::cuda::release_pinned(data_);
  else
    release_on_host(data_, bytes_);
}

std::shared_ptr<memory_block> runtime::shared_block(const stream& on, std::size_t bytes,
                                                    const std::string& label) {
  return std::make_shared<memory_block>(on, on.dev(), bytes, label);
}

runtime::foreign_memory::foreign_memory(std::size_t bytes) : bytes_(bytes) {
  kept_blocks::all().count(bytes_);
}
runtime::foreign_memory::~foreign_memory() {
  kept_blocks::all().forget(bytes_);
}

void runtime::let_reach(device by, device of) {
  if (by.is_cuda() && of.is_cuda() && !(by == of)) cuda::let_reach(by.ordinal(), of.ordinal());
}

}  // namespace teff
