// expect: at<...>(u): the neighbour lies outside the radius R of around<R>.
#include <teff/teff.hpp>

auto misuse(const teff::array<double, 2>& T) {
  return teff::at<2, 0>(teff::around<1>(T));
}
