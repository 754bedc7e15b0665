// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

/// What a command prints. Results go to stdout, all else to stderr.
namespace teff::solve {

/// Runs a whole command, and says what goes wrong: the exit status. Ctrl-C, SIGTERM and SIGHUP are
/// waited for (interrupt.hpp).
int exit_status_of(const std::function<int()>& command);

/// Makes a stream that was closed from the start one that can not be used: else the next file that
/// is opened would take its place, and what is printed would go into that. Comes first of all.
void keep_streams_apart();

/// The program's name, with which complaints begin; "teff" where nobody says it.
void speak_as(const std::string& program);

/// Writes to stdout: all that goes there does so here. What could not be written is said by
/// finish_output().
void to_stdout(std::string_view text);

/// What was written so far is to be seen now.
void flush_output();

/// Comes last. @throws error with the reason if not all went to stdout
void finish_output();

/// Prints the program's name and a line on stderr; should it hold line breaks, what comes after
/// them is indented. Names in it may come from a file: what could steer a terminal is shown.
void complain(const std::string& line);

/// Prints lines for humans: to stdout, or to stderr if stdout is for another program. A text of a
/// file must have gone through visible(), or it could forge one.
void remark(const std::string& line, bool is_stdout_taken);

/// COLUMNS if it is set, else those of the terminal; 0 where stdout is none: any width.
std::size_t stdout_columns();

}  // namespace teff::solve
