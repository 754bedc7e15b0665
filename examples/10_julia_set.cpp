// SPDX-License-Identifier: MIT
// The Julia set of c = -0.79 + 0.15i: how many steps z = z*z + c takes to leave the circle of
// radius
// 2. The contrast to all other examples: a cell is one byte and hundreds of operations, so here
// arithmetic is the limit, not memory. Argument: pixels along each side.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <teff/teff.hpp>

using namespace teff;

constexpr int most_steps = 255;

// Steps that the point at pixel (i, j) takes, at most 255. A function object that a statement maps
// over indices
struct steps_to_leave {
  float pixel, middle;
  TEFF_FN u8 operator()(index_t i, index_t j) const {
    float x = (static_cast<float>(i) - middle) * pixel,
          y = (static_cast<float>(j) - middle) * pixel;
    int n = 0;
    for (; n < most_steps && x * x + y * y <= 4; ++n) {
      const float next = x * x - y * y - 0.79F;
      y = 2 * x * y + 0.15F;
      x = next;
    }
    return static_cast<u8>(n);
  }
};

int main(int argc, char** argv) {
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 8192 : 1000;
  const index_t n = argc > 1 ? std::atoll(argv[1]) : usual;

  // Arrays: one byte a pixel
  array<u8, 2> image(dev, {n, n}, "image");
  const steps_to_leave pixel{4.0F / static_cast<float>(n - 1), static_cast<float>(n - 1) / 2};

  // The picture, as one statement; timed without the first run
  timer watch{dev};
  double best_s = 1e300;
  for (int i = 0; i < 4; ++i) {
    watch.start();
    image = map(pixel, ix, iy);
    watch.stop();
    if (i > 0) best_s = std::min(best_s, watch.elapsed_s());
  }

  // Report: steps per second say more here than bytes do. Threads of a warp take as many steps as
  // the slowest of them
  const std::vector<u8> steps = to_host(image);
  double all_steps = 0;
  for (const u8 s : steps) all_steps += s;
  const double pixels = static_cast<double>(n) * static_cast<double>(n);
  std::printf("%ld x %ld pixels on %s: %.2f ms, %.1f steps a pixel\n", n, n, dev.name().c_str(),
              best_s * 1e3, all_steps / pixels);
  std::printf("%.1f GFLOP/s of arithmetic, %.2f GB/s of memory\n", 7e-9 * all_steps / best_s,
              gb_per_s(static_cast<double>(bytes(image)), best_s));

  // The same picture in letters
  for (index_t row = 0; row < 24; ++row) {
    for (index_t column = 0; column < 72; ++column) {
      const index_t at = (23 - row) * (n - 1) / 23 * n + column * (n - 1) / 71;
      std::putchar(" .:-=+*#%@"[steps[static_cast<std::size_t>(at)] * 9 / most_steps]);
    }
    std::putchar('\n');
  }

  // Check: z and -z have the same square, so the picture is symmetric about its centre, in every
  // bit
  const bool is_symmetric = std::equal(steps.begin(), steps.end(), steps.rbegin());
  return is_symmetric && steps[0] == 0 && std::ranges::max(steps) > 100 ? 0 : 1;
}
