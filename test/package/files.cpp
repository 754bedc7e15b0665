// A program outside Teff: what it writes it reads again, and a picture.
#include <cstdio>

#include <teff/io.hpp>
#include <teff/teff.hpp>

using namespace teff;

int main() {
  const device dev = default_device();
  const double dx = 0.5, dy = 0.25;
  array<double, 2> T(dev, {30, 20}, "T"), U(dev, {30, 20}, "U");
  const auto Ci = full(dev, {30, 20}, 0.5F);
  T = ix + 100 * iy;

  io::write_npy("T.npy", flip(T, 0));
  const auto read = io::read_npy<double, 2>(dev, "T.npy");
  io::write_vti("T.vti", {{"T", T}, {"Ci", Ci}}, {.spacings = {dx, dy}});
  io::write_heat_map("T.png", T, {.map = "davos", .limits = {0, 10}});
  io::write_checkpoint("T.ckpt", 42, {{"T", T}, {"Ci", Ci}});
  const index_t step = io::read_checkpoint("T.ckpt", {{"Ci", Ci}, {"T", U}});

  if (any(read != flip(T, 0)) || any(U != T) || step != 42)
    return std::printf("the files hold other values\n"), 1;
  std::printf("%lld values were written and read\n", static_cast<long long>(T.size()));
}
