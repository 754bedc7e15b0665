// SPDX-License-Identifier: MIT
#pragma once

#include <string>

/// gnuplot, which draws charts and figures; it must be installed (Debian: gnuplot-nox).
namespace teff::io {

/// What gnuplot writes for a script in UTF-8, which may end with binary data. No shell is involved,
/// and no settings of the user's, nor a locale. @param folder where names in the script begin
/// @throws not_started if gnuplot is not there; error if it fails
std::string drawn_by_gnuplot(const std::string& script, const std::string& folder = "");

/// A text as gnuplot reads it, in quotes. What could mean something to it is written in octal: in
/// double quotes it would run what stands between backticks, and in single ones a quote can not
/// come first. Control characters are left out.
std::string gnuplot_text(const std::string& text);

}  // namespace teff::io
