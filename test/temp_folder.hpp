// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

#include <teff/base/config.hpp>

namespace teff::inline TEFF_MODE::test {

/// A folder of its own, which goes with all that is in it: so runs side by side do not meet.
class temp_folder {
 public:
  temp_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "teff_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~temp_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temp_folder(temp_folder&&) = delete;
  temp_folder& operator=(temp_folder&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace teff::inline TEFF_MODE::test
