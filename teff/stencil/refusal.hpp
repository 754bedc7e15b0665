// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

namespace teff::runtime {

/// Why something is not done; without a reason it is.
class refusal {
 public:
  refusal() = default;
  refusal(std::string why)  // NOLINT(google-explicit-constructor)
      : is_refused_(true), why_(std::move(why)) {}
  refusal(const char* why);  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return is_refused_; }
  /// "" where nothing is refused.
  const std::string& why() const { return why_; }

 private:
  bool is_refused_ = false;
  std::string why_;
};

}  // namespace teff::runtime
