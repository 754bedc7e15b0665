// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/solve/spec.hpp>

/// The solvers that `teff solve` runs.
namespace teff::app {

/// All of them, in the order of their pages in docs/.
const std::vector<solve::spec>& solvers();

/// @throws error (usage) that names the nearest, or lists all
const solve::spec& find_solver(const std::string& name);

}  // namespace teff::app
