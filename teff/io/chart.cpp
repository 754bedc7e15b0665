// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/chart.hpp>

extern char** environ;

namespace teff::io {

namespace {

/// A file without a name, which goes when it is closed.
class unnamed_file {
 public:
  unnamed_file() : file_(std::tmpfile(), std::fclose) {
    if (!file_)
      throw error(std::string("chart: no place for a temporary file: ") + std::strerror(errno));
  }
  int descriptor() const { return fileno(file_.get()); }
  /// For whoever reads or writes next, from the beginning.
  void put(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
        std::fflush(file_.get()) != 0)
      throw error(std::string("chart: cannot write a temporary file: ") + std::strerror(errno));
    ::lseek(descriptor(), 0, SEEK_SET);
  }
  std::string content() {
    std::rewind(file_.get());
    std::string text;
    char part[4096];
    while (const std::size_t read = std::fread(part, 1, sizeof part, file_.get()))
      text.append(part, read);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// What gnuplot writes for a script. No shell is involved, and no settings of the user's.
std::string drawn_by_gnuplot(const std::string& script) {
  unnamed_file in, out, complaints;
  in.put(script);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, complaints.descriptor(), STDERR_FILENO);
  std::string name = "gnuplot", no_settings = "-d";
  char* const words[] = {name.data(), no_settings.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0], &streams, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&streams);
  if (failed != 0)
    throw error(std::string("charts are drawn by gnuplot, which can not be started: ") +
                std::strerror(failed) + "; install it (Debian: gnuplot-nox), or ask for no chart");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string drawn = out.content();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || drawn.empty())
    throw error("gnuplot could not draw the chart: " + complaints.content());
  return drawn;
}

/// A text as gnuplot reads it: in single quotes nothing is replaced.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += "''";
    else if (static_cast<unsigned char>(c) >= ' ')
      out += c;
  return out + "'";
}

/// The command that chooses how to draw. @throws error (usage)
std::string terminal_for(const std::string& path) {
  const std::string how = " noenhanced size 900,560 font 'sans-serif,13' background rgb 'white'\n";
  if (path.ends_with(".svg")) return "set terminal svg" + how;
  if (path.ends_with(".png")) return "set terminal pngcairo" + how;
  throw error(failure::usage, "a chart's file must end in .svg or .png, got '" + path + "'");
}

std::string script_for(const chart& what, const std::string& terminal) {
  std::ostringstream out;
  out.precision(10);
  out << terminal << "set title " << quoted(what.title) << "\nset xlabel " << quoted(what.x_label)
      << "\nset ylabel " << quoted(what.y_label)
      << "\nset border 3\nset tics nomirror\nset grid ytics lt 1 lc rgb '#dddddd'\nset yrange "
         "[0:*]\n"
         "set key below left Left reverse\nset datafile missing 'nan'\n";
  if (what.has_log_x) out << "set logscale x 2\n";
  if (!what.x_ticks.empty()) {
    out << "set xtics (";
    for (std::size_t i = 0; i < what.x_ticks.size(); ++i)
      out << (i > 0 ? "," : "") << what.x_ticks[i];
    out << ")\n";
  }
  // Colours that those who see few can tell apart (Okabe and Ito).
  constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000"};
  constexpr std::size_t colour_count = std::size(colours);
  std::string plots;
  for (std::size_t i = 0; i < what.lines.size(); ++i) {
    out << "$line" << i << " << EOD\n";
    for (const chart_point& p : what.lines[i].points)
      if (std::isfinite(p.x) && std::isfinite(p.y)) out << p.x << ' ' << p.y << '\n';
    out << "EOD\n";
    plots += (plots.empty() ? "" : ", ") + ("$line" + std::to_string(i)) +
             " with linespoints lw 2 pt " + std::to_string(5 + 2 * (i % 5)) + " ps 0.8 lc rgb '" +
             colours[i % colour_count] + "' title " + quoted(what.lines[i].name);
  }
  for (const chart_level& level : what.levels)
    plots += (plots.empty() ? "" : ", ") + std::to_string(level.y) +
             " with lines lw 2 dt 2 lc rgb '#555555' title " + quoted(level.name);
  out << "plot " << plots << '\n';
  return out.str();
}

}  // namespace

void write_chart(const std::string& path, const chart& what) {
  write_file(path, drawn_by_gnuplot(script_for(what, terminal_for(path))));
}

void require_chart(const std::string& path) {
  require_writable(path);
  const chart smallest{.lines = {{"a", {{1, 1}, {2, 2}}}}};
  drawn_by_gnuplot(script_for(smallest, terminal_for(path)));
}

}  // namespace teff::io
