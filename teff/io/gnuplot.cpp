// SPDX-License-Identifier: MIT
#include <cctype>
#include <cstdio>
#include <cstring>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/io/child_process.hpp>
#include <teff/io/gnuplot.hpp>

namespace teff::io {

std::string drawn_by_gnuplot(const std::string& script, const std::string& folder) {
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  try {
    child_result gnuplot =
        run_program({"gnuplot", "-d"}, "set encoding utf8\n" + script, most_bytes, {}, folder);
    if (gnuplot.exit_status == 0 && !gnuplot.output.empty()) return std::move(gnuplot.output);
    throw error("gnuplot could not draw the chart: " + gnuplot.complaints);
  } catch (const not_started& problem) {
    throw not_started(std::string("charts are drawn by gnuplot: ") + problem.what() +
                      "; install it (Debian: gnuplot-nox), or ask for no chart");
  }
}

std::string gnuplot_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) continue;
    if (std::isalnum(byte) != 0 || byte >= 0x80 || std::strchr(" .,:;/()[]+-_=", c) != nullptr) {
      out += c;
      continue;
    }
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", byte);
    out += octal;
  }
  return out + "\"";
}

}  // namespace teff::io
