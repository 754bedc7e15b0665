// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

#include <teff/solve/status_line.hpp>

namespace teff::solve {

int stderr_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool status_line::on_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void status_line::show(const std::string& text) {
  if (!shown_) return;
  const auto columns = static_cast<std::size_t>(std::max(0, stderr_columns() - 1));
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

}  // namespace teff::solve
