// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <teff/base/bytes.hpp>
#include <teff/lab/advice.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/finding.hpp>
#include <teff/lab/html.hpp>
#include <teff/lab/report_case.hpp>
#include <teff/lab/report_change.hpp>
#include <teff/lab/report_charts.hpp>
#include <teff/lab/report_html.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_overview.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// A table of two or three columns, which are as narrow as the page.
std::string small_table(const table& t, const std::string& label) {
  return "<div class=\"small\" role=\"region\" aria-label=\"" + html_text(label) + "\">\n" +
         t.html() + "</div>\n";
}

std::string part(const std::string& anchor, const std::string& title, const std::string& body) {
  return body.empty() ? "" : "<h2 id=\"" + anchor + "\">" + html_text(title) + "</h2>\n" + body;
}

/// "NVIDIA H200: 140 GiB, 132 multiprocessors, ...": the machine in a line.
std::string machine_line(const machine& m) {
  std::vector<std::string> facts;
  if (m.memory_bytes > 0) facts.push_back(bytes_text(m.memory_bytes) + " of memory");
  const bool is_cpu = m.device == "cpu";
  const auto count = static_cast<std::size_t>(std::max(0, m.processors));
  if (count > 0) facts.push_back(counted(count, is_cpu ? "core" : "multiprocessor"));
  if (m.clock_ghz > 0) facts.push_back("up to " + significant(m.clock_ghz, 3) + " GHz");
  if (m.cache_bytes > 0) facts.push_back(bytes_text(m.cache_bytes) + " of last cache");
  if (!is_cpu && !m.driver.empty()) facts.push_back(m.driver);
  if (!is_cpu && !m.cpu_name.empty())
    facts.push_back(m.cpu_name + " with " +
                    counted(static_cast<std::size_t>(std::max(0, m.cpu_cores)), "core"));
  return m.device_name + (facts.empty() ? "" : ": ") + joined(facts, ", ");
}

std::string head_of(const report& r) {
  const std::string title = "Teff report: " + r.where.device_name;
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src "
         "data:; style-src '" +
         std::string(report_style_hash) +
         "'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         html_text(title) + "</title>\n<style>" + report_style + "</style>\n</head>\n";
}

std::string machine_part(const machine& m) {
  table t({{"machine", align::left}, {"", align::left}});
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) t.add_row({name, value});
  };
  const auto bytes = [](std::uint64_t n) { return n == 0 ? "" : bytes_text(n); };
  add("device", m.device + ", " + m.device_name);
  add("memory", bytes(m.memory_bytes));
  add("last cache", bytes(m.cache_bytes));
  add("nominal throughput",
      m.nominal_gb_per_s > 0 ? significant(m.nominal_gb_per_s, 4) + " GB/s" : "");
  add(m.device == "cpu" ? "cores used" : "multiprocessors", std::to_string(m.processors));
  add("highest clock", m.clock_ghz > 0 ? significant(m.clock_ghz, 3) + " GHz" : "");
  add("driver", m.driver);
  add("CPU", m.cpu_name + ", " + counted(static_cast<std::size_t>(m.cpu_cores), "core"));
  add("built by", m.compiler + (m.cuda == "none" ? "" : ", CUDA " + m.cuda));
  add("teff", m.teff_version + ", commit " + m.commit);
  add("command", m.command);
  add("date", m.date);
  return small_table(t, "machine");
}

/// When and by what each of several runs was made.
std::string runs_part(const std::vector<single_run>& runs) {
  if (runs.empty()) return "";
  table t({{"run", align::left}, {"teff", align::left}, {"command", align::left}});
  for (const auto& [m, ceilings] : runs)
    t.add_row({m.date, m.teff_version + ", commit " + m.commit, m.command});
  return "<h3>Runs</h3>\n" + small_table(t, "runs");
}

/// @param parts of which every second is a command
std::string html_with_commands(const std::vector<std::string>& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i)
    out += i % 2 == 0 ? html_text(parts[i]) : "<code>" + html_text(parts[i]) + "</code>";
  return out;
}

/// What a reader must know before believing: what was left out, what disturbed the run.
std::string notes_part(const std::vector<std::string>& notes) {
  constexpr std::ptrdiff_t most = 3;  // of a kind that a page lists open
  const auto is_of_left_out = [](const std::string& note) {
    return note.starts_with(left_out_note);
  };
  const bool is_folded = std::ranges::count_if(notes, is_of_left_out) > most;
  std::string items, folded_items;
  for (const std::string& note : notes)
    (is_folded && is_of_left_out(note) ? folded_items : items) +=
        "<li>" + html_text(note) + "</li>\n";
  if (!items.empty()) items = "<ul>\n" + items + "</ul>\n";
  return folded_items.empty()
             ? items
             : items + "<details><summary>All that was left out</summary>\n<ul>\n" + folded_items +
                   "</ul>\n</details>\n";
}

std::string ceilings_part(const limits& found) {
  table t({{"ceiling", align::left}, {"measured"}, {"what it is", align::left}});
  const auto add = [&](const std::string& name, std::optional<double> value, const char* unit,
                       const char* about) {
    if (value) t.add_row({name, significant(*value, 4) + " " + unit, about});
  };
  add("copy", found.copy_gb_per_s, "GB/s", "as much read as written");
  add("triad", found.triad_gb_per_s, "GB/s", "two arrays read, one written");
  add("read", found.read_gb_per_s, "GB/s", "only reading");
  add("write", found.write_gb_per_s, "GB/s", "only writing");
  add("T_peak", found.t_peak_gb_per_s(), "GB/s", "the largest of these");
  add("f64", found.f64_gflop_per_s, "GFLOP/s", "multiply-adds in double precision");
  add("f32", found.f32_gflop_per_s, "GFLOP/s", "multiply-adds in single precision");
  return t.rows() == 0 ? "<p>No ceilings were measured, or several runs do not agree on them.</p>\n"
                       : small_table(t, "ceilings");
}

std::string pictures_part(const std::vector<report_picture>& pictures) {
  std::string figures;
  for (const report_picture& p : pictures)
    figures += "<figure><img alt=\"" + html_text(p.caption) + "\" src=\"" +
               data_uri("image/png", p.png) + "\"><figcaption>" + html_text(p.caption) +
               "</figcaption></figure>\n";
  return figures.empty() ? "" : "<div class=\"charts\">\n" + figures + "</div>\n";
}

/// What the flags in the tables mean, of those that occur.
std::string flags_part(const report& r) {
  constexpr std::pair<const char*, const char*> meanings[] = {
      {flag::noisy, "the interquartile range of the samples is above 5 % of their median"},
      {flag::throttled, "the GPU had lowered its clocks for heat or power"},
      {flag::fits_in_cache, "A_eff is below 4 times the last cache: no statement about memory"},
      {flag::above_ceiling,
       "above 1.02 of the ceiling with one step per pass, also after the ceiling was measured "
       "again: it is too low to judge by"},
      {flag::shared_device, "others used the device at the same time"},
      {flag::cold_cache, "the caches were emptied before each sample"},
      {flag::unverified, "its result was wrong before or after it was timed"},
      {flag::emulated, "a GPU's kernel on the CPU: checked on a small shape, not timed"},
      {flag::smaller, "too slow for the shape of the others, so timed on a smaller one"}};
  std::string items;
  for (const auto& entry : meanings) {
    const std::string name = entry.first;
    if (std::ranges::any_of(r.results, [&](const result& one) { return one.has_flag(name); }))
      items += "<dt>" + name + "</dt><dd>" + entry.second + "</dd>\n";
  }
  return items;
}

/// Wide ones beside each other, and narrow ones for a narrow screen: its letters stay as large.
std::string roofline_part(const report& r) {
  constexpr int wide = 560, narrow = 360;
  std::string out;
  for (const auto& [width, kind] :
       {std::pair(wide, "only-wide"), std::pair(narrow, "only-narrow")}) {
    std::string figures;
    for (const std::string& type : types_of(r))
      figures += figure_of(roofline_chart(r, type, width),
                           type + ": measured roofs, and the best of each case");
    if (!figures.empty())
      out += "<div class=\"charts " + std::string(kind) + "\">\n" + figures + "</div>\n";
  }
  return out.empty() ? ""
                     : "<p>Under the slope a result is limited by memory, under the flat roof by "
                       "arithmetic. With several steps per pass a point may lie above the "
                       "slope.</p>\n" +
                           out;
}

/// The numbers of the page as files that it holds.
std::string files_part(const report& r) {
  constexpr std::size_t most_bytes = 1'000'000;
  const auto link = [](const char* name, const char* kind, const std::string& bytes) {
    return "<a download=\"" + std::string(name) + "\" href=\"" + data_uri(kind, bytes) + "\">" +
           name + "</a> (" + bytes_text(bytes.size()) + ")";
  };
  const std::string json = to_json(r);
  return "<p class=\"files\">In this page: " +
         link("results.csv", "text/csv", full_table_of(r.results).csv()) +
         (json.size() <= most_bytes
              ? ", " + link("results.json", "application/json", json)
              : "; all samples, as JSON, are " + bytes_text(json.size()) + " and not in it") +
         "</p>\n";
}

/// One heading of the page.
struct page_part {
  std::string anchor, title, body;
};

std::string contents_part(const std::vector<page_part>& parts,
                          const std::vector<case_section>& sections) {
  std::string out = "<nav aria-label=\"contents\">\n<h2>Contents</h2>\n<ul>\n";
  const auto link = [](const std::string& anchor, const std::string& title) {
    return "<a href=\"#" + anchor + "\">" + html_text(title) + "</a>";
  };
  for (const page_part& p : parts) {
    if (p.body.empty()) continue;
    out += "<li>" + link(p.anchor, p.title);
    if (p.anchor == "findings") {
      const char* between = ": ";
      for (const std::string& group : groups_of(sections))
        out += std::exchange(between, ", ") + link(anchor_of_group(group), group);
    }
    if (p.anchor == "cases") {
      const char* between = ": ";
      for (const case_section& s : sections)
        out += std::exchange(between, ", ") + link(s.anchor, s.name);
    }
    out += "</li>\n";
  }
  return out + "</ul>\n</nav>\n";
}

constexpr const char* reading_aid = R"(<dl>
<dt>A_eff</dt><dd>What any program for one step must move: each unknown field read and written once, each
known field read once.</dd>
<dt>T_eff</dt><dd>A_eff over the median time of a step, in GB/s of 10<sup>9</sup> bytes.</dd>
<dt>of ceiling</dt><dd>T_eff over what this machine's memory was measured to do with the same mix of reading and
writing. At 1, one pass through memory can not be faster. With several steps per pass T_eff may lie above
the ceiling, since a field then crosses memory once in several steps.</dd>
<dt>check</dt><dd>Every element was compared with serial loops at the size that was timed, before and after timing. What was
wrong is not timed and can not be best.</dd>
<dt>time/step, spread</dt><dd>The median of all samples, and their interquartile range over the median.</dd>
)";

}  // namespace

std::string to_html(const report& r, std::span<const bench_case> cases, const page_extras& extras) {
  const std::vector<case_section> sections = sections_of(r, cases);
  const std::vector<case_finding> findings = case_findings(r);
  const std::vector<case_share> shares = shares_of(r, sections, findings);
  const variant_colours colours(r);
  std::string all_cases;
  for (const case_section& section : sections)
    all_cases += case_part(r, section, cases, findings, colours);
  const std::string of_runs = r.runs.empty() ? ""
                                             : "<p>The highest of all runs; each result was "
                                               "compared with those of its own run.</p>\n";
  const std::vector<page_part> parts{
      {"findings", "Findings", findings_part(r, sections, shares)},
      {"changes", "What changed",
       extras.before == nullptr ? "" : change_part(compare(*extras.before, r), *extras.before)},
      {"notes", "What was left out, and what was odd", notes_part(r.notes)},
      {"limits", "The limits of this machine", of_runs + ceilings_part(r.ceilings)},
      {"roofline", "Roofline", roofline_part(r)},
      {"pictures", "Pictures", pictures_part(extras.pictures)},
      {"cases", "Cases", all_cases},
      {"reading", "How to read this", reading_aid + flags_part(r) + "</dl>\n"},
      {"machine", "Machine", machine_part(r.where) + runs_part(r.runs)}};
  std::string body = "<h1>How close to what memory can do</h1>\n<p class=\"machine\">" +
                     html_text(machine_line(r.where)) + "</p>\n<p class=\"lead\">" +
                     html_text(finding(r)) + "</p>\n";
  if (const std::string text = disturbance_text(r); !text.empty())
    body += "<p class=\"bad\">" + html_text(text) + "</p>\n";
  if (const result* farthest = farthest_result(r, shares))
    body += "<p>" + html_text(least_share(r, shares)) + " " +
            html_with_commands(what_to_do(r, *farthest)) + "</p>\n";
  if (const std::string text = left_out_text(r); !text.empty())
    body += "<p>" + html_text(text) + " <a href=\"#notes\">What, and why</a></p>\n";
  body += overview_part(r, shares) + contents_part(parts, sections) + files_part(r);
  for (const page_part& p : parts) body += part(p.anchor, p.title, p.body);
  return head_of(r) + "<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n";
}

}  // namespace teff::lab
