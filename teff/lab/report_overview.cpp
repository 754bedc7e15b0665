// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cmath>

#include <teff/lab/bar_rows.hpp>
#include <teff/lab/html.hpp>
#include <teff/lab/report_overview.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

constexpr const char* other_cases = "other cases";

/// What is left to gain, as the colour of a bar.
struct left_class {
  double least_share;
  const char *look, *text;
};
constexpr left_class left_classes[] = {{0.95, "left-0", "at most 5 % left"},
                                       {0.8, "left-1", "5 to 20 % left"},
                                       {0.5, "left-2", "20 to 50 % left"},
                                       {0, "left-3", "more than half left"}};

const char* look_of_share(double share) {
  for (const left_class& c : left_classes)
    if (share >= c.least_share) return c.look;
  return left_classes[3].look;
}

std::string looks(const std::string& look, std::size_t lane) {
  return lane == 0 ? look : look + " second";
}

/// The end of the scale of all bars: a round number not below any share, and a little more than 1.
double scale_of(const report& r, const std::vector<case_share>& shares) {
  constexpr double largest = 100;
  double most = 1;
  for (const case_share& s : shares)
    for (const case_finding* f : s.findings)
      if (has_share(r, *f->best)) most = std::max(most, *f->best->fraction_of_ceiling);
  return most <= 1.1 ? 1.1 : std::min(largest, std::ceil(4 * most) / 4);
}

/// Up to the fraction of one step per pass in the colour of what is left, then beyond it; where one
/// step was not measured nobody knows what is left.
void add_bars(std::vector<bar>& bars, const case_finding& f, int lane, double scale) {
  const result& best = *f.best;
  const double share = *best.fraction_of_ceiling;
  const auto tip = [&](const result& of) {
    return of.case_name + " " + of.type + ", " + of.variant + ", " + shape_text(of.shape) +
           ranks_text(of) + ": " + significant(*of.fraction_of_ceiling, 3) + " of the " +
           name_of(of.ceiling) + " ceiling" +
           (of.steps_per_pass > 1 ? ", " + std::to_string(of.steps_per_pass) + " steps per pass"
                                  : "");
  };
  const auto lane_look = static_cast<std::size_t>(lane);
  if (best.steps_per_pass == 1) {
    bars.push_back({lane, 0, share / scale, looks(look_of_share(share), lane_look), tip(best)});
    return;
  }
  const double single = f.single != nullptr ? std::min(*f.single->fraction_of_ceiling, share) : 0;
  if (f.single != nullptr)
    bars.push_back(
        {lane, 0, single / scale, looks(look_of_share(single), lane_look), tip(*f.single)});
  bars.push_back({lane, single / scale, share / scale, looks("beyond", lane_look), tip(best)});
}

std::vector<bar> bars_of(const report& r, const case_share& s,
                         const std::vector<std::string>& types, double scale) {
  std::vector<bar> bars;
  for (const case_finding* f : s.findings)
    if (has_share(r, *f->best))
      add_bars(bars, *f, static_cast<int>(std::ranges::find(types, f->best->type) - types.begin()),
               scale);
  return bars;
}

std::string share_text(const result& r) {
  return significant(*r.fraction_of_ceiling, 3) + (r.steps_per_pass > 1 ? "x" : "");
}

std::string detail_of(const report& r, const result& one) {
  std::string detail = one.dim ? "dim " + std::to_string(*one.dim) : "";
  if (one.device != r.where.device) detail += (detail.empty() ? "" : ", ") + one.device;
  return detail;
}

std::vector<bar_label> labels_of(double scale) {
  std::vector<bar_label> labels{{0, "0"}, {1 / scale, "ceiling"}};
  if (scale < 2.5) labels.push_back({0.5 / scale, "0.5"});
  const double step = std::max(1.0, std::ceil(scale / 6));
  for (double at = std::max(2.0, step); at <= scale; at += step)
    labels.push_back({at / scale, std::to_string(static_cast<int>(at)) + "x"});
  return labels;
}

/// Of what no share is shown.
std::string without_share(const report& r, const std::vector<case_share>& shares) {
  std::string names;
  for (const case_share& s : shares)
    if (!s.share(r)) {
      const std::string detail = detail_of(r, s.first());
      names += (names.empty() ? "" : ", ") + ("<a href=\"#" + s.section->anchor + "\">") +
               html_text(s.section->name + (detail.empty() ? "" : " " + detail)) + "</a>";
    }
  return names.empty() ? ""
                       : "<p class=\"faint\">Without a share, since they fit in the cache, are "
                         "probes, or something else limits them: " +
                             names + ".</p>\n";
}

/// The one that decides the share; null without one.
const result* least_of(const report& r, const case_share& s) {
  const result* least = nullptr;
  for (const case_finding* f : s.findings)
    if (has_share(r, *f->best) &&
        (least == nullptr || *f->best->fraction_of_ceiling < *least->fraction_of_ceiling))
      least = f->best;
  return least;
}

/// How many are close to their ceiling or beyond it; "" for one.
std::string standing_of(const report& r, const std::vector<case_share>& shares) {
  std::size_t all = 0, close = 0, beyond = 0, unknown = 0;
  for (const case_share& s : shares) {
    const result* least = least_of(r, s);
    if (least == nullptr) continue;
    const double share = *least->fraction_of_ceiling;
    if (least->has_flag(flag::above_ceiling)) {
      ++unknown;
      continue;
    }
    ++all;
    if (least->steps_per_pass > 1 && share > 1)
      ++beyond;
    else if (share >= left_classes[0].least_share)
      ++close;
  }
  if (all + unknown < 2) return "";
  return "Within 5 % of the ceiling: " + std::to_string(close) + " of " + counted(all, "row") +
         "; beyond it, by several steps per pass: " + std::to_string(beyond) +
         (unknown == 0 ? ""
                       : "; not counted, as their ceiling is too low to judge by: " +
                             std::to_string(unknown)) +
         ". ";
}

bool is_shown(const std::vector<bar_row>& rows, const std::string& look) {
  return std::ranges::any_of(rows, [&](const bar_row& row) {
    return std::ranges::any_of(row.bars, [&](const bar& b) { return b.look.starts_with(look); });
  });
}

/// The types that have a bar.
std::vector<std::string> shown_types(const report& r, const std::vector<case_share>& shares) {
  std::vector<std::string> types = types_of(r);
  std::erase_if(types, [&](const std::string& type) {
    return std::ranges::none_of(shares, [&](const case_share& s) {
      return std::ranges::any_of(s.findings, [&](const case_finding* f) {
        return f->best->type == type && has_share(r, *f->best);
      });
    });
  });
  return types;
}

/// The types that have no bar though they have results.
std::string without_bar(const report& r, const std::vector<std::string>& shown) {
  std::vector<std::string> types = types_of(r);
  std::erase_if(types, [&](const std::string& type) {
    return std::ranges::find(shown, type) != shown.end();
  });
  return types.empty() ? ""
                       : "<p class=\"faint\">No bar is of " + html_text(runtime::joined(types)) +
                             ": no result of it has a share of a ceiling.</p>\n";
}

std::string finding_item(const report& r, const case_share& s,
                         const std::vector<std::string>& types, double scale) {
  const std::string detail = detail_of(r, s.first());
  std::string out = "<li><span><a href=\"#" + s.section->anchor + "\">" +
                    html_text(s.section->name) + "</a>" +
                    (detail.empty() ? "" : " <small>" + html_text(detail) + "</small>") + "</span>";
  const std::vector<bar> bars = bars_of(r, s, types, scale);
  out += bars.empty() ? "<span></span>" : svg_of(bars, {1 / scale}, types.size());
  out += "<div>";
  for (const case_finding* f : s.findings)
    out += "<p><b>" + html_text(f->best->type) + "</b> " + html_text(f->sentence) +
           " <span class=\"faint\">" +
           html_text("(" + f->best->variant + ", " + shape_text(f->best->shape) +
                     ranks_text(*f->best) + ")") +
           "</span></p>";
  return out + "</div></li>\n";
}

}  // namespace

std::vector<case_section> sections_of(const report& r, std::span<const bench_case> cases) {
  std::vector<case_section> all;
  for (const result& one : r.results) {
    auto known = std::ranges::find(all, one.case_name, &case_section::name);
    if (known == all.end()) {
      all.push_back({one.case_name, "case-" + std::to_string(all.size() + 1), other_cases, {}});
      known = all.end() - 1;
    }
    known->results.push_back(one);
  }
  const auto place_of = [&](const case_section& s) {
    return std::ranges::find(cases, s.name, &bench_case::name);
  };
  for (case_section& s : all)
    if (const auto known = place_of(s); known != cases.end() && !known->group.empty())
      s.group = known->group;
  std::ranges::stable_sort(all, {}, place_of);
  return all;
}

std::optional<double> case_share::share(const report& r) const {
  const result* least = least_of(r, *this);
  return least == nullptr ? std::nullopt : least->fraction_of_ceiling;
}

std::vector<case_share> shares_of(const report& r, const std::vector<case_section>& sections,
                                  const std::vector<case_finding>& findings) {
  std::vector<case_share> all;
  for (const case_finding& f : findings) {
    const auto known = std::ranges::find_if(all, [&](const case_share& s) {
      return s.first().case_name == f.best->case_name && s.first().device == f.best->device &&
             s.first().dim == f.best->dim;
    });
    if (known != all.end())
      known->findings.push_back(&f);
    else
      all.push_back({&*std::ranges::find(sections, f.best->case_name, &case_section::name), {&f}});
  }
  std::ranges::stable_sort(all, {},
                           [&](const case_share& s) { return s.share(r).value_or(HUGE_VAL); });
  return all;
}

std::vector<std::string> types_of(const report& r) {
  std::vector<std::string> types;
  for (const result& one : r.results)
    if (std::ranges::find(types, one.type) == types.end()) types.push_back(one.type);
  return types;
}

const result* farthest_result(const report& r, const std::vector<case_share>& shares) {
  const result* least = nullptr;
  for (const case_share& s : shares) {
    const result* one = least_of(r, s);
    if (one != nullptr &&
        (least == nullptr || *one->fraction_of_ceiling < *least->fraction_of_ceiling))
      least = one;
  }
  return least == nullptr || *least->fraction_of_ceiling >= 0.995 ? nullptr : least;
}

std::string least_share(const report& r, const std::vector<case_share>& shares) {
  const result* least = farthest_result(r, shares);
  if (least == nullptr) return "";
  return standing_of(r, shares) + "Farthest from its ceiling is " + least->case_name + " " +
         least->type + (least->dim ? " along dim " + std::to_string(*least->dim) : "") + ": " +
         significant(*least->fraction_of_ceiling, 3) + " of the " + name_of(least->ceiling) +
         " ceiling (" + least->variant + ", " + shape_text(least->shape) +
         (least->steps_per_pass > 1
              ? ", " + std::to_string(least->steps_per_pass) + " steps per pass"
              : "") +
         ").";
}

std::string overview_part(const report& r, const std::vector<case_share>& shares) {
  const double scale = scale_of(r, shares);
  const std::vector<std::string> types = shown_types(r, shares);
  std::vector<bar_row> rows;
  bool has_several = false, has_alone = false;
  for (const case_share& s : shares) {
    if (!s.share(r)) continue;
    bar_row row{.name = s.section->name,
                .detail = detail_of(r, s.first()),
                .anchor = s.section->anchor,
                .bars = bars_of(r, s, types, scale),
                .values = std::vector<std::string>(types.size())};
    for (const case_finding* f : s.findings)
      if (has_share(r, *f->best)) {
        const auto at = std::ranges::find(types, f->best->type) - types.begin();
        row.values[static_cast<std::size_t>(at)] = share_text(*f->best);
        has_several = has_several || f->best->steps_per_pass > 1;
        has_alone = has_alone || (f->best->steps_per_pass > 1 && f->single == nullptr);
      }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return without_share(r, shares);
  std::vector<bar_meaning> meanings;
  for (const left_class& c : left_classes)
    if (is_shown(rows, c.look)) meanings.push_back({c.look, c.text});
  if (has_several)
    meanings.push_back({"beyond", has_alone ? "by several steps per pass (x); one was not measured "
                                              "where all of a bar has this colour"
                                            : "beyond one step per pass, by several (x)"});
  return "<figure class=\"overview\">\n<figcaption>Share of the ceiling of the best variant of "
         "each case" +
         html_text(types.size() > 1 ? ": " + types[0] + " above, " + types[1] + " pale, below"
                                    : "") +
         "; most left to gain first</figcaption>\n" +
         bar_rows(rows, labels_of(scale), {1 / scale}, types, types.size()) + legend_of(meanings) +
         "</figure>\n" + without_bar(r, types) + without_share(r, shares);
}

std::vector<std::string> groups_of(const std::vector<case_section>& sections) {
  std::vector<std::string> groups;
  for (const case_section& s : sections)
    if (std::ranges::find(groups, s.group) == groups.end()) groups.push_back(s.group);
  return groups;
}

std::string anchor_of_group(const std::string& group) {
  std::string anchor = "group-";
  for (const char c : group) anchor += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return anchor;
}

std::string findings_part(const report& r, const std::vector<case_section>& sections,
                          const std::vector<case_share>& shares) {
  const double scale = scale_of(r, shares);
  const std::vector<std::string> types = shown_types(r, shares);
  std::string out;
  for (const std::string& group : groups_of(sections)) {
    std::string items;
    for (const case_share& s : shares)
      if (s.section->group == group) items += finding_item(r, s, types, scale);
    if (!items.empty())
      out += "<h3 id=\"" + anchor_of_group(group) + "\">" + html_text(group) +
             "</h3>\n<ul class=\"findings\">\n" + items + "</ul>\n";
  }
  return out;
}

}  // namespace teff::lab
