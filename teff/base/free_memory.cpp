// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include <teff/base/bytes.hpp>
#include <teff/base/free_memory.hpp>

namespace teff::runtime {

namespace {

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Nothing for "max" and "unlimited", and where there is no number.
std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return {};
  return number;
}

std::optional<std::size_t> first_number(const std::string& file) {
  const std::vector<std::string> lines = lines_of(file);
  return lines.empty() ? std::nullopt : number_in(lines.front());
}

/// The number behind `name` in a file with a line for each, in bytes where it is in kB.
std::optional<std::size_t> number_named(const std::vector<std::string>& lines,
                                        const std::string& name) {
  for (const std::string& line : lines) {
    if (!line.starts_with(name)) continue;
    const std::vector<std::string> words = words_of(line.substr(name.size()));
    if (words.empty()) return {};
    const auto number = number_in(words.front());
    return number && words.back() == "kB" ? *number * 1024 : number;
  }
  return {};
}

bool is_among(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

/// A name in /proc/self/mountinfo: what could be taken for the space between two is in octal.
std::string unescaped(const std::string& text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(digits, digits + 3, byte, 8).ptr == digits + 3) {
      name += static_cast<char>(byte);
      i += 3;
    } else {
      name += text[i];
    }
  }
  return name;
}

/// A folder that limits memory, and how its files are called.
struct limiting_folder {
  std::string path;
  bool is_version_2;
};

/// The cgroup of this process in one hierarchy, from "0::/a/b" or "4:memory:/a/b"; "" if it is in
/// none.
std::string cgroup_of_process(const std::vector<std::string>& groups, bool is_version_2) {
  for (const std::string& line : groups) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (is_version_2 ? line.starts_with("0::") : is_among(controllers, "memory"))
      return line.substr(second + 1);
  }
  return "";
}

/// Adds the folders of `group` and of those above it, as far as the mount shows them.
void add_folders(std::vector<limiting_folder>& folders, const std::string& mount,
                 const std::string& mounted, std::string group, bool is_version_2) {
  const bool is_below = mounted == "/" || group == mounted || group.starts_with(mounted + "/");
  group = is_below ? group.substr(mounted == "/" ? 0 : mounted.size()) : "";
  while (!group.empty() && group != "/") {
    folders.push_back({mount + group, is_version_2});
    group.resize(group.rfind('/'));
  }
  folders.push_back({mount, is_version_2});
}

std::vector<limiting_folder> cgroup_folders(const std::string& root) {
  std::vector<limiting_folder> folders;
  const std::vector<std::string> groups = lines_of(root + "/proc/self/cgroup");
  // Id, parent, device, what of it is mounted, where, options, then from "-" on type and source.
  for (const std::string& line : lines_of(root + "/proc/self/mountinfo")) {
    const std::size_t dash = line.find(" - cgroup");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> words = words_of(line), about = words_of(line.substr(dash));
    if (words.size() < 5 || about.size() < 4) continue;
    const bool is_version_2 = about[1] == "cgroup2";
    if (!is_version_2 && !is_among(about[3], "memory")) continue;
    const std::string group = cgroup_of_process(groups, is_version_2);
    if (!group.empty())
      add_folders(folders, root + unescaped(words[4]), unescaped(words[3]), group, is_version_2);
  }
  return folders;
}

/// What a cgroup leaves; nothing where it has no limit.
std::optional<std::size_t> left_in(const limiting_folder& at) {
  const auto limit =
      first_number(at.path + (at.is_version_2 ? "/memory.max" : "/memory.limit_in_bytes"));
  const auto used =
      first_number(at.path + (at.is_version_2 ? "/memory.current" : "/memory.usage_in_bytes"));
  if (!limit || !used) return {};
  const std::size_t cached =
      number_named(lines_of(at.path + "/memory.stat"),
                   at.is_version_2 ? "inactive_file " : "total_inactive_file ")
          .value_or(0);
  return *limit - std::min(*limit, *used - std::min(*used, cached));
}

}  // namespace

std::string free_memory::text() const {
  return bytes_text(bytes) + (limit.empty() ? "" : " (" + limit + ")");
}

free_memory free_host_memory(const std::string& root) {
  free_memory found{number_named(lines_of(root + "/proc/meminfo"), "MemAvailable:").value_or(0),
                    ""};
  const auto bound_by = [&](std::optional<std::size_t> left, const char* name) {
    if (left && *left < found.bytes) found = {*left, name};
  };
  // A process that changes its cgroup while it runs is not followed.
  static const std::vector<limiting_folder> own_folders = cgroup_folders("");
  for (const limiting_folder& at : root.empty() ? own_folders : cgroup_folders(root))
    bound_by(left_in(at), "the cgroup");
  const std::vector<std::string> limits = lines_of(root + "/proc/self/limits"),
                                 status = lines_of(root + "/proc/self/status");
  const auto left_of = [&](const char* limit, const char* used) -> std::optional<std::size_t> {
    const auto most = number_named(limits, limit), now = number_named(status, used);
    if (!most || !now) return {};
    return *most - std::min(*most, *now);
  };
  bound_by(left_of("Max address space ", "VmSize:"), "ulimit -v");
  bound_by(left_of("Max data size ", "VmData:"), "ulimit -d");
  return found;
}

}  // namespace teff::runtime
