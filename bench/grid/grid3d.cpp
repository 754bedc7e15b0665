// SPDX-License-Identifier: MIT
#include <bench/grid/grid_case.hpp>
#include <bench/grid/heat_on_grid.hpp>
#include <bench/stencil/diffusion3d_problem.hpp>

namespace teff::bench {

/// Without the variants that diffusion3d has besides. (Not unnamed: g++ 12 takes two templates with
/// one name, each unnamed in its file, for the same where they are arguments.)
template <class T>
class heat_on_grid3d : public diffusion3d_problem<T> {
 public:
  using diffusion3d_problem<T>::diffusion3d_problem;
};

lab::bench_case grid3d_case() {
  return {.name = "grid3d",
          .about = "3-D heat diffusion on a grid that ranks share, with wider faces for its cells",
          .axes = "a shape of three extents, of the whole grid",
          .types = {"f64", "f32"},
          .least_rank = 3,
          .most_rank = 3,
          .cpu_shape = {384, 384, 384},
          .cuda_shape = {384, 384, 384},
          .arrays = 16,
          .best = "deep",
          .is_in_lab = false,
          .is_on_ranks = true,
          .variants = grid_variants(),
          .prepare = prepare_on_grid<heat_on_grid3d>};
}

}  // namespace teff::bench
