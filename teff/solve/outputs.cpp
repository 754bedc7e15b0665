// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <unistd.h>

#include <teff/base/error.hpp>
#include <teff/io/animation.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/chart.hpp>
#include <teff/io/figure.hpp>
#include <teff/io/npy.hpp>
#include <teff/io/png.hpp>
#include <teff/io/terminal_picture.hpp>
#include <teff/io/vti.hpp>
#include <teff/solve/console.hpp>
#include <teff/solve/failure_of.hpp>
#include <teff/solve/outputs.hpp>

namespace teff::solve {

namespace {

/// The leading field for pictures: of a box its middle plane.
struct plane {
  index_t nx = 1, ny = 1;
  std::vector<double> values;
};

template <class R>
std::vector<double> as_doubles(const std::string& cells) {
  std::vector<R> values(cells.size() / sizeof(R));
  std::memcpy(values.data(), cells.data(), cells.size());
  return {values.begin(), values.end()};
}

std::vector<double> leading_values(const solver_run& run, const std::string& type) {
  const std::string cells = field_now(run, 0, type).cells;
  return type == "f64" ? as_doubles<double>(cells) : as_doubles<float>(cells);
}

plane middle_plane(const std::vector<index_t>& shape, std::vector<double> values) {
  const index_t nx = shape[0], ny = shape.size() > 1 ? shape[1] : 1;
  if (shape.size() < 3) return {nx, ny, std::move(values)};
  const auto middle = values.begin() + nx * ny * (shape[2] / 2);
  return {nx, ny, {middle, middle + nx * ny}};
}

std::string axis_label(std::size_t dim) {
  const std::string name(1, "xyz"[dim]);
  return name + " [unit of l" + name + "]";
}

io::chart line_chart(const solver_field& f, const std::string& quantity,
                     const std::vector<double>& values, const solver_limits& limits, index_t step) {
  io::chart_line line{f.name, {}, io::drawn_as::line};
  for (std::size_t i = 0; i < values.size(); ++i)
    line.points.push_back({f.origin[0] + static_cast<double>(i) * f.spacings[0], values[i]});
  std::optional<io::chart_range> range;
  if (limits.lower < limits.upper) range = {limits.lower, limits.upper};
  return {.title = "step " + std::to_string(step),
          .x_label = axis_label(0),
          .y_label = quantity,
          .lines = {line},
          .y_range = range};
}

/// The outer edges of the cells along a dim, or of points as if they were such.
io::figure_axis axis_of(const solver_field& f, std::size_t dim) {
  const double d = f.spacings[dim], first = f.origin[dim] - d / 2;
  return {axis_label(dim), first, first + d * static_cast<double>(f.shape[dim])};
}

std::string frame_file(const std::string& prefix, index_t step) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%06lld.png", static_cast<long long>(step));
  return frame_beginning(prefix) + digits;
}

void save_vti(const std::string& path, const solver_run& run, const std::string& type,
              std::vector<std::string>& written) {
  // A file has one grid; fields of a staggered one need several.
  const std::vector<solver_field>& fields = run.fields();
  const std::string stem = path.substr(0, path.size() - 4);
  std::vector<bool> is_saved(fields.size(), false);
  for (std::size_t first = 0; first < fields.size(); ++first) {
    if (is_saved[first]) continue;
    const solver_field& grid = fields[first];
    io::vti_image image{grid.origin, grid.spacings, {}};
    for (std::size_t i = first; i < fields.size(); ++i)
      if (fields[i].shape == grid.shape && fields[i].origin == grid.origin) {
        image.fields.push_back(field_now(run, i, type));
        is_saved[i] = true;
      }
    const std::string file = first == 0 ? path : stem + "_" + grid.name + ".vti";
    io::write_vti(file, image);
    written.push_back(file);
  }
}

/// An animation's frames are in memory until the end.
void require_few_frames(index_t every, const solve_plan& plan) {
  constexpr index_t most = 1000;
  const index_t first = plan.resumed ? plan.resumed->step : 0;
  const index_t frames = plan.steps / every - ceil_div(first, every) + 1;
  if (frames > most)
    throw error(failure::usage, "--animation: expected at most " + std::to_string(most) +
                                    " frames, got " + std::to_string(frames) +
                                    "; a larger --every makes fewer");
}

bool stdout_has_colours() {
  const char* refused = std::getenv("NO_COLOR");  // https://no-color.org
  return isatty(STDOUT_FILENO) != 0 && (refused == nullptr || *refused == '\0');
}

int picture_columns() {
  constexpr std::size_t most = 72;
  const std::size_t columns = stdout_columns();
  return static_cast<int>(columns > 0 ? std::min(most, columns) : most);
}

}  // namespace

std::string solve_outputs::picture_of(const solver_run& run, index_t step, const std::string& path,
                                      int min_pixels, int max_pixels) const {
  const solver_field& f = run.fields().front();
  const std::vector<double> values = leading_values(run, plan_.setup.type);
  if (f.shape.size() == 1)
    return io::chart_bytes(path, line_chart(f, plan_.what->quantity, values, colours_, step));
  const plane p = middle_plane(f.shape, values);
  const io::heat_map_options map{.limits = {colours_.lower, colours_.upper},
                                 .min_pixels = min_pixels,
                                 .max_pixels = max_pixels};
  if (!asked_.has_axes) return io::heat_map_png(p.values, p.nx, p.ny, map);
  return io::figure_png(p.values, p.nx, p.ny,
                        {.map = map,
                         .title = "step " + std::to_string(step),
                         .value = plan_.what->quantity,
                         .x = axis_of(f, 0),
                         .y = axis_of(f, 1)});
}

solve_outputs::solve_outputs(const solve_arguments& asked, const solve_plan& plan)
    : asked_(asked),
      plan_(plan),
      colours_(plan.what->limits ? plan.what->limits(plan.setup) : solver_limits{0, 0}) {
  if (!asked.limits.empty()) colours_ = {asked.limits[0], asked.limits[1]};
  constexpr index_t usual_frames = 50;
  if (!asked.frames.empty() || !asked.animation.empty())
    every_ = asked.every.value_or(std::max<index_t>(1, plan.steps / usual_frames));
  if (!asked.animation.empty()) require_few_frames(every_, plan);
  const bool is_line = plan.setup.shape.size() == 1;
  if (!asked.picture.empty()) {
    if (!is_line && !asked.picture.ends_with(".png"))
      throw error(failure::usage,
                  "--picture: a heat map's file must end in .png, got '" + asked.picture + "'");
    is_line ? io::require_chart(asked.picture) : io::require_writable(asked.picture);
  }
  for (const std::string& file : asked.save) io::require_writable(file);
  if (!asked.frames.empty()) {
    const std::string first = frame_file(asked.frames, 0);
    is_line ? io::require_chart(first) : io::require_writable(first);
  }
  if (!asked.animation.empty()) io::require_animation(asked.animation);
  if (asked.has_axes) (void)io::figure_png(std::array<double, 1>{}, 1, 1, {});  // gnuplot is there
}

void solve_outputs::draw_frame(const solver_run& run, index_t step) {
  if (!asked_.frames.empty()) {
    const std::string file = frame_file(asked_.frames, step);
    io::write_file(file, picture_of(run, step, file, 512, 2048));
    if (first_frame_.empty()) first_frame_ = file;
    last_frame_ = file;
  }
  if (!asked_.animation.empty()) frames_.push_back(picture_of(run, step, ".png", 384, 768));
}

void solve_outputs::finish(const solver_run& run, index_t step) {
  const std::string& type = plan_.setup.type;
  const std::vector<double> values = leading_values(run, type);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  range_ = {infinity, -infinity};
  for (const double v : values) {
    if (!std::isfinite(v)) {
      is_finite_ = false;
      continue;
    }
    range_.lower = std::min(range_.lower, v);
    range_.upper = std::max(range_.upper, v);
  }
  const auto attempt = [&](const auto& work) {
    if (auto why = failure_of(work)) failures_.push_back(std::move(*why));
  };
  for (const std::string& file : asked_.save)  // first: pictures need other programs
    attempt([&] {
      if (file.ends_with(".vti")) return save_vti(file, run, type, written_);
      io::write_npy(file, field_now(run, 0, type));
      written_.push_back(file);
    });
  if (asked_.show)
    attempt([&] {
      const plane p = middle_plane(run.fields().front().shape, values);
      const auto [lower, upper] =
          io::with_limits(p.values, {.limits = {colours_.lower, colours_.upper}}).limits;
      const io::terminal_picture_options how{lower, upper, picture_columns(), stdout_has_colours()};
      to_stdout(io::terminal_picture(p.values, p.nx, p.ny, how));
    });
  if (!asked_.picture.empty())
    attempt([&] {
      io::write_file(asked_.picture, picture_of(run, step, asked_.picture, 512, 2048));
      written_.push_back(asked_.picture);
    });
  if (!first_frame_.empty())
    written_.push_back(first_frame_ == last_frame_ ? first_frame_
                                                   : first_frame_ + " to " + last_frame_);
  if (!asked_.animation.empty())
    attempt([&] {
      io::write_animation(asked_.animation, frames_);
      written_.push_back(asked_.animation);
    });
}

}  // namespace teff::solve
