// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
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
  file& operator=(file&&) = delete;

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

/// The file that a chain of links leads to, so that renaming replaces the file and not the link.
fs::path behind_links(const std::string& path) {
  std::error_code failed;
  fs::path target = fs::weakly_canonical(path, failed);
  return failed ? fs::path(path) : target;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The permissions that a file made by open() would have.
mode_t permissions_for(const fs::path& target) {
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0) return old.st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

void write_directly(const std::string& path, std::string_view content) {
  file out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!out.is_open()) fail("write", path, errno);
  if (const int reason = out.write_all(content)) fail("write", path, reason);
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  if (exists_but_is_no_regular_file(path)) return write_directly(path, content);
  const fs::path target = behind_links(path);
  std::string temporary = target.string() + ".XXXXXX";
  file out(::mkstemp(temporary.data()));
  if (!out.is_open()) fail("write", path, errno);
  int reason = out.write_all(content);
  if (reason == 0 && ::fchmod(out.descriptor(), permissions_for(target)) != 0) reason = errno;
  if (reason == 0 && ::fsync(out.descriptor()) != 0) reason = errno;
  if (const int closing = out.close(); reason == 0) reason = closing;
  if (reason == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) reason = errno;
  if (reason != 0) {
    ::unlink(temporary.c_str());
    fail("write", path, reason);
  }
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
