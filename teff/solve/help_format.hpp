// SPDX-License-Identifier: MIT
#pragma once

namespace CLI {
class App;
}

namespace teff::solve {

/// How `--help` is laid out: lines of at most 80 columns, usage and values as in the manual page.
void lay_out_help(CLI::App& app);

}  // namespace teff::solve
