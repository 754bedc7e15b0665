// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <locale>
#include <sstream>
#include <string_view>
#include <utility>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/chart.hpp>
#include <teff/io/gnuplot.hpp>

namespace teff::io {

namespace {

std::string with_replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

enum class picture { svg, png };

/// What the end of the name asks for. @throws error (usage)
picture format_of(const std::string& path) {
  if (path.ends_with(".svg")) return picture::svg;
  if (path.ends_with(".png")) return picture::png;
  throw error(failure::usage, "a chart's file must end in .svg or .png, got '" + path + "'");
}

/// Logarithms are of numbers above 0.
bool can_be_drawn(const chart_point& p, const chart& what) {
  return std::isfinite(p.x) && std::isfinite(p.y) && (p.x > 0 || !what.has_log_x) &&
         (p.y > 0 || !what.has_log_y);
}

/// Numbers as gnuplot reads them, whatever locale the program has set.
std::ostringstream numbers_for_gnuplot() {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(10);
  return out;
}

std::string axes_for(const chart& what) {
  std::ostringstream out = numbers_for_gnuplot();
  out << "set title " << gnuplot_text(what.title) << "\nset xlabel " << gnuplot_text(what.x_label)
      << "\nset ylabel " << gnuplot_text(what.y_label)
      << "\nset border 3\nset tics nomirror\nset grid ytics lt 1 lc rgb '#dddddd'\n"
         "set datafile missing 'nan'\nset format '%.10g'\nset key Left reverse "
      << (what.lines.size() + what.levels.size() > 6 ? "outside right top maxcols 1\n"
                                                     : "below left\n");
  if (what.has_log_x) out << "set logscale x 2\n";
  if (what.has_log_y) out << "set logscale y 10\n";
  if (what.y_range)
    out << "set yrange [" << what.y_range->lower << ':' << what.y_range->upper << "]\n";
  else if (!what.has_log_y)
    out << "set yrange [0:*]\n";
  std::vector<double> ticks = what.x_ticks;
  std::erase_if(ticks, [&](double x) { return !can_be_drawn({x, 1}, what); });
  if (ticks.empty() && what.x_names.empty()) return out.str();
  if (!ticks.empty() && what.has_log_x) {
    // A little beyond, since gnuplot leaves out a tick that rounding puts outside.
    const auto [first, last] = std::ranges::minmax(ticks);
    out << "set xrange [" << first / 1.03 << ':' << last * 1.03 << "]\n";
  }
  const char* between = "";
  out << "set xtics " << (what.x_names.empty() ? "(" : "rotate by -30 (");
  for (const double x : ticks) out << std::exchange(between, ",") << x;
  for (std::size_t x = 0; x < what.x_names.size(); ++x)
    out << std::exchange(between, ",") << gnuplot_text(with_replaced(what.x_names[x], "%", "%%"))
        << ' ' << x;
  out << ")\n";
  if (!what.x_names.empty())
    out << "set xrange [-0.6:" << static_cast<double>(what.x_names.size()) - 0.4 << "]\n";
  return out.str();
}

std::string look_of(drawn_as look, std::size_t number) {
  const std::string marks = " pt " + std::to_string(5 + 2 * (number % 5)) + " ps 0.8";
  switch (look) {
    case drawn_as::line:
      return "lines lw 2";
    case drawn_as::marks:
      return "points" + marks;
    case drawn_as::bars:
      return "boxes fs solid 0.8";
    case drawn_as::line_and_marks:
      break;
  }
  return "linespoints lw 2" + marks;
}

/// What gnuplot does for a chart, on the terminal that `terminal` names.
std::string script_for(const chart& what, const std::string& terminal) {
  std::ostringstream out = numbers_for_gnuplot();
  out << "set terminal " << terminal << '\n' << axes_for(what);
  // Colours that those who see few can tell apart (Okabe and Ito).
  constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#7f7f7f"};
  std::string plots;
  for (std::size_t i = 0; i < what.lines.size(); ++i) {
    out << "$line" << i << " << EOD\n";
    for (const chart_point& p : what.lines[i].points)
      if (can_be_drawn(p, what)) out << p.x << ' ' << p.y << '\n';
    out << "EOD\n";
    plots += (plots.empty() ? "" : ", ") + ("$line" + std::to_string(i)) + " with " +
             look_of(what.lines[i].look, i) + " lc rgb '" + colours[i % std::size(colours)] +
             "' title " + gnuplot_text(what.lines[i].name);
  }
  for (const chart_level& level : what.levels)
    if (can_be_drawn({1, level.y}, what))
      plots += (plots.empty() ? "" : ", ") + decimal(level.y, 10) +
               " with lines lw 2 dt 2 lc rgb '#999999' title " + gnuplot_text(level.name);
  // Bars stand side by side; a lone one would fill the chart.
  out << "set boxwidth " << (what.x_names.empty() ? "1 relative" : "0.6") << "\nplot " << plots
      << '\n';
  return out.str();
}

}  // namespace

std::string chart_bytes(const std::string& path, const chart& what) {
  const std::string terminal = format_of(path) == picture::svg ? "svg" : "pngcairo";
  return drawn_by_gnuplot(script_for(
      what, terminal + " noenhanced size 900,560 font 'sans-serif,13' background rgb 'white'"));
}

void write_chart(const std::string& path, const chart& what) {
  write_file(path, chart_bytes(path, what));
}

void require_chart(const std::string& path) {
  format_of(path);
  require_writable(path);
  drawn_by_gnuplot(script_for({.lines = {{"a", {{1, 1}, {2, 2}}}}}, "svg"));
}

}  // namespace teff::io
