// SPDX-License-Identifier: MIT
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <teff/base/bytes.hpp>
#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>

namespace teff::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& doing, const std::string& path, int reason) {
  throw error("cannot " + doing + " '" + path + "': " + std::strerror(reason));
}

/// An open file, closed when it goes.
class file {
 public:
  explicit file(int descriptor) noexcept : descriptor_(descriptor) {}
  ~file() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  file(file&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  file& operator=(file&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  bool is_open() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }

  /// 0, or why it failed.
  int write_all(std::string_view content) const noexcept {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }

  /// Some network file systems report a full disk only here.
  int close() noexcept {
    const int status = ::close(std::exchange(descriptor_, -1));
    return status == 0 ? 0 : errno;
  }

 private:
  int descriptor_;
};

bool exists_but_is_no_regular_file(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// A new file beside `target`, under a name that nobody has.
class file_beside {
 public:
  file_beside(const fs::path& target, mode_t mode) {
    static std::atomic<unsigned> count{std::random_device{}()};
    for (int tries = 0; tries < 100 && !out_.is_open(); ++tries) {
      char ending[8];
      std::snprintf(ending, sizeof ending, ".%06x", count++ * 2654435761U >> 8);
      name_ = target.string() + ending;
      out_ = file(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
      if (!out_.is_open() && errno != EEXIST) return;
    }
  }
  file& content() { return out_; }
  const char* name() const { return name_.c_str(); }

 private:
  file out_{-1};
  std::string name_;
};

/// Makes `target` hold the content, or leaves it as it was: 0, or why it failed.
int replace(const fs::path& target, std::string_view content) {
  // A new file gets the permissions of any; what replaces an old one is nobody's but ours before it
  // has those of the old one.
  struct stat old {};
  const bool is_new = ::stat(target.c_str(), &old) != 0;
  file_beside made(target, is_new ? 0666 : 0600);
  file& out = made.content();
  if (!out.is_open()) return errno;
  int reason = out.write_all(content);
  if (reason == 0 && !is_new && ::fchmod(out.descriptor(), old.st_mode & 07777) != 0)
    reason = errno;
  if (reason == 0 && ::fsync(out.descriptor()) != 0) reason = errno;
  if (const int closing = out.close(); reason == 0) reason = closing;
  if (reason == 0 && ::rename(made.name(), target.c_str()) != 0) reason = errno;
  if (reason != 0) ::unlink(made.name());
  return reason;
}

void write_directly(const std::string& path, std::string_view content) {
  file out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
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
  if (exists_but_is_no_regular_file(path)) return write_directly(path, content);
  const fs::path target = behind_links(path);
  if (const int reason = replace(target, content)) fail("write", path, reason);
  // The new name itself reaches the disk with its folder.
  const file folder(::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open()) (void)::fsync(folder.descriptor());
}

void require_writable(const std::string& path) {
  if (path.empty()) throw error("cannot write a file without a name");
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("write", path, EISDIR);
  if (exists_but_is_no_regular_file(path)) {
    if (::access(path.c_str(), W_OK) != 0) fail("write", path, errno);
    return;
  }
  const fs::path folder = folder_of(behind_links(path));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) fail("write", path, errno);
}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("read", path, EISDIR);
  const file in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
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
