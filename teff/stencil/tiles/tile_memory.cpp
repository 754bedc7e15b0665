// SPDX-License-Identifier: MIT
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include <teff/kernel/streaming_store.hpp>
#include <teff/stencil/tiles/tile_memory.hpp>

namespace teff::runtime {

tile_memory::piece::piece(piece&& other) noexcept
    : at(std::exchange(other.at, nullptr)), bytes(other.bytes) {}
tile_memory::piece& tile_memory::piece::operator=(piece&& other) noexcept {
  std::swap(at, other.at);
  std::swap(bytes, other.bytes);
  return *this;
}
tile_memory::piece::~piece() {
  ::operator delete[](at, std::align_val_t{cpu_line});
}

struct tile_memory::kept {
  std::mutex guard;
  index_t most_bytes = 0;   // that were asked for
  std::vector<piece> free;  // each of so many
};

tile_memory::tile_memory() : kept_(std::make_shared<kept>()) {}

tile_memory::piece tile_memory::take(index_t bytes) const {
  const std::lock_guard lock(kept_->guard);
  index_t& most = kept_->most_bytes;
  std::vector<piece>& free = kept_->free;
  if (bytes > most) {
    free.clear();
    most = bytes;
  }
  if (!free.empty()) {
    piece taken = std::move(free.back());
    free.pop_back();
    return taken;
  }
  auto* const at = static_cast<std::byte*>(
      ::operator new[](static_cast<std::size_t>(most), std::align_val_t{cpu_line}, std::nothrow));
  return {at, most};
}

void tile_memory::give_back(piece taken) const {
  const std::lock_guard lock(kept_->guard);
  if (taken.at != nullptr && taken.bytes == kept_->most_bytes)
    kept_->free.push_back(std::move(taken));
}

}  // namespace teff::runtime
