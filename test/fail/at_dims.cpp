// expect: at<...>(u): the expression has fewer dims than the offset.
#include <teff/teff.hpp>

auto misuse(const teff::array<double, 1>& T) {
  return teff::at<0, 1>(teff::around<1>(T));
}
