// expect: The operands of an expression must have the same number of dims.
#include <teff/teff.hpp>

struct product {
  double operator()(double a, double b) const { return a * b; }
};
auto misuse(const teff::array<double, 2>& A, const teff::array<double, 3>& B) {
  return teff::map(product{}, A, B);
}
