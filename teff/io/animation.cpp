// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include <teff/base/error.hpp>
#include <teff/io/animation.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/child_process.hpp>
#include <teff/io/gnuplot.hpp>
#include <teff/io/png.hpp>

namespace teff::io {

namespace {

namespace fs = std::filesystem;

/// A folder that goes with all that is in it.
class temporary_folder {
 public:
  temporary_folder() {
    std::error_code failed;
    const fs::path place = fs::temp_directory_path(failed);  // of TMPDIR
    std::string name = (place / "teff_frames_XXXXXX").string();
    if (failed || ::mkdtemp(name.data()) == nullptr)
      throw error("no place for the frames of an animation in '" + place_text(place) +
                  "': " + std::strerror(failed ? failed.value() : errno) +
                  "; set TMPDIR to a folder that can be written");
    path_ = name;
  }
  ~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  temporary_folder(temporary_folder&&) = delete;
  temporary_folder& operator=(temporary_folder&&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// For programs that work in it: what they are told needs no names but those of files in it.
  std::string path() const { return path_.string(); }

 private:
  static std::string place_text(const fs::path& found) {
    const char* asked = std::getenv("TMPDIR");
    return found.empty() && asked != nullptr ? asked : found.string();
  }

  fs::path path_;
};

struct size_in_pixels {
  unsigned width, height;
};

/// A PNG begins with 8 bytes of its own, then a chunk whose first eight bytes of content are its
/// width and height, the highest byte first.
size_in_pixels size_of(const std::string& png) {
  constexpr std::size_t before = 16;
  if (png.size() < before + 8 || !png.starts_with("\x89PNG"))
    throw error("the frames of an animation are PNG files");
  const auto number_at = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = at; i < at + 4; ++i)
      value = value << 8 | static_cast<unsigned char>(png[i]);
    return value;
  };
  return {number_at(before), number_at(before + 4)};
}

std::string frame_name(std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(6 - std::min<std::size_t>(6, digits.size()), '0') + digits + ".png";
}

std::string as_gif(const temporary_folder& folder, const std::vector<std::string>& frames) {
  const auto [width, height] = size_of(frames.front());
  const std::string size = std::to_string(width) + "," + std::to_string(height);
  constexpr int hundredths = 100 / frames_per_second;
  // With these ranges every pixel of a frame becomes one of the file: the terminal's last row and
  // column lie on the border of what it draws.
  std::string script =
      "set terminal gif animate delay " + std::to_string(hundredths) + " loop 0 size " + size +
      "\nset margins 0,0,0,0\nunset border\nunset tics\nunset key\n"
      "set xrange [-0.5:" +
      std::to_string(width) + "-1.5]\nset yrange [-0.5:" + std::to_string(height) + "-1.5]\n";
  for (std::size_t i = 0; i < frames.size(); ++i)
    script += "plot '" + frame_name(i) + "' binary filetype=png with rgbimage pixels\n";
  return drawn_by_gnuplot(script, folder.path());
}

std::string as_mp4(const temporary_folder& folder) {
  const std::string made = "all.mp4";
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  try {
    // Most players want even extents and half the colour resolution.
    const child_result ffmpeg =
        run_program({"ffmpeg", "-nostdin", "-loglevel", "error", "-framerate",
                     std::to_string(frames_per_second), "-i", "%06d.png", "-vf",
                     "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", made},
                    "", most_bytes, {}, folder.path());
    if (ffmpeg.exit_status != 0)
      throw error("ffmpeg could not make the animation: " + ffmpeg.complaints);
  } catch (const not_started& problem) {
    throw error(std::string("a .mp4 is made by ffmpeg: ") + problem.what() +
                "; install it (Debian: ffmpeg), or ask for a .gif");
  }
  return read_file(folder / made, std::numeric_limits<std::size_t>::max());
}

std::string animation_bytes(const std::string& path, const std::vector<std::string>& frames) {
  const bool is_gif = path.ends_with(".gif");
  if (!is_gif && !path.ends_with(".mp4"))
    throw error(failure::usage, "an animation's file must end in .gif or .mp4, got '" + path + "'");
  if (frames.empty()) throw error("an animation needs a frame, got none");
  const temporary_folder folder;
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (!(std::ofstream(folder / frame_name(i), std::ios::binary) << frames[i] << std::flush))
      throw error("cannot write the frames of an animation to '" + folder.path() +
                  "': " + std::strerror(errno) + "; set TMPDIR to a folder with more space");
  return is_gif ? as_gif(folder, frames) : as_mp4(folder);
}

}  // namespace

void write_animation(const std::string& path, const std::vector<std::string>& frames) {
  write_file(path, animation_bytes(path, frames));
}

void require_animation(const std::string& path) {
  require_writable(path);
  const std::array<double, 1> cell{};
  const std::string small = heat_map_png(cell, 1, 1, {.min_pixels = 16});
  (void)animation_bytes(path, {small, small});
}

}  // namespace teff::io
