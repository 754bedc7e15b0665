// expect: A block kernel holds only what is trivially copyable: views, not arrays.
#include <teff/teff.hpp>

void misuse(const teff::array<double, 1>& A) {
  teff::launch_blocks(A.dev(), {.threads = {32}}, [=](teff::block& blk) { (void)A, (void)blk; });
}
