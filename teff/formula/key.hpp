// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include <teff/formula/bound.hpp>

/// What is known of a step when it is compiled, as a text by which schedules are remembered. Values
/// of numbers and parameters are not in it: they do not change how fast a step is.
namespace teff::inline TEFF_MODE::detail {

#ifdef __OPTIMIZE__
static constexpr bool is_optimized = true;
#else
static constexpr bool is_optimized = false;
#endif

/// " 0[-1..1,0..0,0..0]#cells": how a stage reads one field; "" if it does not.
[[gnu::cold, gnu::noinline]] inline std::string reads_text(int field, const footprint& reads) {
  if (!reads.is_read) return "";
  std::string text = " " + std::to_string(field) + "[";
  for (int d = 0; d < 3; ++d)
    text +=
        (d > 0 ? "," : "") + std::to_string(reads.low[d]) + ".." + std::to_string(reads.high[d]);
  return text + "]#" + std::to_string(reads.cells) + (reads.has_corners ? "c" : "");
}

/// "0 = 14 flop +1-1 +1-1 0[-1..1,-1..1,0..0]#... 1[...]; ...": of each stage the field that it
/// writes, its operations, the cells that it leaves out along each dim, and what it reads.
template <class Step, int Fields>
[[gnu::cold]] std::string formula_key() {
  std::string text;
  each_number(
      [&]<int K>() {
        using stage = typename Step::template stage<K>;
        using written = typename stage::written;
        text += (K > 0 ? "; " : "") + std::to_string(stage::slot) + " = " +
                std::to_string(stage::rhs::flops) + " flop";
        for (int d = 0; d < Step::rank; ++d)
          text += " +" + std::to_string(written::low[d]) + "-" + std::to_string(written::high[d]);
        each_number([&]<int S>() { text += reads_text(S, stage::template reads<S>()); },
                    std::make_integer_sequence<int, Fields>{});
      },
      std::make_integer_sequence<int, Step::stages>{});
  return text;
}

}  // namespace teff::inline TEFF_MODE::detail
