// SPDX-License-Identifier: MIT
#include <teff/base/error.hpp>
#include <teff/kernel/detail/fiber.hpp>

// What takes the place of fiber.cpp where Boost.Context was not found.
namespace teff::runtime {

bool has_fibers() noexcept {
  return false;
}

fiber::~fiber() = default;

void fiber::start(entry, void*) {
  throw error("fibers need Boost.Context");  // emulate() asks before, and says more
}
void fiber::resume() {}
void fiber::suspend() {}

}  // namespace teff::runtime
