// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <optional>

#include <teff/base/error.hpp>

namespace teff::solve {

/// What `work` throws, as an error: for work whose failure must not take other work with it.
template <class Work>
std::optional<error> failure_of(const Work& work) {
  try {
    work();
  } catch (const error& e) {
    return e;
  } catch (const std::bad_alloc&) {
    return error(failure::out_of_memory, "out of host memory");
  } catch (const std::exception& e) {
    return error(e.what());
  }
  return {};
}

}  // namespace teff::solve
