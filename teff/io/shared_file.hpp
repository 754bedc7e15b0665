// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <teff/grid/ranks.hpp>
#include <teff/io/open_file.hpp>

/// Files that all ranks of a grid write and read, each its own bytes. Ranks may be processes of
/// many machines: the file system is one that all of them share.
namespace teff::io {

/// The root's path, absolute, for all ranks, which may be in different folders. Collective.
/// @param is_written by the root, which sees whether it could be
/// @throws error on all ranks alike, also where ranks have different paths
std::string path_of_root(const ranks& on, const std::string& path, bool is_written);

/// A file that becomes the one at `path` when all ranks have written what is theirs; until then,
/// and where one of them fails, what was there stays.
class shared_output {
 public:
  /// Collective. @throws error on all ranks alike
  shared_output(const ranks& on, const std::string& path);

  /// Local: where it fails this rank writes no more, and finish() says why.
  void write(std::uint64_t at, const void* bytes, std::size_t count);
  void note(const std::string& why);  ///< what else fails on this rank
  /// Collective. @throws error on all ranks alike
  void finish();

 private:
  const ranks on_;
  const std::string path_;
  std::string target_, failed_;
  std::unique_ptr<file_beside> made_;  // by the root
  open_file out_;                      // of the others
};

/// A file that all ranks read.
class shared_input {
 public:
  /// Collective: all read the root's file. @throws error on all ranks alike
  shared_input(const ranks& on, const std::string& path);

  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Local: where it fails check() says why.
  void read(std::uint64_t at, void* bytes, std::size_t count);
  void note(const std::string& why);
  /// Collective. @throws error on all ranks alike, if something failed on one of them
  void check(failure kind = failure::runtime);

 private:
  const ranks on_;
  const std::string path_;
  std::string failed_;
  open_file in_;
  std::uint64_t bytes_ = 0;
};

}  // namespace teff::io
