// SPDX-License-Identifier: MIT
#include <utility>

#include <teff/base/error.hpp>
#include <teff/stencil/relay.hpp>

namespace teff::runtime {

bool relay::has_successor() {
  if (!next_ && successor_) {
    try {
      next_ = successor_();
    } catch (const error&) {  // the run goes on without
      successor_ = nullptr;
    }
  }
  return next_ != nullptr;
}

void relay::hand_over() {
  now_->finish();
  now_ = std::move(next_);
  successor_ = nullptr;
}

}  // namespace teff::runtime
