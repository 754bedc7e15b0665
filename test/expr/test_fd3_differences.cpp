// SPDX-License-Identifier: MIT
#include <teff/expr/fd3.hpp>

#include "fd_oracle.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd3;

TEST_CASE(
    "fd3: differences, inner parts, extremes against ParallelStencil's definitions (generated)") {
  using T = f64;
  constexpr int N = 3;
  generator g("differences of fd3");
  for (const device dev : test_devices()) {
    CHECK_FD(difference, "saa", d_xa);
    CHECK_FD(difference, "asa", d_ya);
    CHECK_FD(difference, "aas", d_za);
    CHECK_FD(difference, "sii", d_xi);
    CHECK_FD(difference, "isi", d_yi);
    CHECK_FD(difference, "iis", d_zi);
    CHECK_FD(second_difference, "mii", d2_xi);
    CHECK_FD(second_difference, "imi", d2_yi);
    CHECK_FD(second_difference, "iim", d2_zi);
    CHECK_FD(inner, "iii", inn);
    CHECK_FD(inner, "iaa", inn_x);
    CHECK_FD(inner, "aia", inn_y);
    CHECK_FD(inner, "aai", inn_z);
    CHECK_FD(inner, "iia", inn_xy);
    CHECK_FD(inner, "iai", inn_xz);
    CHECK_FD(inner, "aii", inn_yz);
    CHECK_FD(largest, "mmm", maxloc);
    CHECK_FD(smallest, "mmm", minloc);
  }
}
