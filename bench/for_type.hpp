// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <teff/base/error.hpp>
#include <teff/base/index.hpp>
#include <teff/lab/case.hpp>

namespace teff::bench {

/// Calls f with a value of the type that `name` names among T.
/// @throws error if it is none of them
template <element... T, class F>
auto for_type(const std::string& name, const F& f) {
  decltype(f(f64{})) made{};
  const bool found = ((name == type_name<T>() && (made = f(T{}), true)) || ...);
  if (!found) throw error(failure::usage, "this case has no type '" + name + "'");
  return made;
}

template <class Case>
std::unique_ptr<lab::prepared_case> make_prepared(const lab::setting& where) {
  return std::make_unique<Case>(where);
}

}  // namespace teff::bench
