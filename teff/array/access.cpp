// SPDX-License-Identifier: MIT
#include <teff/array/access.hpp>

namespace teff::runtime {

namespace {
thread_local access_listener* listening_now = nullptr;
}

access_listener* listener() noexcept {
  return listening_now;
}

void note_access(const void* cell, std::size_t bytes) {
  if (listening_now != nullptr) listening_now->note(cell, bytes);
}

listening::listening(access_listener* to) noexcept : before_(listening_now) {
  listening_now = to;
}

listening::~listening() {
  listening_now = before_;
}

}  // namespace teff::runtime
