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
void append_line(const std::string& file, const std::string& key, const step_plan& plan) {
  const std::string line = (ends_in_a_line(file) ? "" : "\n") + short_text(plan) + "\t" + key;
  std::ofstream(file, std::ios::app) << line + "\n" << std::flush;
}

/// What short_text() made; nothing of other texts.
std::optional<step_plan> plan_of_text(const std::string& text) {
  for (const step_plan& plan : {step_plan{schedule::resident}, step_plan{schedule::temporal, 1}})
    if (text == short_text(plan)) return plan;
  int depth = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, depth);
  if (failure != std::errc() || rest != end || depth < 1) return {};
  return step_plan{depth > 1 ? schedule::temporal : schedule::stepwise, depth};
}

/// The plans of one file, which is read once.
std::map<std::string, step_plan>& known_plans(const std::string& file) {
  static std::map<std::string, std::map<std::string, step_plan>> files;
  const auto [entry, is_new] = files.try_emplace(file);
  if (!is_new) return entry->second;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    if (const auto plan = plan_of_text(line.substr(0, tab)))
      entry->second[line.substr(tab + 1)] = *plan;
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

std::optional<step_plan> remembered_plan(const std::string& key) {
  const std::lock_guard lock(guard);
  const auto& known = known_plans(schedule_file());
  const auto found = known.find(key);
  if (found == known.end()) return {};
  return found->second;
}

void remember_plan(const std::string& key, const step_plan& plan) {
  const std::lock_guard lock(guard);
  const std::string file = schedule_file();
  known_plans(file)[key] = plan;
  if (file.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  append_line(file, key, plan);
}

}  // namespace teff
