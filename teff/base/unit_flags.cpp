// SPDX-License-Identifier: MIT
#include <string>

#include <teff/base/error.hpp>
#include <teff/base/unit_flags.hpp>

namespace teff::runtime {

constinit altered_unit the_altered_unit;

void note_altered_unit(const char* flag, const char* source) noexcept {
  if (the_altered_unit.flag == nullptr) the_altered_unit = {flag, source};
}

void throw_altered_unit() {
  throw error(
      std::string(the_altered_unit.source) + " was compiled with " + the_altered_unit.flag +
      ", so schedules and devices would differ in the last bit, here or in any unit that "
      "shares a template with it; compile all units with -ffp-contract=off and without flags "
      "for unsafe mathematics (the CMake target teff::teff does)");
}

}  // namespace teff::runtime
