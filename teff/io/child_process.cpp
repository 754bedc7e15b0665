// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <teff/base/bytes.hpp>
#include <teff/io/child_process.hpp>

extern char** environ;

namespace teff::io {

namespace {

/// A file without a name, which goes when it is closed. Unlike a pipe it holds what two programs
/// write to each other without either waiting for the other.
class unnamed_file {
 public:
  unnamed_file() : file_(std::tmpfile(), std::fclose) {
    if (!file_) throw error(std::string("no place for a temporary file: ") + std::strerror(errno));
  }
  int descriptor() const { return fileno(file_.get()); }
  /// For whoever reads next, from the beginning.
  void put(std::string_view text) {
    const bool is_written =  // no text may have no address
        text.empty() || std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
    if (!is_written || std::fflush(file_.get()) != 0)
      throw error(std::string("cannot write a temporary file: ") + std::strerror(errno));
    ::lseek(descriptor(), 0, SEEK_SET);
  }
  /// What is in it so far.
  std::size_t bytes() const {
    struct stat about {};
    return ::fstat(descriptor(), &about) == 0 ? static_cast<std::size_t>(about.st_size) : 0;
  }
  /// As much of it as there is, up to a little more than `most_bytes`.
  std::string content(std::size_t most_bytes) {
    std::rewind(file_.get());
    std::string text;
    char part[4096];
    while (const std::size_t read = std::fread(part, 1, sizeof part, file_.get())) {
      text.append(part, read);
      if (text.size() > most_bytes) break;
    }
    if (std::ferror(file_.get()) != 0)
      throw error(std::string("cannot read a temporary file: ") + std::strerror(errno));
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// The streams that a child gets in place of ours.
class stream_actions {
 public:
  stream_actions() { posix_spawn_file_actions_init(&actions_); }
  ~stream_actions() { posix_spawn_file_actions_destroy(&actions_); }
  stream_actions(stream_actions&&) = delete;
  stream_actions& operator=(stream_actions&&) = delete;
  void give(const unnamed_file& file, int as) {
    posix_spawn_file_actions_adddup2(&actions_, file.descriptor(), as);
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

/// A program that runs, with those that it starts; they end with this object.
class running_program {
 public:
  running_program(std::vector<std::string>& words, const stream_actions& streams) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const own_group group;
    const int failed = posix_spawnp(&id_, arguments.front(), streams.handle(), group.handle(),
                                    arguments.data(), environ);
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
                         std::size_t most_bytes, const std::function<bool()>& is_unwanted) {
  if (words.empty()) throw error("run_program: expected the name of a program, got no words");
  unnamed_file in, out, complaints;
  in.put(input);
  stream_actions streams;
  streams.give(in, STDIN_FILENO);
  streams.give(out, STDOUT_FILENO);
  streams.give(complaints, STDERR_FILENO);
  const auto refuse_flood = [&](std::size_t written) {
    if (written > most_bytes)
      throw error("'" + words.front() + "' wrote more than " + bytes_text(most_bytes));
  };
  running_program program(words, streams);
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
