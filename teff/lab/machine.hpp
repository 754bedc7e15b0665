// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/base/device.hpp>
#include <teff/lab/result.hpp>

namespace teff::lab {

/// The machine block of a report. `arguments` is the command line; `cuda` the version of the CUDA
/// compiler that built the kernels, or "none".
machine describe_machine(device dev, const std::vector<std::string>& arguments,
                         const std::string& cuda);

/// "0.1.0"
std::string teff_version();
/// Short id of the commit that was built, or "unknown".
std::string teff_commit();
/// "g++ 12.2.0"
std::string compiler_text();

/// A command line without folders, quoted for a shell: "teff bench copy --json 'a b.json'".
std::string without_folders(const std::vector<std::string>& arguments);
/// Its arguments again.
std::vector<std::string> words_of(const std::string& command);

}  // namespace teff::lab
