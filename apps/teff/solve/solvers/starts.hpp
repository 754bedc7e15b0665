// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <teff/solve/spec.hpp>

namespace teff::app {

/// Each starts a solver of the table. @throws error (usage) on a type, extents or numbers that it
/// does not take
std::unique_ptr<solve::solver_run> start_diffusion1d(const solve::setup& setup);
std::unique_ptr<solve::solver_run> start_diffusion2d(const solve::setup& setup);
std::unique_ptr<solve::solver_run> start_diffusion3d(const solve::setup& setup);
std::unique_ptr<solve::solver_run> start_nonlinear_diffusion2d(const solve::setup& setup);
std::unique_ptr<solve::solver_run> start_pressure2d(const solve::setup& setup);
std::unique_ptr<solve::solver_run> start_poisson2d(const solve::setup& setup);
std::unique_ptr<solve::solver_run> start_poisson2d_cg(const solve::setup& setup);
std::unique_ptr<solve::solver_run> start_wave2d(const solve::setup& setup);
std::unique_ptr<solve::solver_run> start_wave3d(const solve::setup& setup);

}  // namespace teff::app
