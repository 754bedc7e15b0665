// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace teff::runtime {

/// Why something is not done; without a reason it is.
class refusal {
 public:
  refusal() = default;
  refusal(std::string why) : why_(std::move(why)) {}  // NOLINT(google-explicit-constructor)
  refusal(const char* why);                           // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return why_.has_value(); }
  /// "" where nothing is refused.
  std::string why() const { return why_.value_or(""); }

 private:
  std::optional<std::string> why_;
};

}  // namespace teff::runtime
