// SPDX-License-Identifier: MIT
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include <teff/base/error.hpp>
#include <teff/io/gnuplot.hpp>

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

}  // namespace

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

std::string gnuplot_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) continue;
    if (std::isalnum(byte) != 0 || byte >= 0x80 || std::strchr(" .,:;/()[]+-_=", c) != nullptr) {
      out += c;
      continue;
    }
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", byte);
    out += octal;
  }
  return out + "\"";
}

}  // namespace teff::io
