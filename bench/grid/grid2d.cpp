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
  lab::bench_case c = grid_case(
      "grid2d", "2-D heat diffusion on a grid that ranks share: how seldom halos are exchanged",
      {8192, 8192}, 16);
  c.prepare = prepare_on_grid<heat_on_grid2d>;
  return c;
}

}  // namespace teff::bench
