// SPDX-License-Identifier: MIT
#pragma once

#include <clocale>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <string>

#include "temp_folder.hpp"

namespace teff::inline TEFF_MODE::test {

/// As long as this lives the program writes 1.234,5, as a host program may have set it: in C++'s
/// streams always, in C's functions where localedef can make such a locale. None needs to be
/// installed.
class comma_locale {
 public:
  comma_locale() : before_(std::locale::global({std::locale::classic(), new commas})) {
    std::ofstream source(folder_ / "source");
    for (const char* copied : {"LC_CTYPE", "LC_COLLATE", "LC_TIME", "LC_MESSAGES", "LC_MONETARY"})
      source << copied << "\ncopy \"POSIX\"\nEND " << copied << '\n';
    source
        << "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    source.close();
    const std::string make = "cd '" + folder_.path().string() +
                             "' && localedef -c -i ./source -f UTF-8 ./teff_TEFF >/dev/null 2>&1";
    (void)!std::system(make.c_str());  // it warns of what is not there
    setenv("LOCPATH", folder_.path().c_str(), 1);
    is_set_in_c_ = std::setlocale(LC_NUMERIC, "teff_TEFF") != nullptr;
    unsetenv("LOCPATH");
    if (!is_set_in_c_) MESSAGE("not tried with C's functions: localedef makes no locale here");
  }
  ~comma_locale() {
    std::setlocale(LC_NUMERIC, "C");
    std::locale::global(before_);
  }
  comma_locale(comma_locale&&) = delete;
  comma_locale& operator=(comma_locale&&) = delete;

  bool is_set_in_c() const { return is_set_in_c_; }

 private:
  struct commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };

  temp_folder folder_;
  std::locale before_;
  bool is_set_in_c_ = false;
};

}  // namespace teff::inline TEFF_MODE::test
