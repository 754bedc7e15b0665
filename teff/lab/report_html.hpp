// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <teff/lab/case.hpp>
#include <teff/lab/result.hpp>

namespace teff::lab {

/// A PNG file for a report.
struct report_picture {
  std::string caption, png;
};

struct html_page {
  std::string text;
  /// Why charts are missing, or "": gnuplot draws them, and a machine may not have it.
  std::string without_charts;
};

/// The report as a page that is one file: it loads nothing and runs nothing (its content policy
/// forbids both), is read without scripts, light or dark, narrow or wide, and can be printed. Every
/// text of the report is escaped.
/// @param cases those that this program knows: what they are about, and the sentences of ladders
html_page to_html(const report& r, std::span<const bench_case> cases,
                  const std::vector<report_picture>& pictures = {});

/// The style sheet of such pages, and its hash as the content policy wants it; a test compares
/// them.
extern const char* const report_style;
extern const char* const report_style_hash;

}  // namespace teff::lab
