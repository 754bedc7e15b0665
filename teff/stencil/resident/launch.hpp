// SPDX-License-Identifier: MIT
#pragma once

#include <teff/stencil/resident/blocks.hpp>
#include <teff/stencil/resident/messages.hpp>

/// One launch of resident/blocks.hpp.
namespace teff::inline TEFF_MODE::detail {

/// `steps` of a small grid, in place.
/// @param from the fields @param to the same @param edges of the stages: no formulas, not periodic
template <class Step, int Threads, class Formulas, class Edges, class Messages, class... T>
void launch_resident(const stream& on, const Formulas& formulas, const Edges& edges,
                     const tuple<device_leaf<T>...>& from, const tuple<device_target<T>...>& to,
                     Messages& messages, const shape3 (&extents)[sizeof...(T)],
                     const resident_cut& cut, int steps) {
  resident_kernel<Step, Threads, Formulas, T...> resident{{from,
                                                           to,
                                                           {messages.of(0), messages.of(1)},
                                                           formulas,
                                                           edges_of_pass<Step, 0>(edges, 1),
                                                           {},
                                                           cut,
                                                           steps,
                                                           messages.rounds()}};
  for (std::size_t f = 0; f < sizeof...(T); ++f)
    for (int d = 0; d < 2; ++d) resident.work.n[f][d] = static_cast<int>(extents[f].n[d]);
  launch_blocks(on,
                {.blocks = {index_t{cut.blocks[0]} * cut.blocks[1]},
                 .threads = {Threads},
                 .shared_bytes = index_t{cut.cells()} * resident_cell_bytes<Step, T...>(),
                 .all_resident = true},
                resident);
  messages.add_rounds(steps, cut);
}

}  // namespace teff::inline TEFF_MODE::detail
