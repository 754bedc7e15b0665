// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/device.hpp>

namespace teff::runtime {

/// What a unit says that was not compiled by a CUDA compiler and is to run something on a GPU.
/// @param what "a statement"
[[noreturn, gnu::cold]] void throw_no_kernel(const std::string& what, device dev);

}  // namespace teff::runtime
