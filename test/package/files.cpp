// A program outside Teff: what it writes it reads again.
#include <cstdio>

#include <teff/io.hpp>
#include <teff/teff.hpp>

using namespace teff;

int main() {
  const device dev = default_device();
  array<double, 2> T(dev, {30, 20}, "T");
  T = ix + 100 * iy;
  io::write_npy("T.npy", flip(T, 0));
  const auto found = io::read_npy<double, 2>(dev, "T.npy");
  if (any(found != flip(T, 0))) return std::printf("T.npy holds other values\n"), 1;
  std::printf("%lld values were written and read\n", static_cast<long long>(T.size()));
}
