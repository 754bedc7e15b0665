// expect only: A time step's lambda is not mutable: it is called once, for all steps.
#include <teff/teff.hpp>
using namespace teff::fd2;
void advance(const teff::array<double, 2>& T) {
  int calls = 0;
  teff::iterate(teff::timestep([calls](auto T) mutable {
                  ++calls;
                  return update(inn(T), 0.5 * inn(T));
                }),
                1, T);
}
