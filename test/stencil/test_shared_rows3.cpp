// SPDX-License-Identifier: MIT
#include <teff/expr/fd3.hpp>

#include "shared_rows.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Time steps in 3-D.
namespace solid {
using namespace fd3;

auto step(auto conditions) {
  return timestep([=](auto u, auto k) {
    auto c = costly(u, k) + 1e-3 * iz + 1e-3 * iy;
    auto D = costly(av_xa(av_ya(av_za(c))), av_xa(av_ya(av_za(u))));
    auto qx = av_ya(av_za(D)) * d_xi(u);
    auto qy = av_xa(av_za(D)) * d_yi(u);
    return update(inn(u), inn(u) + 1e-2 * (d_xa(qx) + d_ya(qy) + d2_zi(c)), conditions);
  });
}
}  // namespace solid

}  // namespace

TEST_CASE("steps in 3-D whose cells share values have the same bits at every depth") {
  for (const index_t nx : {index_t{4}, index_t{35}}) {
    const extents n{nx, index_t{19}, index_t{23}};
    check_steps<double, 3>(solid::step(boundary{}), n);
    check_steps<double, 3>(solid::step(boundary{.x = periodic, .y = periodic, .z = periodic}), n);
  }
}
