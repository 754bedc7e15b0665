// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace teff::io {

/// Writes a file so that a reader finds the old content or all of the new one, never a part: into a
/// temporary file beside it, flushed to the disk, then renamed. A path that is no regular file
/// (/dev/stdout, a pipe) is written directly.
/// @throws error if it can not be written; the old content is then untouched.
void write_file(const std::string& path, std::string_view content);

/// The file that a chain of links leads to, there already or not: what write_file makes or
/// replaces, while the links stay.
/// @throws error if they lead in a circle
std::string behind_links(const std::string& path);

/// Finds out before a long run whether write_file could write `path`: makes the temporary file
/// beside it, and leaves nothing behind.
/// @throws error if it could not.
void require_writable(const std::string& path);

/// The whole content of a file.
/// @throws error if it can not be read, is no file, or holds more than `max_bytes`.
std::string read_file(const std::string& path, std::size_t max_bytes);

}  // namespace teff::io
