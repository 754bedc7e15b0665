// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include <teff/kernel/streaming_store.hpp>

namespace teff::runtime {

/// What tiles keep their levels' slabs in, a piece for each tile that is being computed. Pieces
/// stay from pass to pass: a system clears memory before it gives it, and that takes as long as
/// some of the steps.
class tile_memory {
 public:
  /// From the beginning of a line on, with any values; null where there was no memory.
  struct piece {
    struct deleter {
      void operator()(std::byte* at) const { ::operator delete[](at, std::align_val_t{cpu_line}); }
    };
    std::unique_ptr<std::byte[], deleter> at;
    index_t bytes = 0;
  };

  /// Of so many bytes at least.
  piece take(index_t bytes);
  void give_back(piece taken);

 private:
  std::mutex guard_;
  index_t most_bytes_ = 0;   // that were asked for
  std::vector<piece> free_;  // each of so many
};

}  // namespace teff::runtime
