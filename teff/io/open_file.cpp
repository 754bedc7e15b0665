// SPDX-License-Identifier: MIT
#include <algorithm>
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

#include <teff/io/open_file.hpp>

namespace teff::io {

namespace fs = std::filesystem;

std::string failed_text(const std::string& doing, const std::string& path, int reason) {
  return "cannot " + doing + " '" + path + "': " + std::strerror(reason);
}

bool exists_but_is_no_regular_file(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

void sync_folder_of(const std::string& path) noexcept {
  const fs::path parent = fs::path(path).parent_path();
  const open_file folder(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open()) (void)folder.sync();
}

open_file::~open_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}
open_file::open_file(open_file&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}
open_file& open_file::operator=(open_file&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

int open_file::write_all(std::string_view content) const noexcept {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor_, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int open_file::write_at(std::uint64_t at, const void* bytes, std::size_t count) const noexcept {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t done = ::pwrite(descriptor_, next, count, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    next += done;
    at += static_cast<std::size_t>(done);
    count -= static_cast<std::size_t>(done);
  }
  return 0;
}

int open_file::read_at(std::uint64_t at, void* bytes, std::size_t count) const noexcept {
  char* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t done = ::pread(descriptor_, next, count, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    if (done == 0) return EIO;
    next += done;
    at += static_cast<std::size_t>(done);
    count -= static_cast<std::size_t>(done);
  }
  return 0;
}

int open_file::sync() const noexcept {
  return ::fsync(descriptor_) == 0 ? 0 : errno;
}

int open_file::close() noexcept {
  const int status = ::close(std::exchange(descriptor_, -1));
  return status == 0 ? 0 : errno;
}

file_beside::file_beside(const std::string& target) : target_(target) {
  // A new file gets the permissions of any; what replaces an old one is nobody's but ours before it
  // has those of the old one.
  struct stat old {};
  is_new_ = ::stat(target.c_str(), &old) != 0;
  old_mode_ = old.st_mode;
  static std::atomic<unsigned> count{std::random_device{}()};
  for (int tries = 0; tries < 100 && !out_.is_open(); ++tries) {
    char ending[8];
    std::snprintf(ending, sizeof ending, ".%06x", count++ * 2654435761U >> 8);
    name_ = target + ending;
    out_ = open_file(
        ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_new_ ? 0666 : 0600));
    if (!out_.is_open() && errno != EEXIST) return;
  }
  is_there_ = out_.is_open();
}

file_beside::~file_beside() {
  if (is_there_) ::unlink(name_.c_str());
}

int file_beside::replace_target() {
  if (!is_new_ && ::fchmod(out_.descriptor(), old_mode_ & 07777) != 0) return errno;
  if (const int reason = out_.sync()) return reason;
  if (const int reason = out_.close()) return reason;
  if (::rename(name_.c_str(), target_.c_str()) != 0) return errno;
  is_there_ = false;
  return 0;
}

}  // namespace teff::io
