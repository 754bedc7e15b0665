// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <teff/base/memory.hpp>
#include <teff/grid/halo_plan.hpp>
#include <teff/grid/pack.hpp>
#include <teff/grid/transport/transport.hpp>

/// Fills halos: one message to each rank that keeps some of this one's cells, for all fields
/// together.
namespace teff::runtime {

class halo_exchange {
 public:
  /// @param parts of all ranks @param names of the fields, for messages @param on the stream of the
  /// fields @param by copies boxes in its order
  halo_exchange(transport& through, const decomposition& whole,
                const std::vector<padded_part>& parts, const std::vector<exchanged_field>& fields,
                const std::vector<std::string>& names, const stream& on, const packer& by);
  halo_exchange(const halo_exchange&) = delete;
  halo_exchange& operator=(const halo_exchange&) = delete;

  /// The fields' cells that others own, to where this rank keeps them. @param place "period 17"
  void run(const std::vector<held_cells>& fields, const std::string& place) {
    send(fields);
    receive(fields, place);
  }
  /// What others keep of this rank's cells begins to travel; then what they have sent is waited
  /// for, and put where it is kept, perhaps in other arrays than those that were sent from.
  void send(const std::vector<held_cells>& fields);
  void receive(const std::vector<held_cells>& fields, const std::string& place);
  /// Of a range of cells along a dim, the longest run that is neither sent nor received.
  cell_range untouched(int dim, cell_range cells) const;

  /// Shows them instead, box by box, where the fields are on the host.
  using look = std::function<void(const halo_move&, const std::byte* cells)>;
  void show(const std::vector<held_cells>& fields, const std::string& place, const look& at);

 private:
  struct peer {
    int rank;
    std::vector<halo_move> moves;
    std::string what;
    std::shared_ptr<memory_block> block;  // the message's
    std::size_t bytes = 0;
  };
  static peer& of_rank(std::vector<peer>& all, int rank);
  device place_of_messages() const;
  void make_room(peer& one, const std::vector<held_cells>& fields) const;
  bool is_staged() const;
  message message_of(const peer& one) const;
  void post();
  void wait(const std::string& place);

  transport& through_;
  stream on_;
  const packer& by_;
  std::vector<peer> to_, from_;  // those of the rank itself included
};

}  // namespace teff::runtime
