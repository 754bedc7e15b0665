// SPDX-License-Identifier: MIT
#include <sys/mman.h>

#include <cstdlib>
#include <new>

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

void* allocate_on_host(std::size_t bytes, const std::string& label) {
  // The kernel would promise more than there is and kill the program when it is touched.
  if (bytes >= large && bytes > describe(device::cpu()).free_bytes)
    throw_out_of_host_memory(bytes, label);
  const std::size_t alignment = bytes >= large ? huge_page : cache_line;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* pointer = std::aligned_alloc(alignment, rounded);
  if (pointer == nullptr) throw_out_of_host_memory(bytes, label);
  if (bytes >= large) (void)madvise(pointer, rounded, MADV_HUGEPAGE);
  return pointer;
}

}  // namespace

memory_block::memory_block(stream s, device place, std::size_t bytes, const std::string& label)
    : stream_(std::move(s)), place_(place) {
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
    std::free(data_);
}

}  // namespace teff
