// SPDX-License-Identifier: MIT
#pragma once

#include <apps/teff/cli/arguments.hpp>

/// What `--help` says. tools/check_help.py runs the examples.
namespace teff::app {

/// Of a command: what it does, and examples. Of `command::none`: of all of them.
const char* help_of(command c);

/// The last lines of `teff --help`.
extern const char* const exit_statuses;

}  // namespace teff::app
