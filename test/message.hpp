// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>
#include <string>

#include <teff/base/config.hpp>
#include <teff/base/error.hpp>

namespace teff::inline TEFF_MODE::test {

/// What the teff::error says that `act` throws; "" if it throws none.
template <class Act>
std::string message_of(const Act& act) {
  try {
    act();
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

/// The kind of the teff::error that `act` throws.
template <class Act>
failure kind_of(const Act& act) {
  try {
    act();
  } catch (const error& e) {
    return e.kind();
  }
  FAIL_CHECK("expected an error, got none");
  return failure::runtime;
}

inline bool contains(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("looked for \"" << part << "\" in \"" << text << "\"");
  return found;
}

}  // namespace teff::inline TEFF_MODE::test
