// expect: An element of shared memory was kept by auto: write tile[i] = value.
#include <teff/teff.hpp>

void misuse(teff::block& blk) {
  auto tile = blk.shared<double>(32);
  auto element = tile[3];
  element = 1.0;
}
