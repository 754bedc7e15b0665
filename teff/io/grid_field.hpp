// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <teff/grid/grid_array.hpp>
#include <teff/grid/numbered_cells.hpp>
#include <teff/io/any_field.hpp>

/// Grid arrays for files, whatever their type, rank and cuts. A file holds the whole field, and
/// nothing of ranks.
namespace teff::io {

/// A grid array. It shares the cells.
class grid_field {
 public:
  template <element T, int N>
  grid_field(const grid_array<T, N>& a)  // NOLINT(google-explicit-constructor): arrays are passed
      : grid_(a.grid()), more_(a.more()), own_(a.own()), described_(a.described()) {}

  const runtime::grid_state& grid() const { return *grid_; }
  const ranks& on() const { return grid_->on; }
  const runtime::stagger& more() const { return more_; }
  const any_field& own() const { return own_; }  ///< this rank's cells
  runtime::grid_box own_box() const { return grid_->cells.own(on().rank(), more_); }
  const std::string& described() const { return described_; }
  std::string type() const { return own_.as_any().type; }
  index_t cell_bytes() const { return own_.as_any().cell_bytes; }
  std::vector<index_t> shape() const;  ///< of the whole
  std::size_t bytes() const;           ///< of the whole

 private:
  std::shared_ptr<const runtime::grid_state> grid_;
  runtime::stagger more_;
  any_field own_;
  std::string described_;
};

/// A field and its name in a file: {"T", T}.
struct named_grid_field {
  std::string name;
  grid_field cells;
};

/// The bytes of a field in a file, shared out to ranks: to each some neighbouring ones, as many as
/// to any other. Borders lie at multiples of `unit` behind the file's byte that is `lead` before
/// the first.
struct byte_shares {
  std::size_t unit = 4096;  ///< a page, so that no two ranks write the same
  std::size_t lead = 0;
  bool are_all_of_root = false;
};

/// take(first byte, bytes, how many) on every rank for its share, some at a time. Collective.
/// `take` does not throw: others wait for this rank.
using take_bytes = std::function<void(std::size_t, const std::byte*, std::size_t)>;
void give_shares(const grid_field& f, const byte_shares& how, const take_bytes& take);

/// The other way: `give` fills the bytes, x first or last. Collective. @param order of the file
using give_bytes = std::function<void(std::size_t, std::byte*, std::size_t)>;
void take_shares(const grid_field& f, const byte_shares& how, cells_order order,
                 const give_bytes& give);

/// A rank's share: (first byte, end).
runtime::number_range share_of(std::size_t bytes, const byte_shares& how, int rank, int ranks);

}  // namespace teff::io
