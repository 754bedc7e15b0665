// expect: around<R>(e): e must have extents of its own (an array or a field in it).
#include <teff/teff.hpp>

auto misuse() {
  return teff::around<1>(teff::ix + 1)();
}
