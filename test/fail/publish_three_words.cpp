// expect: Published values have 4, 8 or 16 bytes, aligned to their size.
#include <teff/teff.hpp>

struct three {
  int a, b, c;
};
void misuse(teff::block& blk, three& where) {
  blk.publish(where, three{1, 2, 3});
}
