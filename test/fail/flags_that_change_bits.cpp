// expect: Teff promises the same bits on every schedule and device: compile without -f
// with: -ffast-math
// with: -Ofast
// with: -funsafe-math-optimizations
// with: -fassociative-math -fno-signed-zeros -fno-trapping-math
// with: -freciprocal-math
// with: -fno-signed-zeros
// with: -fsingle-precision-constant

// Where a macro tells (of g++): else a unit is found as the program starts, see test/flags.
#include <teff/base/config.hpp>
