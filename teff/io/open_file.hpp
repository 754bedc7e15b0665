// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

/// What files are made of: descriptors, and new files beside old ones. For the room.
namespace teff::io {

/// "cannot write 'T.npy': No space left on device".
std::string failed_text(const std::string& doing, const std::string& path, int reason);

/// A path that is there, and is a device, a pipe or a folder.
bool exists_but_is_no_regular_file(const std::string& path);
/// The new name of a file reaches the disk with its folder.
void sync_folder_of(const std::string& path) noexcept;

/// An open file, closed when it goes. What can fail gives 0, or why it failed.
class open_file {
 public:
  explicit open_file(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  ~open_file();
  open_file(open_file&& other) noexcept;
  open_file& operator=(open_file&& other) noexcept;

  bool is_open() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }

  int write_all(std::string_view content) const noexcept;
  int write_at(std::uint64_t at, const void* bytes, std::size_t count) const noexcept;
  /// @return also EIO where the file ends before
  int read_at(std::uint64_t at, void* bytes, std::size_t count) const noexcept;
  /// To the disk.
  int sync() const noexcept;
  /// Some network file systems report a full disk only here.
  int close() noexcept;

 private:
  int descriptor_;
};

/// A new file beside `target`, under a name that nobody has, which is to replace it.
class file_beside {
 public:
  /// errno says why it could not be made.
  explicit file_beside(const std::string& target);
  /// Goes, unless it replaced the other one.
  ~file_beside();
  file_beside(file_beside&&) = delete;
  file_beside& operator=(file_beside&&) = delete;

  open_file& content() { return out_; }
  const std::string& name() const { return name_; }
  /// 0, or why it failed; closes the file.
  int replace_target();

 private:
  std::string target_, name_;
  bool is_new_ = false, is_there_ = false;
  mode_t old_mode_ = 0;
  open_file out_;
};

}  // namespace teff::io
