// SPDX-License-Identifier: MIT
#include <cstdio>
#include <string>

#include <teff/base/error.hpp>
#include <teff/kernel/launch.hpp>

/// A program of two units, of which the other one is compiled with contraction (CMakeLists.txt).
bool is_contracted_unit();
void launch_of_contracted_unit(const teff::stream& on);

namespace {

/// What is thrown, or "".
template <class F>
std::string thrown_by(const F& f) {
  try {
    f();
  } catch (const teff::error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

int main() {
  const teff::stream on(teff::device::cpu());
  const std::string here = thrown_by([&] { teff::launch(on, teff::extents<1>(9), [](auto) {}); });
  const std::string there = thrown_by([&] { launch_of_contracted_unit(on); });
  std::printf("%s\n", here.c_str());
  if (!is_contracted_unit()) return here.empty() && there.empty() ? 0 : 1;  // no fma, nothing to do
  const bool names_it = here.find("contracted.cpp was compiled with floating-point contraction") !=
                            std::string::npos &&
                        here.find("compile all units with -ffp-contract=off") != std::string::npos;
  return names_it && there == here ? 0 : 1;
}
