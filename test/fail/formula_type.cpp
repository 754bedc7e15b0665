// expect: A time step's values can not be converted to the element type of its field.
#include <teff/teff.hpp>

struct wrapped {
  struct value {
    double v;
  };
  value operator()(double a) const { return {a}; }
};
void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::timestep([](auto t) { return update(t, teff::map(wrapped{}, t)); }), 3, T);
}
