// compiles
#include <teff/teff.hpp>
