// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <teff/lab/bar_rows.hpp>
#include <teff/lab/html.hpp>
#include <teff/lab/ladder.hpp>
#include <teff/lab/report_case.hpp>
#include <teff/lab/report_table.hpp>

namespace teff::lab {

namespace {

/// The findings of one case on one device along one dim: one for each type.
using alike_findings = std::vector<const case_finding*>;

std::vector<alike_findings> findings_by_dim(const case_section& section,
                                            const std::vector<case_finding>& findings) {
  std::vector<alike_findings> all;
  for (const case_finding& f : findings) {
    if (f.best->case_name != section.name) continue;
    const auto known = std::ranges::find_if(all, [&](const alike_findings& one) {
      return one.front()->best->device == f.best->device && one.front()->best->dim == f.best->dim;
    });
    if (known != all.end())
      known->push_back(&f);
    else
      all.push_back({&f});
  }
  return all;
}

/// T_eff of each variant: a bar for each type on the shape of its best, with the ceiling as a line.
class variant_bars {
 public:
  variant_bars(const report& r, const alike_findings& findings, const variant_colours& colours)
      : report_(r), findings_(findings), colours_(colours) {
    for (const result& one : r.results)
      if (type_of(one) < findings.size()) {
        add(one);
        most_ = std::max(most_, *one.t_eff_gb_per_s());
      }
    for (const case_finding* f : findings_)
      if (f->best->fraction_of_ceiling && *f->best->fraction_of_ceiling > 0)
        most_ = std::max(most_, ceiling_of(*f->best));
  }

  std::string figure(const std::string& caption) const {
    if (rows_.size() < 2) return "";
    std::vector<std::string> types;
    std::vector<double> levels;
    std::string text = caption;
    for (const case_finding* f : findings_) {
      const result& best = *f->best;
      types.push_back(best.type);
      text += (f == findings_.front() ? ": " : "; ") + best.type + " " + shape_text(best.shape);
      if (!best.fraction_of_ceiling || !(*best.fraction_of_ceiling > 0)) continue;
      const double ceiling = ceiling_of(best);
      levels.push_back(ceiling / scale());
      text += std::string(", ") + name_of(best.ceiling) + " ceiling " + significant(ceiling, 4) +
              " GB/s";
    }
    std::vector<bar_row> rows;
    for (const auto& [variant, results] : rows_) rows.push_back(row_of(variant, results));
    return "<figure>\n<figcaption>" + html_text(text) + "</figcaption>\n" +
           bar_rows(rows, {{0, "0"}, {1 / 1.02, significant(most_, 4) + " GB/s"}}, levels, types,
                    types.size()) +
           "</figure>\n";
  }

 private:
  using results_of_variant = std::vector<const result*>;

  double scale() const { return 1.02 * most_; }
  static double ceiling_of(const result& r) {  // of its own run
    return *r.t_eff_gb_per_s() / *r.fraction_of_ceiling;
  }

  /// The place of the finding that a result stands beside; their number if there is none.
  std::size_t type_of(const result& one) const {
    std::size_t i = 0;
    while (i < findings_.size() &&
           !(one.is_verified() && one.t_eff_gb_per_s() && is_alike(one, *findings_[i]->best)))
      ++i;
    return i;
  }

  void add(const result& one) {
    auto known =
        std::ranges::find(rows_, one.variant, &std::pair<std::string, results_of_variant>::first);
    if (known == rows_.end()) {
      rows_.push_back({one.variant, results_of_variant(findings_.size())});
      known = rows_.end() - 1;
    }
    known->second[type_of(one)] = &one;
  }

  bar_row row_of(const std::string& variant, const results_of_variant& results) const {
    bar_row row{.name = variant, .bars = {}, .values = {}};
    for (std::size_t i = 0; i < results.size(); ++i) {
      const result* one = results[i];
      row.values.push_back(one == nullptr ? "" : significant(*one->t_eff_gb_per_s(), 4));
      if (one == nullptr) continue;
      row.bars.push_back(
          {static_cast<int>(i), 0, *one->t_eff_gb_per_s() / scale(),
           "c" + std::to_string(colours_.of(variant)) + (is_dashed(one->type) ? " second" : ""),
           variant + " " + one->type + ": " + significant(*one->t_eff_gb_per_s(), 4) + " GB/s, " +
               time_text(one->time->median_s) + " a step" +
               (one->steps_per_pass > 1
                    ? ", " + std::to_string(one->steps_per_pass) + " steps per pass"
                    : "")});
    }
    return row;
  }

  const report& report_;
  const alike_findings& findings_;
  const variant_colours& colours_;
  std::vector<std::pair<std::string, results_of_variant>> rows_;
  double most_ = 0;
};

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
  return folded(ladder_table(known, rungs), "Step by step, from naive to best");
}

std::string rank_figures(const case_section& section, const variant_colours& colours) {
  std::string figures;
  for (const scaling how : {scaling::weak, scaling::strong}) {
    const std::string name = how == scaling::weak ? "weak scaling, the same part for each rank"
                                                  : "strong scaling, the same whole";
    figures += figure_of(speed_up_chart(section.results, how, colours),
                         section.name + ": speed-up, " + name);
    figures += figure_of(efficiency_chart(section.results, how, colours),
                         section.name + ": efficiency, " + name);
  }
  return figures;
}

}  // namespace

std::string folded(const table& t, const std::string& summary) {
  return "<details><summary>" + html_text(summary) +
         "</summary>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"" +
         html_text(summary) + "\">\n" + t.html() + "</div></details>\n";
}

std::string case_part(const report& r, const case_section& section,
                      std::span<const bench_case> cases, const std::vector<case_finding>& findings,
                      const variant_colours& colours) {
  const auto known = std::ranges::find(cases, section.name, &bench_case::name);
  std::string out =
      "<h3 class=\"case\" id=\"" + section.anchor + "\">" + html_text(section.name) + "</h3>\n";
  if (known != cases.end()) out += "<p>" + html_text(known->about) + "</p>\n";
  std::string figures = rank_figures(section, colours);
  figures +=
      figure_of(sizes_chart(r, section.results, colours), section.name + ": T_eff over sizes");
  bool has_samples = false;
  for (const alike_findings& alike : findings_by_dim(section, findings)) {
    const result& first = *alike.front()->best;
    const std::string subject =
        section.name + (first.dim ? ", dim " + std::to_string(*first.dim) : "");
    figures += variant_bars(r, alike, colours).figure(subject + ", variant by variant");
    for (const case_finding* f : alike)
      figures += figure_of(launch_chart(r, *f->best, colours),
                           subject + " " + f->best->type + ": launch shapes");
    if (!std::exchange(has_samples, true))
      figures += figure_of(samples_chart(first, colours),
                           section.name + ": samples of the best variant", "samples");
  }
  if (!figures.empty()) out += "<div class=\"charts\">\n" + figures + "</div>\n";
  for (const result& one : section.results)
    if (!one.check.ok)
      out += "<p class=\"bad\">Wrong result: " +
             html_text(one.variant + " " + one.type + ": " + one.check.reason) + "</p>\n";
  if (known != cases.end()) out += ladder_part(section, *known);
  return out + folded(table_of(section.results),
                      section.results.size() == 1
                          ? "The result"
                          : "All " + counted(section.results.size(), "result"));
}

}  // namespace teff::lab
