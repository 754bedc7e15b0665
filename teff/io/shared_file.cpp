// SPDX-License-Identifier: MIT
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/shared_file.hpp>

namespace teff::io {

namespace {

/// The root's text, on all ranks.
std::string text_of_root(const ranks& on, const std::string& what, const std::string& text) {
  const auto all = on.through().all_gather(what, text.data(), text.size());
  return {reinterpret_cast<const char*>(all->front().data()), all->front().size()};
}

}  // namespace

std::string path_of_root(const ranks& on, const std::string& path, bool is_written) {
  runtime::require_same(on, "a file of a grid", "its path", path);
  std::string why;
  try {
    if (on.is_root() && is_written) require_writable(path);
  } catch (const error& e) {
    why = e.what();
  }
  runtime::throw_of_root(on, "a file of a grid", why);
  return text_of_root(on, "a file of a grid",
                      path.empty() ? path : std::filesystem::absolute(path).string());
}

shared_output::shared_output(const ranks& on, const std::string& path) : on_(on), path_(path) {
  const std::string target = path_of_root(on, path, true);
  std::string name;
  if (on.is_root()) {
    try {
      if (exists_but_is_no_regular_file(path))
        throw error("cannot write '" + path +
                    "': ranks write a regular file together, and it is none; gather(A) brings all "
                    "cells to the root, which can");
      target_ = behind_links(target);
      made_ = std::make_unique<file_beside>(target_);
      if (!made_->content().is_open()) throw error(failed_text("write", path, errno));
      name = made_->name();
    } catch (const error& e) {
      failed_ = e.what();
    }
  }
  runtime::throw_of_root(on, "a file of a grid", std::exchange(failed_, ""));
  name = text_of_root(on, "a file of a grid", name);
  if (!on.is_root()) {
    out_ = open_file(::open(name.c_str(), O_WRONLY | O_CLOEXEC));
    if (!out_.is_open())
      failed_ = failed_text("write", path, errno) +
                "; all ranks need a file system that they share, and the root made the file there";
  }
  runtime::throw_of_any(on, "a file of a grid", std::exchange(failed_, ""));
}

void shared_output::write(std::uint64_t at, const void* bytes, std::size_t count) {
  if (!failed_.empty()) return;
  const open_file& out = made_ ? made_->content() : out_;
  if (const int reason = out.write_at(at, bytes, count))
    failed_ = failed_text("write", path_, reason);
}

void shared_output::note(const std::string& why) {
  if (failed_.empty()) failed_ = why;
}

void shared_output::finish() {
  if (!made_ && failed_.empty()) {
    const int synced = out_.sync(), closed = out_.close();
    if (synced != 0 || closed != 0)
      failed_ = failed_text("write", path_, synced != 0 ? synced : closed);
  }
  runtime::throw_of_any(on_, "a file of a grid", failed_);
  std::string why;
  if (made_) {
    if (const int reason = made_->replace_target())
      why = failed_text("write", path_, reason);
    else
      sync_folder_of(target_);
  }
  runtime::throw_of_any(on_, "a file of a grid", why);
}

shared_input::shared_input(const ranks& on, const std::string& path) : on_(on), path_(path) {
  const std::string name = path_of_root(on, path, false);
  in_ = open_file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!in_.is_open() || ::fstat(in_.descriptor(), &status) != 0)
    note(failed_text("read", path, errno));
  else if (!S_ISREG(status.st_mode))
    note(S_ISDIR(status.st_mode) ? failed_text("read", path, EISDIR)
                                 : "cannot read '" + path + "': it is no regular file");
  bytes_ = static_cast<std::uint64_t>(status.st_size);
  check();
}

void shared_input::read(std::uint64_t at, void* bytes, std::size_t count) {
  if (!failed_.empty()) return;
  if (const int reason = in_.read_at(at, bytes, count)) note(failed_text("read", path_, reason));
}

void shared_input::note(const std::string& why) {
  if (failed_.empty()) failed_ = why;
}

void shared_input::check(failure kind) {
  runtime::throw_of_any(on_, "a file of a grid", std::exchange(failed_, ""), kind);
}

}  // namespace teff::io
