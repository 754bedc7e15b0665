// expect only: instead of if, ?: and std::max write where(condition, a, b)
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T) {
  if (T > 0.0) T = 1.0;
}
