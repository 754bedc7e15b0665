// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <teff/grid/halo_plan.hpp>
#include <teff/grid/pack.hpp>
#include <teff/grid/transport.hpp>

/// Fills halos: one message to each rank that keeps some of this one's cells, for all fields
/// together.
namespace teff::runtime {

class halo_exchange {
 public:
  /// @param parts of all ranks @param names of the fields, for messages
  halo_exchange(transport& through, const decomposition& whole,
                const std::vector<padded_part>& parts, const std::vector<exchanged_field>& fields,
                const std::vector<std::string>& names);
  halo_exchange(const halo_exchange&) = delete;
  halo_exchange& operator=(const halo_exchange&) = delete;

  /// The fields' cells that others own, to where this rank keeps them. @param place "period 17"
  void run(const std::vector<held_cells>& fields, const std::string& place);

  /// Shows them instead, box by box.
  using look = std::function<void(const halo_move&, const std::byte* cells)>;
  void show(const std::vector<held_cells>& fields, const std::string& place, const look& at);

 private:
  struct peer {
    int rank;
    std::vector<halo_move> moves;
    std::string what;
    std::vector<std::byte> buffer;
  };
  static peer& of_rank(std::vector<peer>& all, int rank);
  void bring(const std::vector<held_cells>& fields, const std::string& place);

  transport& through_;
  std::vector<peer> to_, from_;  // those of the rank itself included
};

}  // namespace teff::runtime
