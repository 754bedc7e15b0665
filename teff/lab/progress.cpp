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

}  // namespace

bool status_line::on_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void status_line::show(const std::string& text) {
  if (!shown_) return;
  const auto columns = static_cast<std::size_t>(std::max(0, terminal_columns() - 1));
  std::fprintf(stderr, "\r\033[K%s", text.substr(0, columns).c_str());
  std::fflush(stderr);
  is_there_ = true;
}

void status_line::clear() {
  if (!is_there_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  is_there_ = false;
}

void progress::next(const std::string& what) {
  ++done_;
  draw(what);
}

void progress::reach(int done, const std::string& what) {
  done_ = done;
  if (clock::now() - drawn_ > std::chrono::milliseconds(200)) draw(what);
}

void progress::draw(const std::string& what) {
  drawn_ = clock::now();
  const double elapsed_s = std::chrono::duration<double>(drawn_ - start_).count();
  line_.show(line(done_, steps_, elapsed_s, what, terminal_columns() - 1));
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
