// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include <teff/base/index.hpp>

namespace teff::runtime {

/// What tiles keep their levels' slabs in, a piece for each tile that is being computed. Pieces
/// stay from pass to pass: a system clears memory before it gives it, and that takes as long as
/// some of the steps. A counted handle.
class tile_memory {
 public:
  tile_memory();

  /// From the beginning of a line on, with any values; null where there was no memory.
  struct piece {
    std::byte* at = nullptr;
    index_t bytes = 0;

    piece() = default;
    piece(std::byte* begin, index_t size) : at(begin), bytes(size) {}
    piece(piece&& other) noexcept;
    piece& operator=(piece&& other) noexcept;
    ~piece();
  };

  /// Of so many bytes at least.
  piece take(index_t bytes) const;
  void give_back(piece taken) const;

 private:
  struct kept;
  std::shared_ptr<kept> kept_;
};

}  // namespace teff::runtime
