// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
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
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
        std::fflush(file_.get()) != 0)
      throw error(std::string("cannot write a temporary file: ") + std::strerror(errno));
    ::lseek(descriptor(), 0, SEEK_SET);
  }
  std::string content(const std::string& writer, std::size_t most_bytes) {
    std::rewind(file_.get());
    std::string text;
    char part[4096];
    while (const std::size_t read = std::fread(part, 1, sizeof part, file_.get())) {
      text.append(part, read);
      if (text.size() > most_bytes)
        throw error("'" + writer + "' wrote more than " + bytes_text(most_bytes));
    }
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

}  // namespace

child_result run_program(std::vector<std::string> words, std::string_view input,
                         std::size_t most_bytes) {
  if (words.empty()) throw error("run_program: expected the name of a program, got no words");
  unnamed_file in, out, complaints;
  in.put(input);
  stream_actions streams;
  streams.give(in, STDIN_FILENO);
  streams.give(out, STDOUT_FILENO);
  streams.give(complaints, STDERR_FILENO);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments.front(), streams.handle(), nullptr, arguments.data(), environ);
  if (failed != 0)
    throw not_started("'" + words.front() + "' can not be started: " + std::strerror(failed));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          out.content(words.front(), most_bytes), complaints.content(words.front(), most_bytes)};
}

}  // namespace teff::io
