// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <apps/teff/cli/option_tree.hpp>

/// Documents written from the option tree.
namespace teff::app {

/// The two tables of docs/cli.md: commands, and options with the commands that take them.
std::string markdown_tables(std::span<const command_entry> commands);

/// teff.1, in troff's man macros. @p version such as "0.1.0"; @p overview and @p exit_statuses as
/// `teff --help` says them.
std::string man_page(std::span<const command_entry> commands, const std::string& version,
                     const std::string& overview, const std::string& exit_statuses);

}  // namespace teff::app
