// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <teff/base/bytes.hpp>
#include <teff/io/child_process.hpp>

extern char** environ;

namespace teff::io {

namespace {

[[noreturn]] void fail(const std::string& doing) {
  throw error("cannot " + doing + ": " + std::strerror(errno));
}

/// A file in memory, which goes when it is closed. Unlike a pipe it holds what two programs write
/// to each other without either waiting for the other, and it needs no place on a disk.
class unnamed_file {
 public:
  unnamed_file() : descriptor_(::memfd_create("teff", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail("make a file in memory");
  }
  ~unnamed_file() { ::close(descriptor_); }
  unnamed_file(unnamed_file&&) = delete;
  unnamed_file& operator=(unnamed_file&&) = delete;

  int descriptor() const { return descriptor_; }
  /// For whoever reads next, from the beginning.
  void put(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write a file in memory");
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }
  /// What is in it so far.
  std::size_t bytes() const {
    struct stat about {};
    return ::fstat(descriptor_, &about) == 0 ? static_cast<std::size_t>(about.st_size) : 0;
  }
  /// As much of it as there is, up to a little more than `most_bytes`.
  std::string content(std::size_t most_bytes) const {
    std::string text;
    char part[4096];
    while (text.size() <= most_bytes) {
      const ssize_t got = ::pread(descriptor_, part, sizeof part, static_cast<off_t>(text.size()));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("read a file in memory");
      if (got == 0) break;
      text.append(part, static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  int descriptor_;
};

/// The streams that a child gets in place of ours, and the folder where it works.
class start_actions {
 public:
  start_actions() { posix_spawn_file_actions_init(&actions_); }
  ~start_actions() { posix_spawn_file_actions_destroy(&actions_); }
  start_actions(start_actions&&) = delete;
  start_actions& operator=(start_actions&&) = delete;
  void give(const unnamed_file& file, int as) {
    posix_spawn_file_actions_adddup2(&actions_, file.descriptor(), as);
  }
  void work_in(const std::string& folder) {
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  const posix_spawn_file_actions_t* handle() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// A process group of its own.
class own_group {
 public:
  own_group() {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  ~own_group() { posix_spawnattr_destroy(&attributes_); }
  own_group(own_group&&) = delete;
  own_group& operator=(own_group&&) = delete;
  const posix_spawnattr_t* handle() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

/// Our environment but for the locale: the numbers that programs write and read, and what they
/// complain of, are to be the same everywhere.
class plain_environment {
 public:
  plain_environment() {
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
      if (!std::string_view(*variable).starts_with("LC_ALL=")) all_.push_back(*variable);
    all_.push_back(locale_.data());
    all_.push_back(nullptr);
  }
  char* const* handle() const { return all_.data(); }

 private:
  std::string locale_ = "LC_ALL=C";
  std::vector<char*> all_;
};

/// A program that runs, with those that it starts; they end with this object.
class running_program {
 public:
  running_program(std::vector<std::string>& words, const start_actions& actions) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const own_group group;
    const plain_environment environment;
    const int failed = posix_spawnp(&id_, arguments.front(), actions.handle(), group.handle(),
                                    arguments.data(), environment.handle());
    if (failed != 0)
      throw not_started("'" + words.front() + "' can not be started: " + std::strerror(failed));
  }
  ~running_program() {
    if (has_ended_) return;
    end(SIGKILL);
    while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  running_program(running_program&&) = delete;
  running_program& operator=(running_program&&) = delete;

  /// Asks, and does not wait.
  bool has_ended() {
    pid_t found = 0;
    while ((found = ::waitpid(id_, &status_, WNOHANG)) < 0 && errno == EINTR) {
    }
    has_ended_ = found != 0;
    if (found < 0)
      throw error(std::string("cannot find out how a program ended: ") + std::strerror(errno));
    return has_ended_;
  }
  void end(int signal) const { ::kill(-id_, signal); }
  int exit_status() const {
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  }

 private:
  pid_t id_ = 0;
  int status_ = 0;
  bool has_ended_ = false;
};

}  // namespace

child_result run_program(std::vector<std::string> words, std::string_view input,
                         std::size_t most_bytes, const std::function<bool()>& is_unwanted,
                         const std::string& folder) {
  if (words.empty()) throw error("run_program: expected the name of a program, got no words");
  const unnamed_file in, out, complaints;
  in.put(input);
  start_actions actions;
  // In the order of their making: where a stream of ours is closed, one of them may be in its
  // place.
  actions.give(in, STDIN_FILENO);
  actions.give(out, STDOUT_FILENO);
  actions.give(complaints, STDERR_FILENO);
  actions.work_in(folder);
  const auto refuse_flood = [&](std::size_t written) {
    if (written > most_bytes)
      throw error("'" + words.front() + "' wrote more than " + bytes_text(most_bytes));
  };
  running_program program(words, actions);
  // Looked at often while it is young: most programs here are short.
  using std::chrono::milliseconds;
  for (milliseconds pause{1}; !program.has_ended(); pause = std::min(2 * pause, milliseconds{50})) {
    refuse_flood(std::max(out.bytes(), complaints.bytes()));
    if (is_unwanted && is_unwanted()) program.end(SIGTERM);
    std::this_thread::sleep_for(pause);
  }
  child_result found{program.exit_status(), out.content(most_bytes),
                     complaints.content(most_bytes)};
  refuse_flood(std::max(found.output.size(), found.complaints.size()));
  return found;
}

}  // namespace teff::io
