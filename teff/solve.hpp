// SPDX-License-Identifier: MIT
#pragma once

/// A solver of one's own as a command, for programs that link teff::solve. docs/own_command.md
/// shows it.

#include <teff/solve/solve_main.hpp>
#include <teff/solve/solver.hpp>
