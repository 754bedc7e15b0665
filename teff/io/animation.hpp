// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

/// Moving pictures. The end of the file's name says how: .gif is made by gnuplot, .mp4 by ffmpeg.
namespace teff::io {

inline constexpr int frames_per_second = 20;

/// Joins pictures into a file, whole or not at all; a .gif begins again at its end.
/// @param frames PNG files' bytes, all of one size
/// @throws error (usage) for another name; error if there is no frame, or the program that makes
/// the file is not there, or fails
void write_animation(const std::string& path, const std::vector<std::string>& frames);

/// Finds out before a long run whether write_animation could write `path`.
/// @throws error as write_animation does, and if the file can not be written
void require_animation(const std::string& path);

}  // namespace teff::io
