// expect: The expression's values can not be converted to the array's element type.
#include <teff/teff.hpp>

struct pair_of {
  struct two {
    double a, b;
  };
  two operator()(double a) const { return {a, a}; }
};
void misuse(teff::array<double, 1>& A) {
  A = teff::map(pair_of{}, A);
}
