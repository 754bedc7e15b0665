// expect only: An update loads more than 20000 elements a cell
#include <teff/teff.hpp>

void misuse(teff::array<float, 3>& T) {
  teff::iterate(teff::timestep([](auto t) {
                  using namespace teff::fd3;
                  const auto mean = [](auto a) { return av(av(a)); };  // of 64 cells
                  return update(around<3>(t)(), mean(mean(mean(t))));
                }),
                3, T);
}
