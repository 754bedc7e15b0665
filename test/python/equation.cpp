// SPDX-License-Identifier: MIT
// The equations of test_equation.py in C++, as a user writes them: reads x, b and c from a file of
// raw cells, solves, writes x back and prints the report. Arguments: tolerance, file, then the
// extents of b. METHOD, RANK and REAL are given when it is compiled.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/expr/functions.hpp>
#include <teff/solver/chebyshev.hpp>

using namespace teff;

namespace {

const double k = 0.7;

template <class Known>
auto formula(const auto& v, const Known& c) {
  if constexpr (RANK == 1) {
    using namespace fd1;
    return inn(c) * inn(v) - k * d2(v);
  } else if constexpr (RANK == 2) {
    using namespace fd2;
    const auto qx = -harm_xi(c) * d_xi(v), qy = -harm_yi(c) * d_yi(v);
    return 0.5 * inn(v) + (d_xa(qx) + d_ya(qy));
  } else {
    using namespace fd3;
    const auto u = around<1>(v);
    return (6 + inn(c)) * u() - (at<1, 0, 0>(u) + at<-1, 0, 0>(u)) - (d2_yi(v) + d2_zi(v)) -
           4 * u();
  }
}

}  // namespace

int main(int, char** argv) {
  const std::string path = argv[2];
  extents<RANK> of_b, of_x;
  for (int d = 0; d < RANK; ++d) {
    of_b[d] = std::atoll(argv[3 + d]);
    of_x[d] = of_b[d] + 2;
  }
  array<REAL, RANK> x(device::cpu(), of_x), b(device::cpu(), of_b), c(device::cpu(), of_x);
  std::ifstream in(path, std::ios::binary);
  for (auto* a : {&x, &b, &c}) in.read(reinterpret_cast<char*>(a->data()), bytes(*a));
  const auto A = [&](const auto& v) { return formula(v, c); };
  std::cout << METHOD(x, b, A, {.tolerance = std::atof(argv[1])}) << '\n';
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(x.data()), bytes(x));
  return out ? 0 : 1;
}
