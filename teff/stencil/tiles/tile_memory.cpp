// SPDX-License-Identifier: MIT
#include <utility>

#include <teff/stencil/tiles/tile_memory.hpp>

namespace teff::runtime {

tile_memory::piece tile_memory::take(index_t bytes) {
  const std::lock_guard lock(guard_);
  if (bytes > most_bytes_) {
    free_.clear();
    most_bytes_ = bytes;
  }
  if (!free_.empty()) {
    piece taken = std::move(free_.back());
    free_.pop_back();
    return taken;
  }
  auto* const at = static_cast<std::byte*>(::operator new[](
      static_cast<std::size_t>(most_bytes_), std::align_val_t{cpu_line}, std::nothrow));
  return {decltype(piece::at)(at), most_bytes_};
}

void tile_memory::give_back(piece taken) {
  const std::lock_guard lock(guard_);
  if (taken.at != nullptr && taken.bytes == most_bytes_) free_.push_back(std::move(taken));
}

}  // namespace teff::runtime
