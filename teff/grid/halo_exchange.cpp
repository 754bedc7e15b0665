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
                             const std::vector<std::string>& names, const stream& on,
                             const packer& by)
    : through_(through), on_(on), by_(by) {
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

namespace {

/// Boxes begin at whole lines of this many bytes, so that cells are aligned, whatever their types.
constexpr std::size_t alignment_of_box = 16;

std::size_t bytes_in_message(const held_cells& field, const grid_box& box) {
  const auto bytes = static_cast<std::size_t>(field.bytes(box));
  return (bytes + alignment_of_box - 1) / alignment_of_box * alignment_of_box;
}

const held_cells& field_of(const std::vector<held_cells>& fields, const halo_move& move) {
  return fields[static_cast<std::size_t>(move.field)];
}

}  // namespace

void halo_exchange::show(const std::vector<held_cells>& fields, const std::string& place,
                         const look& at) {
  send(fields);
  wait(place);
  for (const peer& one : from_) {
    const auto* next = static_cast<const std::byte*>(one.block->data());
    for (const halo_move& move : one.moves) {
      at(move, next);
      next += bytes_in_message(field_of(fields, move), move.target);
    }
  }
}

/// A GPU's are there, if the transport reaches them, else in pinned memory, which it reaches.
bool halo_exchange::is_staged() const {
  return on_.dev().is_cuda() && !through_.reaches_gpus();
}
device halo_exchange::place_of_messages() const {
  return is_staged() ? device::cpu_pinned() : on_.dev();
}

/// A message has as many bytes in every period. What lies between its boxes travels, too: zeros.
void halo_exchange::make_room(peer& one, const std::vector<held_cells>& fields) const {
  if (one.block) return;
  for (const halo_move& move : one.moves)
    one.bytes += bytes_in_message(field_of(fields, move), move.target);
  one.block = std::make_shared<memory_block>(on_, place_of_messages(), one.bytes, "a halo");
  zero_bytes(on_, one.block->data(), one.bytes);
}

message halo_exchange::message_of(const peer& one) const {
  return {one.rank, static_cast<std::byte*>(one.block->data()), one.bytes, &one.what,
          place_of_messages().is_cuda() ? &on_ : nullptr};
}

void halo_exchange::send(const std::vector<held_cells>& fields) {
  const int me = through_.rank();
  through_.reclaim();
  std::vector<packed_box> all;
  for (peer& one : to_) {
    make_room(one, fields);
    auto* next = static_cast<std::byte*>(one.block->data());
    for (const halo_move& move : one.moves) {
      all.push_back({field_of(fields, move), move.source(), next});
      next += bytes_in_message(field_of(fields, move), move.target);
    }
  }
  for (peer& one : from_) {
    if (one.rank == me) one.block = of_rank(to_, me).block;  // what it says it hears
    make_room(one, fields);
  }
  by_.pack(all);
  if (!is_staged()) post();
}

/// Staged messages are posted when they are waited for, after all that is enqueued beside them.
void halo_exchange::post() {
  if (is_staged()) on_.synchronize();
  std::vector<message> sends, receives;
  for (const peer& one : to_)
    if (one.rank != through_.rank()) sends.push_back(message_of(one));
  for (const peer& one : from_)
    if (one.rank != through_.rank()) receives.push_back(message_of(one));
  through_.post(sends, receives);
}

void halo_exchange::wait(const std::string& place) {
  if (is_staged()) post();
  through_.wait(place);
}

void halo_exchange::receive(const std::vector<held_cells>& fields, const std::string& place) {
  if (is_staged()) post();
  const std::vector<const std::byte*> in_place = through_.wait_in_place(place);
  auto of_others = in_place.begin();
  std::vector<packed_box> all;
  for (const peer& one : from_) {
    const auto* next = static_cast<const std::byte*>(one.block->data());
    if (one.rank != through_.rank() && of_others != in_place.end()) next = *of_others++;
    for (const halo_move& move : one.moves) {
      all.push_back(
          {field_of(fields, move), move.target, const_cast<std::byte*>(next)});  // it is read
      next += bytes_in_message(field_of(fields, move), move.target);
    }
  }
  by_.unpack(all);
  through_.give_back();
}

cell_range halo_exchange::untouched(int dim, cell_range cells) const {
  const auto leave_out = [&](const cell_range& touched) {
    const cell_range below{cells.begin, std::min(cells.end, touched.begin)},
        above{std::max(cells.begin, touched.end), cells.end};
    cells = below.count() > above.count() ? below : above;
  };
  for (const peer& one : to_)
    for (const halo_move& move : one.moves) leave_out(move.source().of[dim]);
  for (const peer& one : from_)
    for (const halo_move& move : one.moves) leave_out(move.target.of[dim]);
  return cells;
}

}  // namespace teff::runtime
