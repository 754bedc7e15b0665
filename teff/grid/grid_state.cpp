// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include <omp.h>

#include <teff/array/extents.hpp>
#include <teff/base/error.hpp>
#include <teff/grid/grid_memory.hpp>
#include <teff/grid/grid_state.hpp>
#include <teff/grid/transport/nccl_job.hpp>

namespace teff::runtime {

device device_of_rank(const ranks& on, device by_default) {
  if (on.dev()) return *on.dev();
  if (by_default.is_cpu() || on.count() == 1 || std::getenv("TEFF_DEVICE") != nullptr)
    return by_default;
  return device::cuda(on.through().rank_on_machine() % cuda_device_count());
}

device_info share_of_device(const grid_state& grid) {
  device_info mine = known_device(grid.dev);
  if (grid.dev.is_cpu()) mine.processors = omp_get_max_threads();
  return mine;
}

namespace {

int different_devices(const ranks& on, device dev) {
  if (dev.is_cpu()) return on.through().machines();
  const std::string& mine = known_device(dev).uuid;
  const auto all = on.through().all_gather("grid", mine.data(), mine.size());
  std::set<std::string> different;
  for (const auto& one : *all)
    different.emplace(reinterpret_cast<const char*>(one.data()), one.size());
  return static_cast<int>(different.size());
}

}  // namespace

std::shared_ptr<const grid_state> made_grid(int dims, const index_t (&n)[3], const ranks& by,
                                            const int (&cuts)[3], const grid_box* own,
                                            double timeout_s, device dev) {
  if (!(timeout_s > 0))
    throw error(failure::usage,
                "grid: timeout_s must be more than 0, got " + std::to_string(timeout_s));
  by.through().limit_waiting(timeout_s);
  std::string asked;
  for (int d = 0; d < dims; ++d) asked += (d > 0 ? "x" : "") + std::to_string(n[d]);
  asked += " cells, cuts ";
  for (int d = 0; d < dims; ++d) asked += (d > 0 ? "x" : "") + std::to_string(cuts[d]);
  if (own != nullptr) asked += ", own cells given";
  asked += dev.is_cuda() ? ", on GPUs" : ", on CPUs";  // whose sin and exp differ
  require_same(by, "grid", "the grid", asked);
  const ranks on = between_gpus(by, dev, timeout_s);
  if (own != nullptr)
    for (const int cut : cuts)
      if (cut != 0)
        throw error(failure::usage,
                    "grid: .own gives the ranks' cells, so .cuts can not; leave one of them out");
  const decomposition cells = own != nullptr ? decomposition(dims, n, gathered(on, "grid", *own))
                                             : decomposition(dims, n, on.count(), cuts);
  return std::make_shared<const grid_state>(
      grid_state{on, cells, dev, different_devices(on, dev), std::make_shared<grid_memory>()});
}

// ---- adopted

grid_box callers_halo::around(const grid_box& own, const decomposition& cells,
                              const stagger& more) const {
  grid_box box = own;
  for (int d = 0; d < cells.dims(); ++d) {
    box.of[d].begin = std::max<index_t>(own.of[d].begin - width, 0);
    box.of[d].end = std::min(own.of[d].end + width, cells.extent(more, d));
  }
  return box;
}

stagger more_of_blocks(const grid_state& grid, const block_to_adopt& mine) {
  const int dims = grid.cells.dims();
  require_same(grid.on, "adopt", "the block",
               mine.name + " of " + mine.type + " with a halo of " + std::to_string(mine.halo) +
                   (mine.has_exchange ? ", exchanged by the caller" : ""));
  if (mine.halo < 0)
    throw error(failure::usage,
                "adopt: a halo has 0 cells or more, got " + std::to_string(mine.halo));
  const std::vector<grid_box> own = gathered(grid.on, "adopt", mine.own);
  stagger more;
  for (int d = 0; d < dims; ++d) {
    index_t end = 0;
    for (const grid_box& box : own) end = std::max(end, box.of[d].end);
    more.of[d] = static_cast<int>(end - grid.cells.extent(d));
  }
  for (std::size_t rank = 0; rank < own.size(); ++rank) {
    const grid_box expected = grid.cells.own(static_cast<int>(rank), more);
    if (box_text(own[rank], 3) == box_text(expected, 3)) continue;
    throw error(failure::usage,
                "adopt: rank " + std::to_string(rank) + "'s own cells of " + mine.name + " are " +
                    box_text(own[rank], dims) + ", but the grid gives it " +
                    box_text(expected, dims) +
                    "; grid_options::own makes a grid as the caller has cut it, and of a staggered "
                    "field the last rank along a dim has the cells beyond");
  }
  const grid_box held = callers_halo{mine.halo, {}}.around(mine.own, grid.cells, more);
  const std::string has = extents_text(mine.extents, dims);
  index_t needed[3];
  for (int d = 0; d < dims; ++d) needed[d] = held.of[d].count();
  std::string why;
  if (const std::string needs = extents_text(needed, dims); has != needs)
    why = "adopt: " + mine.name + " has " + has + " cells, but own cells " +
          box_text(mine.own, dims) + " with a halo of " + std::to_string(mine.halo) +
          ", as far as the grid goes, are " + needs;
  throw_of_any(grid.on, "adopt", why, failure::usage);
  return more;
}

namespace {

constexpr int root = 0;

held_cells numbered_from_0(const region& whole) {
  return {whole, {0, 0, 0}};
}

}  // namespace

void gather_cells(const grid_state& grid, const stagger& more, const held_cells& own,
                  const region& whole, const std::string& label) {
  transport& through = grid.on.through();
  const int me = grid.on.rank();
  const grid_box mine = grid.cells.own(me, more);
  const std::string what = "the part of '" + label + "' to gather";
  std::vector<std::byte> buffer(static_cast<std::size_t>(own.bytes(mine)));
  pack(own, mine, buffer.data());
  if (me != root) {
    through.post({{root, buffer.data(), buffer.size(), &what}}, {});
    through.wait("gather");
    return;
  }
  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(grid.on.count()));
  std::vector<message> receives;
  for (int rank = 1; rank < grid.on.count(); ++rank) {
    auto& part = parts[static_cast<std::size_t>(rank)];
    part.resize(static_cast<std::size_t>(own.bytes(grid.cells.own(rank, more))));
    receives.push_back({rank, part.data(), part.size(), &what});
  }
  through.post({}, receives);
  through.wait("gather");
  parts[root] = std::move(buffer);
  for (int rank = 0; rank < grid.on.count(); ++rank)
    unpack(numbered_from_0(whole), grid.cells.own(rank, more),
           parts[static_cast<std::size_t>(rank)].data());
}

void scatter_cells(const grid_state& grid, const stagger& more, const region& whole,
                   const held_cells& own, const std::string& label) {
  transport& through = grid.on.through();
  const int me = grid.on.rank();
  const grid_box mine = grid.cells.own(me, more);
  const std::string what = "the part of '" + label + "' to scatter";
  std::vector<std::byte> buffer(static_cast<std::size_t>(own.bytes(mine)));
  if (me != root) {
    through.post({}, {{root, buffer.data(), buffer.size(), &what}});
    through.wait("scatter");
    unpack(own, mine, buffer.data());
    return;
  }
  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(grid.on.count()));
  std::vector<message> sends;
  for (int rank = 0; rank < grid.on.count(); ++rank) {
    const grid_box box = grid.cells.own(rank, more);
    auto& part = parts[static_cast<std::size_t>(rank)];
    part.resize(static_cast<std::size_t>(own.bytes(box)));
    pack(numbered_from_0(whole), box, part.data());
    if (rank != root) sends.push_back({rank, part.data(), part.size(), &what});
  }
  through.post(sends, {});
  through.wait("scatter");
  unpack(own, mine, parts[root].data());
}

void throw_other_grid(const std::string& one, const std::string& other) {
  throw error(failure::usage, one + " and " + other +
                                  " are arrays of different grids; a statement or a run takes "
                                  "those of one grid");
}

}  // namespace teff::runtime
