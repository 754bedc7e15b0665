// A program outside Teff: A = B + 3 C on the default device, checked on the host.
#include <cstdio>
#include <vector>

#include <teff/teff.hpp>

int main() {
  const teff::device dev = teff::default_device();
  teff::array<double, 2> A(dev, {301, 203});
  const auto B = teff::full(dev, {301, 203}, 1.0);
  const auto C = teff::full(dev, {301, 203}, 2.0);
  A = B + 3.0 * C;
  for (const double value : to_host(A))
    if (value != 7.0) return std::printf("expected 7, got %g\n", value), 1;
  std::printf("%lld values are 7\n", static_cast<long long>(A.size()));
}
