// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace teff::runtime {

/// A text of some object, for a message: put together only when there is one. It holds as long as
/// the object.
struct text_source {
  const void* object;
  std::string (*text_of)(const void* object);

  std::string text() const { return text_of(object); }
};

}  // namespace teff::runtime
