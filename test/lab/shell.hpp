// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <teff/base/config.hpp>

/// A command as a user meets it. Needs an environment variable with the path of the built command:
/// TEFF_COMMAND for `teff`.
namespace teff::inline TEFF_MODE::test {

inline std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct outcome {
  int status = -1;
  std::string out, err;
};

/// A folder of its own, and the command run in it, on the CPU.
class shell {
 public:
  explicit shell(const char* command = "TEFF_COMMAND") : command_(command) {
    std::string name = (std::filesystem::temp_directory_path() / "teff_command_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
  }
  ~shell() { std::filesystem::remove_all(folder); }
  shell(shell&&) = delete;
  shell& operator=(shell&&) = delete;

  static bool has_command(const char* command = "TEFF_COMMAND") {
    const bool has = std::getenv(command) != nullptr;
    if (!has) MESSAGE("skipped: " << command << " does not name the command");
    return has;
  }

  /// @param before words that come before the command: settings of its environment
  outcome run(const std::string& arguments, const std::string& before = "") const {
    const std::string line = "cd " + folder.string() + " && unset COLUMNS && TEFF_DEVICE=cpu " +
                             before + " " + std::getenv(command_) + " " + arguments + " >out 2>err";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder / "out"),
            text_of(folder / "err")};
  }

  /// Starts the command and does not wait for it. @param ignored a signal that it finds ignored
  pid_t start(std::vector<std::string> words, int ignored = 0) const {
    words.insert(words.begin(), "teff");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::fflush(nullptr);  // else the child would write it again
    const pid_t child = fork();
    if (child != 0) return child;
    // Whatever runs the tests may ignore some: a shell does for what is in the background.
    for (const int s : {SIGINT, SIGTERM, SIGHUP}) std::signal(s, s == ignored ? SIG_IGN : SIG_DFL);
    if (chdir(folder.c_str()) != 0 || setenv("TEFF_DEVICE", "cpu", 1) != 0) _exit(99);
    if (freopen("err", "w", stderr) == nullptr || freopen("out", "w", stdout) == nullptr) _exit(99);
    execv(std::getenv(command_), arguments.data());
    _exit(98);
  }

  std::string text(const char* file) const { return text_of(folder / file); }

  std::filesystem::path folder;

 private:
  const char* command_;
};

/// The command, started and not waited for; a check that fails leaves none behind.
class running {
 public:
  explicit running(pid_t child) : child_(child) {}
  ~running() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  running(running&&) = delete;
  running& operator=(running&&) = delete;

  pid_t id() const { return child_; }
  void send(int signal) const { kill(child_, signal); }
  /// Waits for its end: its exit status, or 128 + the signal that ended it.
  int status() {
    int status = 0;
    REQUIRE(waitpid(child_, &status, 0) == child_);
    return ended(status);
  }
  /// The same; -1 if it does not end within so many seconds.
  int status_within(double most_s) {
    for (int ms = 0; ms < 1000 * most_s; ++ms) {
      int status = 0;
      if (waitpid(child_, &status, WNOHANG) == child_) return ended(status);
      usleep(1000);
    }
    return -1;
  }

 private:
  int ended(int status) {
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  pid_t child_;
};

inline void wait_for_file(const std::filesystem::path& path) {
  for (int i = 0; i < 2000 && !std::filesystem::exists(path); ++i) usleep(5000);
  REQUIRE(std::filesystem::exists(path));
}

/// Whether what it said on stderr holds `part`.
inline bool says(const outcome& found, const std::string& part) {
  const bool is_there = found.err.find(part) != std::string::npos;
  if (!is_there) MESSAGE("looked for \"" << part << "\" in \"" << found.err << "\"");
  return is_there;
}

}  // namespace teff::inline TEFF_MODE::test
