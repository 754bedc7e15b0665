// expect only: A right-hand side's lambda is not mutable, and takes as many fields as iterate() is given arrays, each as a parameter `auto T`.
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T) {
  teff::iterate(teff::euler([](auto t, auto c) { return rate(t, c - t); }, 0.1), 3, T);
}
