// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include <teff/io/animation.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/gnuplot.hpp>
#include <teff/io/png.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"

namespace fs = std::filesystem;
using namespace teff::io;
using teff::test::contains;
using teff::test::message_of;
using teff::test::temp_folder;

namespace {

std::string frame(double low_left) {
  return heat_map_png(std::vector<double>{low_left, 0, 0, 0, 0, 1}, 3, 2, {.min_pixels = 30});
}

/// A variable of the environment has another value as long as this lives.
class environment_with {
 public:
  environment_with(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~environment_with() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  environment_with(environment_with&&) = delete;
  environment_with& operator=(environment_with&&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// $PATH with a folder in front that holds one program, a shell script.
class path_with {
 public:
  path_with(const std::string& name, const std::string& script)
      : path_("PATH", folder_.path().string() + ":" + std::getenv("PATH")) {
    std::ofstream(folder_ / name) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }

 private:
  temp_folder folder_;
  environment_with path_;
};

}  // namespace

TEST_CASE("animation: a GIF of as many frames, of the frames' size, that begins again") {
  const temp_folder folder, for_frames;
  const environment_with temporary("TMPDIR", for_frames.path().string());
  const std::string path = folder / "a.gif";
  require_animation(path);
  CHECK(!fs::exists(path));
  write_animation(path, {frame(0), frame(0.5), frame(1)});
  const std::string gif = read_file(path, 1'000'000);
  CHECK(gif.starts_with("GIF89a"));
  CHECK(gif.substr(6, 4) == std::string("\x1e\x00\x14\x00", 4));  // 30 x 20
  CHECK(gif.find("NETSCAPE2.0") != std::string::npos);
  std::size_t frames = 0;  // each begins with its delay: 5 hundredths of a second
  for (std::size_t at = gif.find("\x21\xf9\x04"); at != std::string::npos;
       at = gif.find("\x21\xf9\x04", at + 1)) {
    ++frames;
    CHECK(gif[at + 4] == 5);
  }
  CHECK(frames == 3);
  CHECK(fs::is_empty(for_frames.path()));
}

TEST_CASE("animation: TMPDIR may have any name, and must be there") {
  const temp_folder folder;
  const std::string gif = folder / "a.gif", mp4 = folder / "a.mp4";
  const path_with ffmpeg("ffmpeg", "for last; do :; done; echo \"$*\" > \"$last\"");
  write_animation(gif, {frame(0), frame(1)});
  const std::string expected = read_file(gif, 1'000'000);
  for (const char* name : {"it's", "a b", "50%d", "\xc3\xbc", "`id`$x", "a\"b\\c", "new\nline"}) {
    CAPTURE(std::string(name));
    const fs::path place = folder.path() / name;
    fs::create_directory(place);
    const environment_with temporary("TMPDIR", place.string());
    write_animation(gif, {frame(0), frame(1)});
    CHECK(read_file(gif, 1'000'000) == expected);
    write_animation(mp4, {frame(0), frame(1)});
    CHECK(contains(read_file(mp4, 1000), " -i %06d.png "));
    CHECK(fs::is_empty(place));
  }
  const environment_with temporary("TMPDIR", folder / "nowhere");
  CHECK(contains(message_of([&] { write_animation(gif, {frame(0)}); }),
                 "no place for the frames of an animation in '" + (folder / "nowhere") + "': "));
}

TEST_CASE("animation: a GIF has the pixels of its frames") {
  const temp_folder folder;
  const std::string gif = folder / "a.gif", png = folder / "a.png";
  write_file(png, frame(0.5));
  write_animation(gif, {frame(0.5), frame(0.5)});
  // Column, row, red, green and blue of every pixel, by another reader of both.
  const auto pixels_of = [](const std::string& file, const std::string& type) {
    const std::string script =
        "set table\nplot '" + file + "' binary filetype=" + type + " with rgbimage\n";
    std::string rows;
    std::istringstream table(drawn_by_gnuplot(script));
    for (std::string row; std::getline(table, row);)
      if (row.starts_with(' ')) rows += row + '\n';
    return rows;
  };
  const std::string pixels = pixels_of(png, "png");
  CHECK(std::ranges::count(pixels, '\n') == 30 * 20);
  CHECK(pixels_of(gif, "gif") == pixels);
}

TEST_CASE("animation: ffmpeg gets numbered frames, and what it makes is the file") {
  const temp_folder folder;
  const std::string path = folder / "a.mp4";
  {
    const path_with ffmpeg("ffmpeg",
                           "for last; do :; done; ls \"$(dirname \"$last\")\" > \"$last\"");
    write_animation(path, {frame(0), frame(0.5), frame(1)});
    CHECK(read_file(path, 1000) == "000000.png\n000001.png\n000002.png\nall.mp4\n");
  }
  const path_with broken("ffmpeg", "echo no encoder >&2; exit 1");
  CHECK(message_of([&] { require_animation(path); }) ==
        "ffmpeg could not make the animation: no encoder\n");
  CHECK(read_file(path, 1000).size() == 41);
}

TEST_CASE("animation: what can not be made is said before the run") {
  const temp_folder folder;
  CHECK(message_of([] { require_animation("a.webm"); }) ==
        "an animation's file must end in .gif or .mp4, got 'a.webm'");
  CHECK(contains(message_of([] { require_animation("/nowhere/a.gif"); }), "/nowhere/a.gif"));
  CHECK(contains(message_of([&] { write_animation(folder / "a.gif", {}); }), "needs a frame"));
  CHECK(contains(message_of([&] { write_animation(folder / "a.gif", {"no png"}); }),
                 "the frames of an animation are PNG files"));
  const environment_with nothing("PATH", "/nowhere");
  CHECK(contains(message_of([&] { require_animation(folder / "a.mp4"); }),
                 "install it (Debian: ffmpeg)"));
  CHECK(contains(message_of([&] { require_animation(folder / "a.gif"); }),
                 "install it (Debian: gnuplot-nox)"));
}
