// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include <teff/stencil/schedule_file.hpp>
#include <teff/stencil/way.hpp>

namespace teff::runtime {

namespace {

/// A regular file that is open, or nothing. Opening never waits: a FIFO would, for its other end.
class regular_file {
 public:
  regular_file(const std::string& name, int how)
      : descriptor_(::open(name.c_str(), how | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666)) {
    struct stat about {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &about) != 0 || !S_ISREG(about.st_mode)) return;
    is_there_ = true;
    size_ = static_cast<std::size_t>(about.st_size);
  }
  ~regular_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  regular_file(regular_file&&) = delete;
  regular_file& operator=(regular_file&&) = delete;

  bool is_there() const { return is_there_; }
  std::size_t size() const { return size_; }

  /// Up to so many bytes from a position on.
  std::string read(std::size_t from, std::size_t most) const {
    std::string text(most, '\0');
    std::size_t done = 0;
    while (done < most) {
      const ssize_t got =
          ::pread(descriptor_, text.data() + done, most - done, static_cast<off_t>(from + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    text.resize(done);
    return text;
  }
  void write(const std::string& text) const {
    (void)!::write(descriptor_, text.data(), text.size());
  }

 private:
  int descriptor_;
  bool is_there_ = false;
  std::size_t size_ = 0;
};

/// What short_text() made; nothing of other texts.
std::optional<step_plan> plan_of_text(std::string_view text) {
  for (const way* one : ways())
    if (const auto depth = one->depth_of(text)) return step_plan{one->schedule(), *depth};
  return {};
}

}  // namespace

std::string schedules_text(const std::string& file) {
  const regular_file in(file, O_RDONLY);
  if (!in.is_there()) return "";
  if (in.size() <= most_schedule_bytes) return in.read(0, in.size());
  const std::string end = in.read(in.size() - most_schedule_bytes, most_schedule_bytes);
  return end.substr(std::min(end.find('\n'), end.size()));
}

std::map<std::string, step_plan> plans_in(std::string_view text) {
  constexpr std::size_t longest_plan = 16;  // of a way's short texts
  std::map<std::string, step_plan> plans;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t tab = line.substr(0, longest_plan).find('\t');
    if (tab == std::string_view::npos) continue;
    if (const auto plan = plan_of_text(line.substr(0, tab)))
      plans[std::string(line.substr(tab + 1))] = *plan;
  }
  return plans;
}

void append_plan(const std::string& file, const std::string& key, const step_plan& plan) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  const regular_file out(file, O_RDWR | O_APPEND | O_CREAT);
  if (!out.is_there()) return;
  // A user's edit may have taken the end of the last line.
  const bool ends_in_a_line = out.size() == 0 || out.read(out.size() - 1, 1) == "\n";
  const std::string line = (ends_in_a_line ? "" : "\n") + short_text(plan) + "\t" + key + "\n";
  if (out.size() + line.size() <= most_schedule_bytes) out.write(line);
}

}  // namespace teff::runtime
