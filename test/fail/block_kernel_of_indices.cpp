// expect: A block kernel is called as f(blk) const: void operator()(block& blk) const.
#include <teff/teff.hpp>

struct misuse {
  void operator()(teff::index_t) const {}
};
void launch_it(misuse f) {
  teff::launch_blocks(teff::device::cpu(), {.threads = {32}}, f);
}
