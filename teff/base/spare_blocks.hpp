// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>

namespace teff::runtime {

/// Released blocks of memory, the oldest first, for the next ones of the same size.
class spare_blocks {
 public:
  /// The latest of this size, or null.
  void* take(std::size_t bytes) {
    const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                    [&](const block& b) { return b.bytes == bytes; });
    if (found == blocks_.rend()) return nullptr;
    void* data = found->data;
    bytes_ -= bytes;
    blocks_.erase(std::next(found).base());
    return data;
  }
  void put(void* data, std::size_t bytes) {
    blocks_.push_back({data, bytes});
    bytes_ += bytes;
  }
  /// Calls free(data, bytes) for the oldest ones, until no more than so many bytes are left.
  template <class F>
  void shrink(std::size_t most_bytes, const F& free) {
    while (bytes_ > most_bytes) {
      const block oldest = blocks_.front();
      blocks_.pop_front();
      bytes_ -= oldest.bytes;
      free(oldest.data, oldest.bytes);
    }
  }

 private:
  struct block {
    void* data;
    std::size_t bytes;
  };
  std::deque<block> blocks_;
  std::size_t bytes_ = 0;
};

}  // namespace teff::runtime
