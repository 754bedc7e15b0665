// SPDX-License-Identifier: MIT
#include <bench/grid/grid_case.hpp>
#include <bench/grid/heat_on_grid.hpp>
#include <bench/stencil/diffusion2d_problem.hpp>

namespace teff::bench {

/// Without the variants that diffusion2d has besides. (Not unnamed: g++ 12 takes two templates with
/// one name, each unnamed in its file, for the same where they are arguments.)
template <class T>
class heat_on_grid2d : public diffusion2d_problem<T> {
 public:
  using diffusion2d_problem<T>::diffusion2d_problem;
};

lab::bench_case grid2d_case() {
  return {.name = "grid2d",
          .about = "2-D heat diffusion on a grid that ranks share: how seldom halos are exchanged",
          .axes = "a shape of two extents, of the whole grid",
          .types = {"f64", "f32"},
          .least_rank = 2,
          .most_rank = 2,
          .cpu_shape = {8192, 8192},
          .cuda_shape = {8192, 8192},
          .arrays = 16,
          .best = "deep",
          .is_in_lab = false,
          .is_on_ranks = true,
          .variants = grid_variants(),
          .prepare = prepare_on_grid<heat_on_grid2d>};
}

}  // namespace teff::bench
