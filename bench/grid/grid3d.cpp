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
  lab::bench_case c = grid_case(
      "grid3d", "3-D heat diffusion on a grid that ranks share, with wider faces for its cells",
      {384, 384, 384}, 16);
  c.prepare = prepare_on_grid<heat_on_grid3d>;
  return c;
}

}  // namespace teff::bench
