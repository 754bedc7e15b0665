// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/lab/progress.hpp>

namespace teff::lab {

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
  line_.show(line(done_, steps_, elapsed_s, what, solve::stderr_columns() - 1));
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
