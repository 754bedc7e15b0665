// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/decimal.hpp>
#include <teff/lab/bar_rows.hpp>
#include <teff/lab/html.hpp>

namespace teff::lab {

namespace {

constexpr int lane_height = 9, margin = 4;

std::string percent_of(double part) {
  const double inside = part > 0 ? std::min(part, 1.0) : 0;
  return decimal(100 * inside, 2, decimal_form::fixed) + "%";
}

std::string drawn(const bar& b) {
  const double from = std::clamp(b.from, 0.0, 1.0), to = std::clamp(b.to, from, 1.0);
  return "<rect class=\"bar " + b.look + "\" x=\"" + percent_of(from) + "\" y=\"" +
         std::to_string(margin + b.lane * lane_height) + "\" width=\"" + percent_of(to - from) +
         "\" height=\"" + std::to_string(lane_height - 2) + "\">" +
         (b.tip.empty() ? "" : "<title>" + html_text(b.tip) + "</title>") + "</rect>";
}

std::string values_of(const std::vector<std::string>& values) {
  std::string out = "<span class=\"values\">";
  for (const std::string& value : values) out += "<span>" + html_text(value) + "</span>";
  return out + "</span>";
}

}  // namespace

std::string svg_of(const std::vector<bar>& bars, const std::vector<double>& levels,
                   std::size_t lanes) {
  std::string out = "<svg class=\"bars\" width=\"100%\" height=\"" +
                    std::to_string(2 * margin + lane_height * static_cast<int>(lanes)) + "\">";
  for (const bar& b : bars) out += drawn(b);
  for (const double at : levels)
    out += "<line class=\"level\" x1=\"" + percent_of(at) + "\" x2=\"" + percent_of(at) +
           "\" y1=\"0\" y2=\"100%\"/>";
  return out + "</svg>";
}

std::string svg_of(const std::vector<bar_label>& labels) {
  std::string out = "<svg class=\"bars\" width=\"100%\" height=\"18\">";
  for (const bar_label& l : labels)
    out += "<text x=\"" + percent_of(l.at) + "\" y=\"13\" text-anchor=\"" +
           (l.at < 0.03   ? "start"
            : l.at > 0.97 ? "end"
                          : "middle") +
           "\">" + html_text(l.text) + "</text>";
  return out + "</svg>";
}

std::string bar_rows(const std::vector<bar_row>& rows, const std::vector<bar_label>& labels,
                     const std::vector<double>& levels, const std::vector<std::string>& headers,
                     std::size_t lanes) {
  if (rows.empty()) return "";
  std::string out = "<div class=\"rows\">\n<div class=\"row head\"><span></span>" + svg_of(labels) +
                    values_of(headers) + "</div>\n";
  for (const bar_row& r : rows) {
    const std::string tag = r.anchor.empty() ? "div" : "a";
    out += "<" + tag + " class=\"row\"" + (r.anchor.empty() ? "" : " href=\"#" + r.anchor + "\"") +
           "><span>" + html_text(r.name) +
           (r.detail.empty() ? "" : " <small>" + html_text(r.detail) + "</small>") + "</span>" +
           svg_of(r.bars, levels, lanes) + values_of(r.values) + "</" + tag + ">\n";
  }
  return out + "</div>\n";
}

std::string legend_of(const std::vector<bar_meaning>& meanings) {
  std::string items;
  for (const bar_meaning& m : meanings)
    items += "<li><svg width=\"16\" height=\"12\" aria-hidden=\"true\"><rect class=\"bar " +
             m.look + "\" width=\"16\" height=\"10\" y=\"1\"/></svg>" + html_text(m.text) +
             "</li>\n";
  return "<ul class=\"legend\">\n" + items + "</ul>\n";
}

}  // namespace teff::lab
