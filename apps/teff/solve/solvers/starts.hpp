// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <apps/teff/solve/solvers.hpp>

namespace teff::app {

/// Each starts a solver of the table. @throws error (usage) on a type, extents or numbers that it
/// does not take
std::unique_ptr<solver_run> start_diffusion1d(const solver_setup& setup);
std::unique_ptr<solver_run> start_diffusion2d(const solver_setup& setup);
std::unique_ptr<solver_run> start_diffusion3d(const solver_setup& setup);
std::unique_ptr<solver_run> start_nonlinear_diffusion2d(const solver_setup& setup);
std::unique_ptr<solver_run> start_pressure2d(const solver_setup& setup);
std::unique_ptr<solver_run> start_poisson2d(const solver_setup& setup);
std::unique_ptr<solver_run> start_wave2d(const solver_setup& setup);
std::unique_ptr<solver_run> start_wave3d(const solver_setup& setup);

}  // namespace teff::app
