// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <teff/base/error.hpp>
#include <teff/base/words.hpp>

#include <apps/teff/solve/solvers.hpp>
#include <apps/teff/solve/solvers/starts.hpp>

namespace teff::app {

using solve::setup;
using solve::solver_limits;
using solve::solver_number;

namespace {

const solver_number lx{"lx", 10, "length along x"};
const solver_number ly{"ly", 10, "length along y"};
const solver_number lz{"lz", 10, "length along z"};
const solver_number height{"height", 10, "of the Gaussian at the start"};

// No number has a unit: all are in units of whoever gives them.
const std::string temperature = "temperature T [unit of height]";
const std::string sound_pressure = "pressure P [unit of the start's peak]";

std::vector<solver_number> heat_numbers(int dims) {
  std::vector<solver_number> all{lx};
  if (dims > 1) all.push_back(ly);
  if (dims > 2) all.push_back(lz);
  all.insert(all.end(), {{"lam", 1, "thermal conductivity"}, {"c0", 2, "heat capacity"}, height});
  return all;
}

std::vector<solver_number> sound_numbers(int dims) {
  std::vector<solver_number> all{lx, ly};
  if (dims > 2) all.push_back(lz);
  all.insert(all.end(), {{"rho", 1, "density"}, {"K", 1, "bulk modulus"}});
  return all;
}

solver_limits up_to_height(const setup& s) {
  return {0, s.number("height")};
}
template <int ten_times>
solver_limits around_zero(const setup&) {
  return {-ten_times / 10.0, ten_times / 10.0};
}

std::vector<solve::spec> make_solvers() {
  return {
      {.name = "diffusion1d",
       .about = "heat diffusion on an interval; T at points, from a Gaussian",
       .quantity = temperature,
       .shape = {1023},
       .cuda_shape = {65535},
       .steps = 50000,
       .cuda_steps = 50000,
       .numbers = heat_numbers(1),
       .limits = up_to_height,
       .make = start_diffusion1d,
       .is_for_ranks = true},
      {.name = "diffusion2d",
       .about = "heat diffusion in a rectangle; T at points, from a Gaussian",
       .quantity = temperature,
       .shape = {511, 511},
       .cuda_shape = {2047, 2047},
       .steps = 5000,
       .cuda_steps = 100000,
       .numbers = heat_numbers(2),
       .limits = up_to_height,
       .make = start_diffusion2d,
       .is_for_ranks = true},
      {.name = "diffusion3d",
       .about = "heat diffusion in a box; T at points, from a Gaussian",
       .quantity = temperature,
       .shape = {95, 95, 95},
       .cuda_shape = {383, 383, 383},
       .steps = 1000,
       .cuda_steps = 10000,
       .numbers = heat_numbers(3),
       .limits = up_to_height,
       .make = start_diffusion3d,
       .is_for_ranks = true},
      {.name = "nonlinear_diffusion2d",
       .about = "diffusion whose conductivity is T^2: a front that spreads into the cold",
       .quantity = temperature,
       .shape = {255, 255},
       .cuda_shape = {2047, 2047},
       .steps = 5000,
       .cuda_steps = 100000,
       .numbers = {lx, ly, {"height", 1, height.about}},
       .limits = up_to_height,
       .make = start_nonlinear_diffusion2d},
      {.name = "pressure2d",
       .about = "fluid pressure that comes to rest in a closed box, by pseudo-transient iteration",
       .quantity = "pressure Pf [unit of the start's peak]",
       .places = "cells",
       .shape = {255, 255},
       .cuda_shape = {1023, 1023},
       .steps = 20000,
       .cuda_steps = 100000,
       .has_dt = false,
       .tolerance = 1e-8,
       .numbers = {{"lx", 20, lx.about},
                   {"ly", 20, ly.about},
                   {"k", 1, "permeability over viscosity"},
                   {"re", 2 * std::numbers::pi, "numerical Reynolds number"},
                   {"cfl", 1 / std::sqrt(2.1), "cells a wave crosses in a step"}},
       .limits =
           [](const setup&) {
             return solver_limits{0, 1};
           },
       .make = start_pressure2d,
       .is_for_ranks = true},
      {.name = "poisson2d",
       .about = "potential of two opposite charges in an earthed box, by multigrid",
       .quantity = "potential u [unit of charge]",
       .shape = {255, 255},
       .cuda_shape = {1023, 1023},
       .steps = 100,
       .cuda_steps = 100,
       .has_dt = false,
       .tolerance = 1e-10,
       .check_every = 1,
       .numbers = {{"lx", 1, lx.about}, {"ly", 1, ly.about}, {"charge", 1, "of the left one"}},
       // In free space u is charge / (4 pi) * (ln 100 + 0.577) at its centre.
       .limits =
           [](const setup& s) {
             const double most = 0.4 * s.number("charge");
             return solver_limits{-most, most};
           },
       .make = start_poisson2d},
      {.name = "poisson2d_cg",
       .about = "the same as poisson2d, by conjugate gradients",
       .quantity = "potential u [unit of charge]",
       .shape = {255, 255},
       .cuda_shape = {1023, 1023},
       .steps = 5000,
       .cuda_steps = 20000,
       .has_dt = false,
       .tolerance = 1e-10,
       .check_every = 1,
       .numbers = {{"lx", 1, lx.about}, {"ly", 1, ly.about}, {"charge", 1, "of the left one"}},
       .limits =
           [](const setup& s) {
             const double most = 0.4 * s.number("charge");
             return solver_limits{-most, most};
           },
       .make = start_poisson2d_cg},
      {.name = "wave2d",
       .about = "sound in a closed rectangle, from a Gaussian of pressure at rest",
       .quantity = sound_pressure,
       .places = "cells",
       .shape = {511, 511},
       .cuda_shape = {2047, 2047},
       .steps = 2000,
       .cuda_steps = 20000,
       .numbers = sound_numbers(2),
       .limits = around_zero<5>,
       .make = start_wave2d},
      {.name = "wave3d",
       .about = "sound in a closed box, from a Gaussian of pressure at rest",
       .quantity = sound_pressure,
       .places = "cells",
       .shape = {63, 63, 63},
       .cuda_shape = {255, 255, 255},
       .steps = 200,
       .cuda_steps = 2000,
       .numbers = sound_numbers(3),
       .limits = around_zero<2>,
       .make = start_wave3d},
  };
}

}  // namespace

const std::vector<solve::spec>& solvers() {
  static const std::vector<solve::spec> all = make_solvers();
  return all;
}

const solve::spec& find_solver(const std::string& name) {
  std::vector<std::string> names;
  for (const solve::spec& s : solvers()) {
    if (s.name == name) return s;
    names.push_back(s.name);
  }
  throw runtime::unknown_name("solver", name, names);
}

}  // namespace teff::app
