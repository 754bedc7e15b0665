// expect: An element of shared memory was kept by auto: name its type, T v = tile[i].
#include <teff/teff.hpp>

struct misuse {
  teff::view<double, 1> out;
  void operator()(teff::block& blk) const {
    auto tile = blk.shared<double>(32);
    auto value = tile[blk.thread()];
    blk.sync();
    out(0) = value;
  }
};
void launch_it(misuse f) {
  teff::launch_blocks(teff::device::cpu(), {.threads = {32}}, f);
}
