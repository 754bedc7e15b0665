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

/// One line is one write: programs that run at the same time do not mix theirs.
std::string as_line(const std::string& key, int depth) {
  return std::to_string(depth) + "\t" + key + "\n";
}

/// The depths of one file, which is read once.
std::map<std::string, int>& known_depths(const std::string& file) {
  static std::map<std::string, std::map<std::string, int>> files;
  const auto [entry, is_new] = files.try_emplace(file);
  std::ifstream lines(is_new ? file : std::string());
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
  std::ofstream(file, std::ios::app) << as_line(key, depth) << std::flush;
}

}  // namespace teff
