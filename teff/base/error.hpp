// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

namespace teff {

/// What kind of failure an error reports; the number is the exit status of the command.
enum class failure : int {
  runtime = 1,
  usage = 2,
  verification = 3,
  regression = 4,
  out_of_memory = 5,
  non_finite = 6,
  no_device = 7,
  stopped = 130,  // as a shell says of what Ctrl-C ended
};

/// Every error of Teff. what() says what was expected, what was got, where, and what to do next.
class error : public std::runtime_error {
 public:
  error(failure kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  explicit error(const std::string& message) : error(failure::runtime, message) {}

  failure kind() const noexcept { return kind_; }
  int exit_status() const noexcept { return static_cast<int>(kind_); }

 private:
  failure kind_;
};

/// A kernel that was not launched: the device has not what it asks for. Nothing was changed.
class launch_error : public error {
 public:
  using error::error;
};

/// The place in the source of whoever called: use it as a default argument.
struct site {
  const char* file;
  int line;
  static constexpr site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// The name among `known` that is nearest to `name`, whole or by its beginning: at most one edit
/// for every three letters away, or a name that goes on after it. "" where none is so near.
/// Messages about unknown names end with it: did you mean ...?
template <class Range>
std::string nearest_name(const std::string& name, const Range& known);

/// Number of edits that turn one name into the other: a letter more, less or another, or two
/// neighbours swapped.
int edit_distance(const std::string& a, const std::string& b);

template <class Range>
std::string nearest_name(const std::string& name, const Range& known) {
  std::string best;
  if (name.empty()) return best;
  int best_distance = static_cast<int>(name.size()) / 3 + 1;
  for (const auto& candidate : known) {
    const std::string text(candidate);
    const bool goes_on = text.size() >= 3 && name.starts_with(text);  // "array-32"
    const int distance = goes_on ? 1
                                 : std::min(edit_distance(name, text),
                                            edit_distance(name, text.substr(0, name.size())));
    if (distance < best_distance) {
      best_distance = distance;
      best = text;
    }
  }
  return best;
}

}  // namespace teff
