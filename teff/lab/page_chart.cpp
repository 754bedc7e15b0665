// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include <teff/base/decimal.hpp>
#include <teff/lab/html.hpp>
#include <teff/lab/page_axis.hpp>
#include <teff/lab/page_chart.hpp>

namespace teff::lab {

namespace {

constexpr std::size_t most_labels = 100;  // each looks for a place among all that is drawn
constexpr double line_height = 13;        // of text of 12 pixels

/// Of a label, in a wide typeface: one that is narrower leaves room.
double width_of_label(const std::string& text) {
  constexpr double narrow = 4.5, usual = 7.3, wide = 11.2;
  double width = 0;
  for (const char c : text)
    width += std::strchr(" ijlrtf.,:;()[]'|", c) != nullptr ? narrow
             : std::strchr("mwMW@%", c) != nullptr          ? wide
                                                            : usual;
  return width;
}

std::string pixels(double x) {
  return decimal(x, 1, decimal_form::fixed);
}

std::string attribute(const char* name, double x) {
  return std::string(" ") + name + "=\"" + pixels(x) + "\"";
}

std::string line_between(double x1, double y1, double x2, double y2, const std::string& kind) {
  return "<line class=\"" + kind + "\"" + attribute("x1", x1) + attribute("y1", y1) +
         attribute("x2", x2) + attribute("y2", y2) + "/>";
}

std::string text_at(double x, double y, const char* anchor, const std::string& markup) {
  return "<text" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor + "\">" +
         markup + "</text>";
}

std::string tip_of(const std::string& text) {
  return text.empty() ? "" : "<title>" + html_text(text) + "</title>";
}

std::string look_of(const page_series& s, const char* kind) {
  return std::string(kind) + " c" + std::to_string(s.colour % most_colours) +
         (s.is_dashed ? " second" : "");
}

/// Logarithms are of numbers above 0.
bool can_show(const page_chart& what, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && (x > 0 || !what.has_log_x) &&
         (y > 0 || !what.has_log_y);
}

struct box {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool meets(const box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// The part of a chart in which it draws, and what is already there.
class plot_area {
 public:
  plot_area(const page_chart& what, page_axis x, page_axis y)
      : what_(what), x_(std::move(x)), y_(std::move(y)) {
    if (what.has_room_for_ends) area_.right -= width_of_ends();
  }

  bool can_show(double x, double y) const { return lab::can_show(what_, x, y); }
  double x_of(double value) const {
    return area_.left + x_.place_of(value) * (area_.right - area_.left);
  }
  double y_of(double value) const {
    return area_.bottom - y_.place_of(value) * (area_.bottom - area_.top);
  }

  std::string axes() const;
  std::string levels() const;
  std::string drawn(const page_series& s) const;
  /// Texts beside their points, where nothing else is; farther away with a line to the point.
  std::string labels();

 private:
  double width_of_ends() const;
  void take_curve(const page_series& s);
  std::optional<box> free_place(double x, double y, double width) const;
  std::optional<box> free_place(double x, double y, double width,
                                const std::vector<box>& besides) const;
  std::string curve(const page_series& s) const;
  std::string bars(const page_series& s) const;

  const page_chart& what_;
  page_axis x_, y_;
  box area_{what_.has_no_y_axis ? 10.0 : 46.0, what_.y_label.empty() ? 8.0 : 24.0,
            what_.width - 14.0, what_.height - 40.0};
  std::vector<box> taken_, curves_;
};

std::string plot_area::axes() const {
  std::string out;
  if (!what_.has_no_y_axis) {
    for (const axis_tick& t : y_.ticks())
      out += line_between(area_.left, y_of(t.value), area_.right, y_of(t.value), "grid") +
             text_at(area_.left - 6, y_of(t.value) + 4, "end", t.markup);
    out += line_between(area_.left, area_.top, area_.left, area_.bottom, "axis");
  }
  for (const axis_tick& t : x_.ticks())
    out += line_between(x_of(t.value), area_.bottom, x_of(t.value), area_.bottom + 4, "axis") +
           text_at(x_of(t.value), area_.bottom + 19, "middle", t.markup);
  out += line_between(area_.left, area_.bottom, area_.right, area_.bottom, "axis");
  if (!what_.y_label.empty()) out += text_at(2, 13, "start", html_text(what_.y_label));
  return out + text_at(area_.right, what_.height - 4.0, "end", html_text(what_.x_label)) + "\n";
}

std::string plot_area::levels() const {
  std::string out;
  for (const page_level& level : what_.levels)
    if (can_show(1, level.y))
      out += line_between(area_.left, y_of(level.y), area_.right, y_of(level.y), "level");
  return out;
}

std::string plot_area::curve(const page_series& s) const {
  std::string places;
  for (const page_point& p : s.points)
    if (can_show(p.x, p.y)) places += pixels(x_of(p.x)) + "," + pixels(y_of(p.y)) + " ";
  return "<polyline class=\"" + look_of(s, "curve") + "\" points=\"" + places + "\"/>";
}

std::string plot_area::bars(const page_series& s) const {
  std::string out;
  for (const page_point& p : s.points) {
    if (!can_show(p.x, p.y)) continue;
    const double left = x_of(p.x - what_.bar_width / 2), right = x_of(p.x + what_.bar_width / 2);
    out += "<rect class=\"" + look_of(s, "bar") + "\"" + attribute("x", left) +
           attribute("y", y_of(p.y)) + attribute("width", std::max(1.0, right - left - 1)) +
           attribute("height", area_.bottom - y_of(p.y)) + ">" + tip_of(p.tip) + "</rect>";
  }
  return out;
}

std::string plot_area::drawn(const page_series& s) const {
  if (s.look == series_look::bars) return bars(s) + "\n";
  std::string out = s.look == series_look::marks ? "" : curve(s);
  if (s.look == series_look::line) return out + "\n";
  for (const page_point& p : s.points)
    if (can_show(p.x, p.y))
      out += "<circle class=\"" + look_of(s, "mark") + "\"" + attribute("cx", x_of(p.x)) +
             attribute("cy", y_of(p.y)) + " r=\"3.5\">" + tip_of(p.tip) + "</circle>";
  return out + "\n";
}

/// Where a text may lie, from its point to the middle of its near edge; the nearest first.
std::vector<page_point> places_of_label() {
  std::vector<page_point> places;
  for (const double away : {7.0, 20.0, 40.0, 65.0, 95.0})
    for (int line = -9; line <= 9; ++line)
      for (const double side : {1.0, -1.0})
        places.push_back({side * away, 0.75 * line_height * line});
  std::ranges::stable_sort(places, {}, [](const page_point& p) { return std::hypot(p.x, p.y); });
  return places;
}

/// At most half of the chart.
double plot_area::width_of_ends() const {
  double widest = 0;
  for (const page_series& s : what_.series)
    if (!s.points.empty()) widest = std::max(widest, width_of_label(s.points.back().label));
  return std::min(widest, what_.width / 2.0);
}

/// Short pieces of a curve, each a box.
void plot_area::take_curve(const page_series& s) {
  constexpr double piece = 5, half = 1.5;
  for (std::size_t i = 1; i < s.points.size(); ++i) {
    const page_point &a = s.points[i - 1], &b = s.points[i];
    if (!can_show(a.x, a.y) || !can_show(b.x, b.y)) continue;
    const double x = x_of(a.x), y = y_of(a.y), to_x = x_of(b.x), to_y = y_of(b.y);
    const int pieces = 1 + static_cast<int>(std::hypot(to_x - x, to_y - y) / piece);
    for (int k = 0; k <= pieces; ++k) {
      const double at_x = x + (to_x - x) * k / pieces, at_y = y + (to_y - y) * k / pieces;
      curves_.push_back({at_x - half, at_y - half, at_x + half, at_y + half});
    }
  }
}

/// Where there is none beside the curves, one on a curve.
std::optional<box> plot_area::free_place(double x, double y, double width) const {
  const auto place = free_place(x, y, width, curves_);
  return place ? place : free_place(x, y, width, {});
}

std::optional<box> plot_area::free_place(double x, double y, double width,
                                         const std::vector<box>& besides) const {
  static const std::vector<page_point> places = places_of_label();
  for (const page_point& p : places) {
    const double left = p.x > 0 ? x + p.x : x + p.x - width;
    const box place{left, y + p.y - line_height / 2, left + width, y + p.y + line_height / 2};
    const bool is_inside = place.left >= area_.left && place.right <= what_.width - 2.0 &&
                           place.top >= area_.top && place.bottom <= area_.bottom;
    const auto is_in_the_way = [&](const box& b) { return b.meets(place); };
    if (is_inside && std::ranges::none_of(taken_, is_in_the_way) &&
        std::ranges::none_of(besides, is_in_the_way))
      return place;
  }
  return std::nullopt;
}

std::string plot_area::labels() {
  std::size_t left = most_labels;
  std::string leaders, texts;
  for (const page_series& s : what_.series) {
    const bool is_curve = s.look == series_look::line || s.look == series_look::line_and_marks;
    if (is_curve) take_curve(s);
    for (const page_point& p : s.points)
      if (s.look == series_look::marks && can_show(p.x, p.y))
        taken_.push_back({x_of(p.x) - 3, y_of(p.y) - 3, x_of(p.x) + 3, y_of(p.y) + 3});
  }
  for (const page_series& s : what_.series)
    for (const page_point& p : s.points) {
      if (p.label.empty() || !can_show(p.x, p.y) || left == 0) continue;
      --left;
      const double x = x_of(p.x), y = y_of(p.y);
      const auto place = free_place(x, y, width_of_label(p.label));
      if (!place) continue;  // its tool tip says it
      taken_.push_back(*place);
      const double middle = (place->top + place->bottom) / 2;
      const bool is_left = place->right < x;
      const double end = is_left ? place->right + 1 : place->left - 1;
      if (std::hypot(end - x, middle - y) > line_height)
        leaders += line_between(x, y, end, middle, "leader");
      texts += text_at(is_left ? place->right : place->left, middle + 4, is_left ? "end" : "start",
                       html_text(p.label));
    }
  return "<g class=\"labels\">" + leaders + texts + "</g>\n";
}

/// The least and the most of some numbers.
struct range {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  void add(double x) {
    least = std::min(least, x);
    most = std::max(most, x);
  }
};

std::string sample_of(const page_series& s) {
  std::string out = "<svg width=\"26\" height=\"12\" aria-hidden=\"true\">";
  if (s.look == series_look::line || s.look == series_look::line_and_marks)
    out += line_between(0, 6, 26, 6, look_of(s, "curve"));
  if (s.look == series_look::marks || s.look == series_look::line_and_marks)
    out += "<circle class=\"" + look_of(s, "mark") + "\" cx=\"13\" cy=\"6\" r=\"3.5\"/>";
  if (s.look == series_look::bars)
    out += "<rect class=\"" + look_of(s, "bar") + "\" x=\"6\" y=\"1\" width=\"14\" height=\"10\"/>";
  return out + "</svg>";
}

std::string legend_of(const page_chart& what) {
  std::string items;
  for (const page_series& s : what.series) {
    if (s.name.empty()) continue;
    const std::string item = "<li>" + sample_of(s) + html_text(s.name) + "</li>\n";
    if (items.find(item) == std::string::npos) items += item;  // labels tell alike lines apart
  }
  for (const page_level& level : what.levels)
    items +=
        "<li><svg width=\"26\" height=\"12\" aria-hidden=\"true\"><line class=\"level\" x1=\"0\" "
        "y1=\"6\" x2=\"26\" y2=\"6\"/></svg>" +
        html_text(level.name) + "</li>\n";
  return items.empty() ? "" : "<ul class=\"legend\">\n" + items + "</ul>\n";
}

}  // namespace

std::string svg_of(const page_chart& what) {
  range x, y;
  for (const page_series& s : what.series)
    for (const page_point& p : s.points) {
      if (!can_show(what, p.x, p.y)) continue;
      const double half = s.look == series_look::bars ? what.bar_width / 2 : 0;
      x.add(p.x - half);
      x.add(p.x + half);
      y.add(p.y);
    }
  if (!(x.least <= x.most)) return "";
  for (const page_level& level : what.levels)
    if (can_show(what, 1, level.y)) y.add(level.y);
  plot_area area(what,
                 what.has_log_x ? page_axis::logarithmic(x.least, x.most, what.has_powers_of_two)
                                : page_axis::linear(x.least, x.most, true),
                 what.has_log_y ? page_axis::logarithmic(y.least, y.most, false)
                                : page_axis::linear(y.least, y.most, false));
  std::string out = "<svg class=\"chart\" viewBox=\"0 0 " + std::to_string(what.width) + " " +
                    std::to_string(what.height) + "\" width=\"" + std::to_string(what.width) +
                    "\" height=\"" + std::to_string(what.height) + "\">\n" + area.axes() +
                    area.levels();
  for (const page_series& s : what.series) out += area.drawn(s);
  return out + area.labels() + "</svg>\n";
}

std::string figure_of(const page_chart& what, const std::string& caption, const std::string& kind) {
  const std::string svg = what.is_empty() ? "" : svg_of(what);
  if (svg.empty()) return "";
  const std::string text = html_text(caption);
  return "<figure class=\"" + kind + "\" role=\"img\" aria-label=\"" + text + "\">\n<figcaption>" +
         text + "</figcaption>\n" + svg + legend_of(what) + "</figure>\n";
}

}  // namespace teff::lab
