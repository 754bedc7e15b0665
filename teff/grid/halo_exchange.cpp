// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/grid/halo_exchange.hpp>

namespace teff::runtime {

namespace {

/// "-x+y": where a rank is, seen from another one. (Of a ring of two it is on both sides: the lower
/// one is named.)
std::string side_of(const decomposition& whole, int rank, int seen_from) {
  std::string side;
  for (int d = 0; d < whole.dims(); ++d) {
    const int by = whole.part_of(rank, d) - whole.part_of(seen_from, d);
    if (by != 0) side += std::string(by < 0 ? "-" : "+") + "xyz"[d];
  }
  return side;
}

std::string names_of(const std::vector<halo_move>& moves, const std::vector<std::string>& names) {
  std::string text;
  int last = -1;
  for (const halo_move& one : moves) {
    if (one.field == last) continue;
    last = one.field;
    text += (text.empty() ? "" : ", ") + names[static_cast<std::size_t>(one.field)];
  }
  return text;
}

}  // namespace

halo_exchange::peer& halo_exchange::of_rank(std::vector<peer>& all, int rank) {
  for (peer& one : all)
    if (one.rank == rank) return one;
  return all.emplace_back(peer{rank, {}, {}, {}});
}

halo_exchange::halo_exchange(transport& through, const decomposition& whole,
                             const std::vector<padded_part>& parts,
                             const std::vector<exchanged_field>& fields,
                             const std::vector<std::string>& names)
    : through_(through) {
  const int me = through.rank();
  for (int rank = 0; rank < whole.ranks(); ++rank)
    for (const halo_move& one :
         received_by(rank, whole, parts[static_cast<std::size_t>(rank)], fields)) {
      if (one.from == me) of_rank(to_, one.to).moves.push_back(one);
      if (one.to == me) of_rank(from_, one.from).moves.push_back(one);
    }
  for (peer& one : from_)
    one.what =
        "the halo of " + names_of(one.moves, names) + ", side " + side_of(whole, one.rank, me);
}

void halo_exchange::run(const std::vector<held_cells>& fields, const std::string& place) {
  bring(fields, place);
  for (const peer& one : from_) {
    const std::byte* next = one.buffer.data();
    for (const halo_move& move : one.moves)
      next = unpack(fields[static_cast<std::size_t>(move.field)], move.target, next);
  }
}

void halo_exchange::show(const std::vector<held_cells>& fields, const std::string& place,
                         const look& at) {
  bring(fields, place);
  for (const peer& one : from_) {
    const std::byte* next = one.buffer.data();
    for (const halo_move& move : one.moves) {
      at(move, next);
      next += fields[static_cast<std::size_t>(move.field)].bytes(move.target);
    }
  }
}

/// To the buffers of from_.
void halo_exchange::bring(const std::vector<held_cells>& fields, const std::string& place) {
  const auto field_of = [&](const halo_move& one) -> const held_cells& {
    return fields[static_cast<std::size_t>(one.field)];
  };
  const auto make_room = [&](peer& one) {
    index_t bytes = 0;
    for (const halo_move& move : one.moves) bytes += field_of(move).bytes(move.target);
    one.buffer.resize(static_cast<std::size_t>(bytes));
  };
  const int me = through_.rank();
  std::vector<message> sends, receives;
  for (peer& one : from_) {
    make_room(one);
    if (one.rank != me)
      receives.push_back({one.rank, one.buffer.data(), one.buffer.size(), &one.what});
  }
  for (peer& one : to_) {
    make_room(one);
    std::byte* end = one.buffer.data();
    for (const halo_move& move : one.moves) end = pack(field_of(move), move.source(), end);
    if (one.rank == me)
      of_rank(from_, me).buffer = one.buffer;
    else
      sends.push_back({one.rank, one.buffer.data(), one.buffer.size(), &one.what});
  }
  through_.post(sends, receives);
  through_.wait(place);
}

}  // namespace teff::runtime
