// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace teff::solve {

/// `text` between single quotes, for a shell.
std::string quoted(const std::string& text);
/// `text` within a specification of zsh's _arguments, where `:`, `[` and `]` have a meaning.
std::string zsh_text(const std::string& text);

/// The script with which a shell, bash, zsh or fish, completes the options of `program`, which has
/// no subcommands. @throws error (usage) for another shell
std::string completion_of(const CLI::App& app, const std::string& program,
                          const std::string& shell);

}  // namespace teff::solve
