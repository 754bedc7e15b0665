// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <teff/base/error.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/finding.hpp>
#include <teff/lab/merge.hpp>
#include <teff/lab/report_html.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/rounds.hpp>
#include <teff/lab/scale.hpp>

/// A results file of someone else, through all that reads one: it is refused with a message, or
/// read, shown and compared; what is written of it is read back as the same; and nothing that is
/// shown holds a byte that could steer a terminal.
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void require_shown(const std::string& text) {
  for (const char c : text)
    require(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
}

void require_shown(const teff::lab::table& t) {
  require_shown(t.text());
  require_shown(t.csv());
  require_shown(t.markdown());
}

/// A page holds no tag but its own, so no script.
void require_harmless(const std::string& page) {
  require_shown(page);
  require(page.find("<script") == std::string::npos);
}

/// All that a report shows of its results, its charts and what changed since itself.
void show(const teff::lab::report& r) {
  (void)finding(r);
  for (const teff::lab::case_finding& f : case_findings(r)) require(f.best != nullptr);
  require_harmless(to_html(r, {}, {.before = &r}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace teff::lab;
  report read;
  try {
    read = from_json({reinterpret_cast<const char*>(data), size});
  } catch (const teff::error&) {
    return 0;
  }
  const std::string written = to_json(read);
  require_shown(written);
  require(to_json(from_json(written)) == written);

  require_shown(table_of(read.results));
  require_shown(full_table_of(read.results));
  require_shown(scale_table(read.results));
  (void)scale_chart(read);
  show(read);
  show(merge({read, read}));
  const comparison_report with_itself = compare(read, read);
  require(!with_itself.has_regression());
  require_shown(table_of(with_itself));
  rounds twice;
  twice.add(read, read);
  require(!twice.judged().has_regression());
  require_shown(to_json(read.where, twice.judged()));
  return 0;
}
