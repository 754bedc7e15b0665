// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <map>
#include <mutex>

#include <teff/stencil/schedule_file.hpp>
#include <teff/stencil/schedule_memory.hpp>

namespace teff {

namespace {

std::mutex guard;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The plans of one file, which is read once.
std::map<std::string, step_plan>& known_plans(const std::string& file) {
  static std::map<std::string, std::map<std::string, step_plan>> files;
  const auto [entry, is_new] = files.try_emplace(file);
  if (!is_new) return entry->second;
  entry->second = runtime::plans_in(runtime::schedules_text(file));
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
  if (!file.empty()) runtime::append_plan(file, key, plan);
}

}  // namespace teff
