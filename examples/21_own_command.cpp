// SPDX-License-Identifier: MIT
// Gray-Scott as a command of its own, with all that `teff solve` has: U + 2 V -> 3 V on a periodic
// plane, in which spots of V grow and divide.
#include <teff/solve.hpp>
#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

template <class R>
solve::solver make(const solve::setup& s) {
  // Physics: how fast they diffuse; what is fed of U; what is taken out of V
  const R Du = s.number("Du"), Dv = s.number("Dv"), F = s.number("F"), k = s.number("k");

  // Numerics: unit spacing; a border cell at each side repeats the opposite one
  const index_t nx = s.shape[0], ny = s.shape[1];
  const R dt = s.dt_or(1);

  // Arrays: U everywhere, and a square of V
  array<R, 2> V(s.dev, {nx, ny}, "V"), U(s.dev, {nx, ny}, "U");
  const auto seed = abs(ix - nx / 2) < nx / 10 && abs(iy - ny / 2) < ny / 10;
  U = where(seed, 0.5, 1.0) + 0.01 * random<R>(s.dev, {nx, ny}, 1);
  V = where(seed, 0.25, 0.0) + 0.01 * random<R>(s.dev, {nx, ny}, 2);

  // The step: both see the values from before it
  const boundary round{.x = periodic, .y = periodic};
  const auto step = timestep([=](auto V, auto U) {
    auto r = inn(U) * sq(inn(V));
    return together(
        update(inn(V), inn(V) + dt * (Dv * (d2_xi(V) + d2_yi(V)) + r - (F + k) * inn(V)), round),
        update(inn(U), inn(U) + dt * (Du * (d2_xi(U) + d2_yi(U)) - r + F * (1 - inn(U))), round));
  });
  return solve::solver(step, dt, V, U);
}

int main(int argc, char** argv) {
  return solve::solve_main(
      argc, argv,
      {.name = "gray_scott",
       .about = "Two chemicals that diffuse and react, U + 2 V -> 3 V, on a periodic plane.",
       .quantity = "concentration of V",
       .shape = {258, 258},
       .cuda_shape = {4098, 4098},
       .steps = 500,
       .numbers = {{"Du", 0.16, "how fast U diffuses"},
                   {"Dv", 0.08, "how fast V diffuses"},
                   {"F", 0.035, "what is fed of U", {{0, 0.1}}},
                   {"k", 0.065, "what is taken out of V", {{0, 0.1}}}},
       .limits =
           [](const solve::setup&) {
             return solve::solver_limits{0, 0.4};
           },
       .make =
           [](const solve::setup& s) {
             return s.type == "f32" ? make<float>(s) : make<double>(s);
           }});
}
