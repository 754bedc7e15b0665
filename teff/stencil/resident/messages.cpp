// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/resident/messages.hpp>

namespace teff::runtime {

message_memory::message_memory(const stream& on, const std::vector<index_t>& words) {
  for (const index_t count : words) {
    words_.push_back(
        {allocated(on, on.dev(), &count, 1, sizeof(i64), "messages of iterate"), count});
    zero_bytes(on, words_.back().owner.block->data(),
               static_cast<std::size_t>(count) * sizeof(i64));
  }
}
message_memory::~message_memory() = default;

void message_memory::add_rounds(int steps, const resident_cut& cut) {
  const auto rounds = static_cast<std::uint32_t>(ceil_div(steps, cut.steps_of_round));
  rounds_ += std::max(rounds, 2U) - 1;
}

void* message_memory::half(int field, int number) const {
  const words_of_field& words = words_[static_cast<std::size_t>(field)];
  return static_cast<i64*>(words.owner.block->data()) + number * words.count / 2;
}

}  // namespace teff::runtime
