// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/error.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_table.hpp>

#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>

namespace teff::app {

namespace {

std::string counts(const lab::comparison_report& found) {
  std::string text;
  for (const lab::verdict v :
       {lab::verdict::same, lab::verdict::faster, lab::verdict::slower, lab::verdict::unclear}) {
    int count = 0;
    for (const lab::comparison& c : found.common) count += c.found.what == v ? 1 : 0;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name_of(v);
  }
  return text;
}

}  // namespace

int run_compare(const arguments& all) {
  const lab::report a = lab::read_report(all.a), b = lab::read_report(all.b);
  lab::compare_options options;
  options.threshold = all.threshold;
  const lab::comparison_report found = compare(a, b, options);
  tell_unmatched(found);
  if (found.common.empty())
    throw error("nothing to compare: '" + all.a + "' and '" + all.b +
                "' have no result of the same case, variant, device, type and shape");
  print(table_of(found), all.output);
  remark("B against A: " + counts(found), all.output);
  if (std::ranges::all_of(found.common, [](const lab::comparison& c) {
        return c.found.what == lab::verdict::unclear;
      }))
    remark("nothing can be concluded from these files; teff ab measures in turns", all.output);
  return found.has_regression() ? static_cast<int>(failure::regression) : 0;
}

}  // namespace teff::app
