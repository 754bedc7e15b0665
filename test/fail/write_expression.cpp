// expect first: an expression has none yet: assign it to an array and pass that
// SPDX-License-Identifier: MIT
#include <teff/io.hpp>
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& A) {
  teff::io::write_npy("a.npy", 2.0 * A);
}
