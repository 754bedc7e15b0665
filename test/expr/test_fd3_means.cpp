// SPDX-License-Identifier: MIT
#include <teff/expr/fd3.hpp>

#include "fd_oracle.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd3;

TEST_CASE("fd3: means and harmonic means against ParallelStencil's definitions (generated)") {
  using T = f64;
  constexpr int N = 3;
  generator g("means of fd3");
  for (const device dev : test_devices()) {
    CHECK_FD(mean, "sss", av);
    CHECK_FD(mean, "saa", av_xa);
    CHECK_FD(mean, "asa", av_ya);
    CHECK_FD(mean, "aas", av_za);
    CHECK_FD(mean, "sii", av_xi);
    CHECK_FD(mean, "isi", av_yi);
    CHECK_FD(mean, "iis", av_zi);
    CHECK_FD(mean, "ssa", av_xya);
    CHECK_FD(mean, "sas", av_xza);
    CHECK_FD(mean, "ass", av_yza);
    CHECK_FD(mean, "ssi", av_xyi);
    CHECK_FD(mean, "sis", av_xzi);
    CHECK_FD(mean, "iss", av_yzi);
    CHECK_FD(harmonic, "sss", harm);
    CHECK_FD(harmonic, "saa", harm_xa);
    CHECK_FD(harmonic, "asa", harm_ya);
    CHECK_FD(harmonic, "aas", harm_za);
    CHECK_FD(harmonic, "sii", harm_xi);
    CHECK_FD(harmonic, "isi", harm_yi);
    CHECK_FD(harmonic, "iis", harm_zi);
    CHECK_FD(harmonic, "ssa", harm_xya);
    CHECK_FD(harmonic, "sas", harm_xza);
    CHECK_FD(harmonic, "ass", harm_yza);
    CHECK_FD(harmonic, "ssi", harm_xyi);
    CHECK_FD(harmonic, "sis", harm_xzi);
    CHECK_FD(harmonic, "iss", harm_yzi);
  }
}
