// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <teff/base/bytes.hpp>
#include <teff/base/error.hpp>
#include <teff/io/child_process.hpp>
#include <teff/lab/finding.hpp>
#include <teff/lab/html.hpp>
#include <teff/lab/ladder.hpp>
#include <teff/lab/report_charts.hpp>
#include <teff/lab/report_html.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/scale.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// Draws charts. Without gnuplot the page does without; one that fails is left out.
class chart_maker {
 public:
  std::string figure(const io::chart& what, const std::string& caption) {
    if (what.lines.empty() || has_stopped_) return "";
    if (count_ == most_charts) {
      stop("only " + std::to_string(most_charts) + " charts are drawn");
      return "";
    }
    try {
      const std::string svg = io::chart_svg(what, "c" + std::to_string(++count_));
      return "<figure role=\"img\" aria-label=\"" + html_text(caption) + "\">\n" + svg +
             "<figcaption>" + html_text(caption) + "</figcaption></figure>\n";
    } catch (const io::not_started& missing) {
      stop(missing.what());
    } catch (const error& failed) {
      if (problem.empty()) problem = caption + ": " + failed.what();
    }
    return "";
  }
  std::string problem;  ///< why some chart is missing, or ""

 private:
  static constexpr int most_charts = 300;
  void stop(const std::string& why) {
    has_stopped_ = true;
    problem = why;
  }
  int count_ = 0;
  bool has_stopped_ = false;
};

std::string scrolling(const table& t, const std::string& label) {
  return "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"" + html_text(label) +
         "\">\n" + t.html() + "</div>\n";
}

std::string grid_of(const std::string& figures) {
  return figures.empty() ? "" : "<div class=\"charts\">\n" + figures + "</div>\n";
}

/// Results of one name, in the order of the report.
struct case_section {
  std::string name, anchor;
  std::vector<result> results;
};

std::vector<case_section> sections_of(const report& r) {
  std::vector<case_section> all;
  for (const result& one : r.results) {
    auto known = std::ranges::find(all, one.case_name, &case_section::name);
    if (known == all.end()) {
      all.push_back({one.case_name, "case-" + std::to_string(all.size() + 1), {}});
      known = all.end() - 1;
    }
    known->results.push_back(one);
  }
  return all;
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
  add("driver", m.driver);
  add("CPU", m.cpu_name + ", " + counted(static_cast<std::size_t>(m.cpu_cores), "core"));
  add("built by", m.compiler + (m.cuda == "none" ? "" : ", CUDA " + m.cuda));
  add("teff", m.teff_version + ", commit " + m.commit);
  add("command", m.command);
  add("date", m.date);
  return scrolling(t, "machine");
}

/// When and by what each of several runs was made.
std::string runs_part(const std::vector<machine>& runs) {
  if (runs.empty()) return "";
  table t({{"run", align::left}, {"teff", align::left}, {"command", align::left}});
  for (const machine& m : runs)
    t.add_row({m.date, m.teff_version + ", commit " + m.commit, m.command});
  return "<h3>Runs</h3>\n" + scrolling(t, "runs");
}

/// What a reader must know before believing: what was left out, what disturbed the run.
std::string notes_part(const std::vector<std::string>& notes) {
  std::string items;
  for (const std::string& note : notes) items += "<li>" + html_text(note) + "</li>\n";
  return items.empty() ? ""
                       : "<h2>What was left out, and what was odd</h2>\n<ul>\n" + items + "</ul>\n";
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
                       : scrolling(t, "ceilings");
}

std::string bar_of(const result& r) {
  if (!r.fraction_of_ceiling || r.has_flag(flag::fits_in_cache) || is_probe(r))
    return "<span></span>";
  const std::string value = significant(*r.fraction_of_ceiling, 3);
  if (r.steps_per_pass > 1) return "<strong>" + value + "x</strong>";
  return "<meter min=\"0\" max=\"1\" value=\"" + value + "\">" + value + "</meter>";
}

std::string findings_part(const report& r, const std::vector<case_section>& sections) {
  std::string items;
  for (const case_finding& f : case_findings(r)) {
    const auto section = std::ranges::find(sections, f.best->case_name, &case_section::name);
    items += "<li><span><a href=\"#" + section->anchor + "\">" + html_text(f.best->case_name) +
             "</a> " + html_text(f.best->variant) + "<span class=\"faint\">" +
             html_text(f.best->type + ", " + shape_text(f.best->shape) + ", " + f.best->device) +
             "</span></span>" + bar_of(*f.best) + "<span>" + html_text(f.sentence) +
             "</span></li>\n";
  }
  return items.empty() ? "" : "<ul class=\"findings\">\n" + items + "</ul>\n";
}

/// The rungs of a known case that say what they gain, on the shape with the longest ladder.
std::string ladder_part(const case_section& section, const bench_case& known) {
  std::vector<result> rungs;
  for (const result& r : section.results) {
    const auto v = std::ranges::find(known.variants, r.variant, &variant::name);
    if (v != known.variants.end() && !v->gain.empty()) rungs.push_back(r);
  }
  std::map<std::tuple<std::vector<index_t>, std::string, std::optional<int>>, int> lengths;
  for (const result& r : rungs) ++lengths[{r.shape, r.type, r.dim}];
  const auto longest =
      std::ranges::max_element(lengths, {}, [](const auto& entry) { return entry.second; });
  if (longest == lengths.end() || longest->second < 3) return "";
  std::erase_if(rungs, [&](const result& r) {
    return r.shape != std::get<0>(longest->first) && !r.has_flag(flag::smaller) &&
           !r.has_flag(flag::emulated);
  });
  sort_as_ladders(known, rungs);
  return "<h3>Step by step, from naive to best</h3>\n" +
         scrolling(ladder_table(known, rungs), section.name + " step by step");
}

/// A line, a square or a cube, give or take a few cells: of such shapes a sweep over sizes is made.
bool has_equal_sides(const result& r) {
  const auto [least, most] = std::ranges::minmax(r.shape);
  return most - least <= most / 50;
}

/// T_eff over sizes, for the variants that have three or more.
io::chart sizes_chart(const report& r, const case_section& section) {
  report part{r.where, r.ceilings, {}};
  for (const result& one : section.results) {
    const auto same = [&](const result& other) {
      return other.variant == one.variant && other.type == one.type && other.device == one.device &&
             other.shape.size() == one.shape.size() && has_equal_sides(other);
    };
    if (has_equal_sides(one) && std::ranges::count_if(section.results, same) >= 3)
      part.results.push_back(one);
  }
  io::chart drawn = scale_chart(part);
  drawn.title.clear();
  return drawn;
}

std::string case_part(const report& r, const case_section& section,
                      std::span<const bench_case> cases, const std::vector<case_finding>& findings,
                      chart_maker& charts) {
  const auto known = std::ranges::find(cases, section.name, &bench_case::name);
  std::string out = "<h2 id=\"" + section.anchor + "\">" + html_text(section.name) + "</h2>\n";
  if (known != cases.end()) out += "<p>" + html_text(known->about) + "</p>\n";
  std::string figures = charts.figure(sizes_chart(r, section), section.name + ": T_eff over sizes");
  bool has_samples = false;
  for (const case_finding& f : findings) {
    if (f.best->case_name != section.name) continue;
    const std::string subject = section.name + " " + f.best->type +
                                (f.best->dim ? ", dim " + std::to_string(*f.best->dim) : "");
    figures += charts.figure(variants_chart(r, *f.best), subject + ": variant by variant");
    figures += charts.figure(launch_chart(r, *f.best), subject + ": launch shapes");
    if (!std::exchange(has_samples, true))
      figures += charts.figure(samples_chart(*f.best), subject + ": samples of the best variant");
  }
  const std::string ladder = known == cases.end() ? "" : ladder_part(section, *known);
  out += grid_of(figures) + ladder + "<h3>All results</h3>\n" +
         scrolling(table_of(section.results), section.name);
  for (const result& one : section.results)
    if (!one.check.ok)
      out += "<p class=\"bad\">Wrong result: " +
             html_text(one.variant + " " + one.type + ": " + one.check.reason) + "</p>\n";
  return out;
}

std::string pictures_part(const std::vector<report_picture>& pictures) {
  std::string figures;
  for (const report_picture& p : pictures)
    figures += "<figure><img alt=\"" + html_text(p.caption) + "\" src=\"" +
               data_uri("image/png", p.png) + "\"><figcaption>" + html_text(p.caption) +
               "</figcaption></figure>\n";
  return figures.empty() ? "" : "<h2>Pictures</h2>\n" + grid_of(figures);
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

/// What was noted, and first how much was left out.
std::vector<std::string> notes_of(const report& r) {
  std::vector<std::string> notes = r.notes;
  if (r.results.size() < r.planned)
    notes.insert(notes.begin(), "measured " + std::to_string(r.results.size()) + " of " +
                                    std::to_string(r.planned) +
                                    " results; the others were left out");
  return notes;
}

constexpr const char* reading_aid = R"(<h2>How to read this</h2>
<dl>
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

html_page to_html(const report& r, std::span<const bench_case> cases,
                  const std::vector<report_picture>& pictures) {
  const std::vector<case_section> sections = sections_of(r);
  const std::vector<case_finding> findings = case_findings(r);
  chart_maker charts;
  std::string body = "<h1>How close to what memory can do</h1>\n<p class=\"lead\">" +
                     html_text(finding(r)) + "</p>\n<p class=\"faint\">" +
                     html_text(r.where.device_name + ", " + r.where.date + ", " + r.where.command) +
                     "</p>\n";
  body += "<h2>Findings</h2>\n" + findings_part(r, sections) + notes_part(notes_of(r));
  body += "<h2>The limits of this machine</h2>\n" +
          std::string(!r.runs.empty() ? "<p>The highest of all runs; each result was compared "
                                        "with those of its own run.</p>\n"
                                      : "") +
          ceilings_part(r.ceilings);
  if (const std::string roofline =
          charts.figure(roofline_chart(r), "Roofline: measured roofs, and the best of each case");
      !roofline.empty())
    body +=
        "<h2>Roofline</h2>\n<p>Under the slope a result is limited by memory, under the flat roof "
        "by "
        "arithmetic. With several steps per pass a point may lie above the slope.</p>\n" +
        roofline;
  body += pictures_part(pictures);
  for (const case_section& section : sections)
    body += case_part(r, section, cases, findings, charts);
  body += reading_aid + flags_part(r) + "</dl>\n<h2>Machine</h2>\n" + machine_part(r.where) +
          runs_part(r.runs);
  if (!charts.problem.empty())
    body += "<p class=\"faint\">Charts that are missing: " + html_text(charts.problem) + "</p>\n";
  return {head_of(r) + "<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n", charts.problem};
}

}  // namespace teff::lab
