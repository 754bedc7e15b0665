// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>

#include <teff/base/config.hpp>

namespace teff::inline TEFF_MODE::test {

/// What python3 prints for a program; "" where it fails, as without a module.
inline std::string said_by_python(const std::string& program) {
  const std::string words = " -c \"" + program + "\" 2>/dev/null";
  // The first python3 may be one without the system's packages.
  const std::string line = "python3" + words + " || /usr/bin/python3" + words;
  std::FILE* pipe = popen(line.c_str(), "r");
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  return pclose(pipe) == 0 ? said : "";
}

}  // namespace teff::inline TEFF_MODE::test
