// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace teff::solve {

/// The script with which a shell, bash, zsh or fish, completes the options of `program`, which has
/// no subcommands. @throws error (usage) for another shell
std::string completion_of(const CLI::App& app, const std::string& program,
                          const std::string& shell);

}  // namespace teff::solve
