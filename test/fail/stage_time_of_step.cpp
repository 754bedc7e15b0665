// expect only: stage_time is known within euler, rk2, ssp_rk3 and rk4 only; in another time step the time is step_index * dt.
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T) {
  teff::iterate(teff::timestep([](auto t) { return update(t, t + teff::stage_time); }), 3, T);
}
