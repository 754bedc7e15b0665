// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include <teff/stencil/schedule_memory.hpp>

namespace teff {

namespace {

std::mutex guard;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// A user's edit may have taken the end of the last line.
bool ends_in_a_line(const std::string& file) {
  std::ifstream in(file, std::ios::ate | std::ios::binary);
  if (!in || in.tellg() == std::streampos(0)) return true;
  in.seekg(-1, std::ios::end);
  return in.get() == '\n';
}

/// One line is one write: programs that run at the same time do not mix theirs.
void append_line(const std::string& file, const std::string& key, int depth) {
  const std::string line = (ends_in_a_line(file) ? "" : "\n") + std::to_string(depth) + "\t" + key;
  std::ofstream(file, std::ios::app) << line + "\n" << std::flush;
}

/// The depths of one file, which is read once.
std::map<std::string, int>& known_depths(const std::string& file) {
  static std::map<std::string, std::map<std::string, int>> files;
  const auto [entry, is_new] = files.try_emplace(file);
  if (!is_new) return entry->second;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    int depth = 0;
    const char* const end = line.data() + line.size();
    const auto [rest, failure] = std::from_chars(line.data(), end, depth);
    if (failure == std::errc() && rest != end && *rest == '\t' && depth > 0)
      entry->second[std::string(rest + 1, end)] = depth;
  }
  return entry->second;
}

}  // namespace

std::string schedule_file() {
  if (std::getenv("TEFF_SCHEDULES") != nullptr) return variable("TEFF_SCHEDULES");
  const std::string cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (!cache.empty()) return cache + "/teff/schedules.tsv";
  return home.empty() ? "" : home + "/.cache/teff/schedules.tsv";
}

std::optional<int> remembered_depth(const std::string& key) {
  const std::lock_guard lock(guard);
  const auto& known = known_depths(schedule_file());
  const auto found = known.find(key);
  if (found == known.end()) return {};
  return found->second;
}

void remember_depth(const std::string& key, int depth) {
  const std::lock_guard lock(guard);
  const std::string file = schedule_file();
  known_depths(file)[key] = depth;
  if (file.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  append_line(file, key, depth);
}

}  // namespace teff
