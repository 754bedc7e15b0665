// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

#include <teff/lab/progress.hpp>

namespace teff::lab {

namespace {

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string duration_text(double seconds) {
  if (seconds < 90) return std::to_string(std::lround(seconds)) + " s";
  return std::to_string(std::lround(seconds / 60)) + " min";
}

}  // namespace

progress::progress(int steps, bool shown) : steps_(steps), shown_(shown) {}
progress::~progress() {
  clear();
}

bool progress::on_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void progress::next(const std::string& what) {
  ++done_;
  if (!shown_) return;
  const double elapsed_s = std::chrono::duration<double>(clock::now() - start_).count();
  const std::string text = line(done_, steps_, elapsed_s, what, terminal_columns() - 1);
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

void progress::clear() {
  if (!shown_ || done_ < 0) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

std::string progress::line(int done, int steps, double elapsed_s, const std::string& what,
                           int columns) {
  const std::string all = std::to_string(steps);
  std::string step = std::to_string(std::min(done + 1, steps));
  step.insert(0, all.size() - std::min(all.size(), step.size()), ' ');
  std::string text = "[" + step + "/" + all + "] " + what;
  if (done > 0) {
    const double left_s = elapsed_s / done * std::max(0, steps - done);
    text += "  " + std::to_string(100 * std::min(done, steps) / std::max(1, steps)) + " %  about " +
            duration_text(left_s) + " left";
  }
  return text.substr(0, static_cast<std::size_t>(std::max(0, columns)));
}

}  // namespace teff::lab
