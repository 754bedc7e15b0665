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

/// What a page shows beside the report.
struct page_extras {
  std::vector<report_picture> pictures = {};
  const report* before = nullptr;  ///< an earlier run: what changed since is told
};

/// The report as a page that is one file: it loads nothing and runs nothing (its content policy
/// forbids both), is read without scripts, light or dark, narrow or wide, and can be printed. First
/// come the machine, what was found, and the share of the ceiling of every case. Every text of the
/// report is escaped.
/// @param cases those that this program knows: what they are about, their groups, and the sentences
///        of ladders
std::string to_html(const report& r, std::span<const bench_case> cases,
                    const page_extras& extras = {});

/// The style sheet of such pages, and its hash as the content policy wants it; a test compares
/// them.
extern const char* const report_style;
extern const char* const report_style_hash;

}  // namespace teff::lab
