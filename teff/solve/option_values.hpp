// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace teff::solve {

/// Lets every option take only what the name of its value promises: N a whole number, X a number.
void check_numbers(CLI::App& app);

/// A word that no option took. @param command what asks for help: "teff solve"
/// @throws error (usage) with the nearest option
[[noreturn]] void refuse_word(const CLI::App& app, const std::string& word,
                              const std::string& command);

}  // namespace teff::solve
