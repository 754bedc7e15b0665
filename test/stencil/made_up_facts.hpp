// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <teff/stencil/way.hpp>

namespace teff::test {

/// A way can take these in a run.
inline void let(runtime::step_facts& facts, const runtime::way& way,
                std::vector<runtime::depth_choice> choices, double extra_bytes = 0) {
  std::erase_if(facts.ways, [&](const runtime::way_facts& one) { return one.way == &way; });
  const int deepest = choices.empty() ? 64 : choices.back().depth;
  facts.ways.push_back({&way, {}, std::move(choices), deepest, extra_bytes});
}

/// A way can not be taken.
inline void refuse(runtime::step_facts& facts, const runtime::way& way, const char* why) {
  std::erase_if(facts.ways, [&](const runtime::way_facts& one) { return one.way == &way; });
  facts.ways.push_back({&way, why, {}});
}

}  // namespace teff::test
