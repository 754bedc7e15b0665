// expect: Teff finds values that are not finite: compile without -ffinite-math-only
// with: -ffinite-math-only
// with: -ffinite-math-only -fno-math-errno
#include <teff/base/config.hpp>
