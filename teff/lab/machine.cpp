// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include <teff/lab/machine.hpp>

#ifndef TEFF_VERSION
#define TEFF_VERSION "0.1.0"
#endif
#ifndef TEFF_COMMIT
#define TEFF_COMMIT "unknown"
#endif

namespace teff::lab {

namespace {

std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string without_folder(const std::string& argument) {
  // "--json=folder/a.json" keeps its option, and so does "-ofolder/a.json".
  const std::size_t value = argument.starts_with("--")  ? argument.find('=') + 1
                            : argument.starts_with("-") ? std::min<std::size_t>(2, argument.size())
                                                        : 0;
  const auto slash = argument.rfind('/');
  if (slash == std::string::npos || slash < value) return argument;
  return argument.substr(0, value) + argument.substr(slash + 1);
}

/// As a shell takes it for one word.
std::string shell_word(const std::string& word) {
  constexpr const char* special = " \t\n'\"\\$`&|;<>()*?[]#~!{}";
  if (!word.empty() && word.find_first_of(special) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string teff_version() {
  return TEFF_VERSION;
}
std::string teff_commit() {
  return TEFF_COMMIT;
}

std::string compiler_text() {
#ifdef __clang__
  return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) +
         "." + std::to_string(__clang_patchlevel__);
#else
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#endif
}

std::string without_folders(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments)
    text += (text.empty() ? "" : " ") + shell_word(without_folder(argument));
  return text;
}

std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool is_word = false, is_quoted = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\'') {
      is_quoted = !is_quoted;
      is_word = true;
    } else if (!is_quoted && c == '\\' && i + 1 < command.size()) {
      word += command[++i];
      is_word = true;
    } else if (is_quoted || (c != ' ' && c != '\t' && c != '\n')) {
      word += c;
      is_word = true;
    } else if (is_word) {
      words.push_back(std::exchange(word, ""));
      is_word = false;
    }
  }
  if (is_word) words.push_back(word);
  return words;
}

machine describe_machine(device dev, const std::vector<std::string>& arguments,
                         const std::string& cuda) {
  const device_info info = describe(dev);
  const device_info cpu = describe(device::cpu());
  machine m;
  m.device = dev.name();
  m.device_name = info.name;
  m.driver = dev.is_cuda() ? info.driver : "none";
  m.memory_bytes = info.memory_bytes;
  m.cache_bytes = info.cache_bytes;
  m.processors = info.processors;
  m.nominal_gb_per_s = info.nominal_gb_per_s;
  m.clock_ghz = info.clock_ghz;
  m.cpu_name = cpu.name;
  m.cpu_cores = cpu.processors;
  m.compiler = compiler_text();
  m.cuda = cuda;
  m.commit = teff_commit();
  m.teff_version = teff_version();
  m.command = without_folders(arguments);
  m.date = now_utc();
  return m;
}

}  // namespace teff::lab
