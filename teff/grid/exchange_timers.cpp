// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/grid/exchange_timers.hpp>

namespace teff::runtime {

exchange_timers::exchange_timers(const stream& steps, const stream& messages)
    : steps_(steps), messages_(messages) {}

void exchange_timers::begin() {
  ++begun_;
  is_timing_ = !steps_.dev().is_cpu() && begun_ > untimed && begun_ <= untimed + timed;
  if (is_timing_) all_.emplace_back(steps_, messages_).exchanging.start();
}

void exchange_timers::end() {
  if (is_timing_) {
    all_.back().exchanging.stop();
    all_.back().waiting.start();
  }
  steps_.wait_for(messages_);
  if (is_timing_) all_.back().waiting.stop();
  is_timing_ = false;
}

exchange_seconds exchange_timers::sum() const {
  exchange_seconds sum;
  for (const one& timed : all_) {
    sum.exchanging += timed.exchanging.elapsed_s();
    sum.waiting += timed.waiting.elapsed_s();
  }
  return sum;
}

std::optional<double> hidden_share(const exchange_seconds& sum) {
  if (sum.exchanging <= 0) return {};
  return std::clamp(1 - sum.waiting / sum.exchanging, 0.0, 1.0);
}

}  // namespace teff::runtime
