// SPDX-License-Identifier: MIT
#include <teff/stencil/refusal.hpp>

namespace teff::runtime {

refusal::refusal(const char* why) : is_refused_(true), why_(why) {}

}  // namespace teff::runtime
