// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>

#include "../message.hpp"

namespace fs = std::filesystem;
using namespace teff::io;
using teff::test::message_of;

namespace {
int changed_masks = 0;
}

/// In place of the C library's: a program's mask is that of all of its threads, and what changes it
/// for a moment changes the files that others make.
extern "C" mode_t umask(mode_t mask) noexcept {
  ++changed_masks;
  return static_cast<mode_t>(syscall(SYS_umask, mask));
}

namespace {

/// A folder of its own for each test, gone afterwards.
struct folder {
  fs::path path;
  folder() {
    std::string name = (fs::temp_directory_path() / "teff_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
};

}  // namespace

TEST_CASE("files: written, replaced and read back, nothing left beside them") {
  const folder here;
  write_file(here / "a", "first");
  CHECK(read_file(here / "a", 100) == "first");
  CHECK_THROWS_AS(write_file(here / "a" + std::string("\0.b", 3), "other"), teff::error);
  CHECK(read_file(here / "a", 100) == "first");
  write_file(here / "a", std::string(1 << 20, 'x'));
  CHECK(read_file(here / "a", 1 << 20).size() == 1 << 20);
  write_file(here / "a", "");
  CHECK(read_file(here / "a", 100).empty());
  CHECK(here.files() == 1);
}

TEST_CASE("files: permissions as of any new file, and those of an old one kept") {
  const folder here;
  const mode_t mask = umask(022);
  write_file(here / "new", "x");
  struct stat status {};
  REQUIRE(stat((here / "new").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0644);
  REQUIRE(chmod((here / "new").c_str(), 0600) == 0);
  write_file(here / "new", "y");
  REQUIRE(stat((here / "new").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  changed_masks = 0;
  write_file(here / "other", "z");
  CHECK(changed_masks == 0);
  umask(077);
  write_file(here / "private", "z");
  REQUIRE(stat((here / "private").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  umask(mask);
  CHECK(here.files() == 3);
}

TEST_CASE("files: a link stays a link, its target is replaced") {
  const folder here;
  write_file(here / "target", "old");
  fs::create_symlink("target", here.path / "link");
  write_file(here / "link", "new");
  CHECK(fs::is_symlink(here.path / "link"));
  CHECK(read_file(here / "target", 100) == "new");
}

TEST_CASE("files: a link whose target is not there yet is followed") {
  const folder here;
  fs::create_directory(here.path / "disk");
  fs::create_directory(here.path / "links");
  fs::create_symlink("../disk/state", here.path / "links/second");
  fs::create_symlink(here.path / "links/second", here.path / "first");
  for (const char* content : {"made", "replaced"}) {
    CHECK_NOTHROW(require_writable(here / "first"));
    write_file(here / "first", content);
    CHECK(fs::is_symlink(here.path / "first"));
    CHECK(fs::is_symlink(here.path / "links/second"));
    CHECK(read_file(here / "disk/state", 100) == content);
  }
  CHECK(std::distance(fs::directory_iterator(here.path / "disk"), fs::directory_iterator()) == 1);
  fs::create_symlink("nowhere/state", here.path / "astray");
  CHECK_THROWS_AS(require_writable(here / "astray"), teff::error);
  CHECK_THROWS_AS(write_file(here / "astray", "x"), teff::error);
  fs::create_symlink("circle", here.path / "circle");
  CHECK_THROWS_AS(require_writable(here / "circle"), teff::error);
  CHECK_THROWS_AS(write_file(here / "circle", "x"), teff::error);
}

TEST_CASE("files: what can not be written is told before and when writing; nothing is left") {
  const folder here;
  CHECK_THROWS_AS(require_writable(here / "missing/a"), teff::error);
  CHECK_THROWS_AS(write_file(here / "missing/a", "x"), teff::error);
  CHECK_THROWS_AS(require_writable(here.path.string()), teff::error);
  CHECK_THROWS_AS(write_file(here.path.string(), "x"), teff::error);
  CHECK_THROWS_AS(require_writable(""), teff::error);
  const std::string too_long = here / std::string(250, 'n').c_str();  // with a temporary's ending
  const std::string before = message_of([&] { require_writable(too_long); });
  CHECK(before == "cannot write '" + too_long + "': File name too long");
  CHECK(message_of([&] { write_file(too_long, "x"); }) == before);
  CHECK_NOTHROW(require_writable(here / "fine"));
  CHECK(here.files() == 0);
  write_file(here / "old", "as it was");
  CHECK_NOTHROW(require_writable(here / "old"));
  CHECK(read_file(here / "old", 100) == "as it was");
  CHECK(here.files() == 1);
}

TEST_CASE("files: devices are written, not replaced") {
  CHECK_NOTHROW(require_writable("/dev/null"));
  CHECK_NOTHROW(write_file("/dev/null", "x"));
  CHECK(fs::is_character_file("/dev/null"));
  if (fs::exists("/dev/full")) CHECK_THROWS_AS(write_file("/dev/full", "x"), teff::error);
}

TEST_CASE("files: reading what is missing, a folder, or too large") {
  const folder here;
  write_file(here / "ten", "0123456789");
  CHECK_THROWS_AS((void)read_file(here / "missing", 100), teff::error);
  CHECK_THROWS_AS((void)read_file(here.path.string(), 100), teff::error);
  CHECK_THROWS_AS((void)read_file(here / "ten", 9), teff::error);
  CHECK(read_file(here / "ten", 10) == "0123456789");
}
