// SPDX-License-Identifier: MIT
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include <teff/base/bytes.hpp>
#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/open_file.hpp>

namespace teff::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& doing, const std::string& path, int reason) {
  throw error(failed_text(doing, path, reason));
}

/// Makes `target` hold the content, or leaves it as it was: 0, or why it failed.
int replace(const std::string& target, std::string_view content) {
  file_beside made(target);
  if (!made.content().is_open()) return errno;
  if (const int reason = made.content().write_all(content)) return reason;
  return made.replace_target();
}

void write_directly(const std::string& path, std::string_view content) {
  open_file out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!out.is_open()) fail("write", path, errno);
  if (const int reason = out.write_all(content)) fail("write", path, reason);
}

}  // namespace

std::string behind_links(const std::string& path) {
  constexpr int most_links = 40;  // as the kernel follows
  fs::path target = path;
  std::error_code ignored;
  for (int links = 0; fs::is_symlink(target, ignored); ++links) {
    if (links == most_links) fail("write", path, ELOOP);
    target = target.parent_path() / fs::read_symlink(target, ignored);
  }
  return target.string();
}

void write_file(const std::string& path, std::string_view content) {
  if (path.find('\0') != std::string::npos) fail("write", path, EINVAL);  // another file for C
  if (exists_but_is_no_regular_file(path)) return write_directly(path, content);
  const std::string target = behind_links(path);
  if (const int reason = replace(target, content)) fail("write", path, reason);
  sync_folder_of(target);
}

void require_writable(const std::string& path) {
  if (path.empty()) throw error("cannot write a file without a name");
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("write", path, EISDIR);
  if (exists_but_is_no_regular_file(path)) {
    if (::access(path.c_str(), W_OK) != 0) fail("write", path, errno);
    return;
  }
  file_beside attempt(behind_links(path));
  if (!attempt.content().is_open()) fail("write", path, errno);
}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("read", path, EISDIR);
  const open_file in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in.is_open()) fail("read", path, errno);
  std::string content;
  char piece[1 << 16];
  for (;;) {
    const ssize_t got = ::read(in.descriptor(), piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path, errno);
    if (got == 0) return content;
    content.append(piece, static_cast<std::size_t>(got));
    if (content.size() > max_bytes)
      throw error("cannot read '" + path + "': it holds more than " + bytes_text(max_bytes));
  }
}

}  // namespace teff::io
