// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>

namespace teff::detail {

/// A library that is loaded at run time, and stays.
class shared_library {
 public:
  /// Takes the first of these that the system finds.
  explicit shared_library(std::initializer_list<std::string> names);
  bool is_there() const { return handle_ != nullptr; }
  bool has(const char* name) const;

  /// @throws error if the library has no such function
  template <class F>
  F* function(const char* name) const {
    return reinterpret_cast<F*>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;
  void* handle_ = nullptr;
};

}  // namespace teff::detail
