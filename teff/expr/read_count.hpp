// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/array/region.hpp>
#include <teff/traffic/traffic.hpp>

namespace teff::runtime {

/// Adds up the bytes that a statement reads, each distinct array once. Regions whose spans in
/// memory overlap are taken for parts of one array: together they move no more than the span.
class read_count {
 public:
  void add(const region& read);
  double bytes() const;

 private:
  struct one_array {
    std::intptr_t low, high, sum;
  };
  std::vector<region> regions_;
  std::vector<one_array> arrays_;
};

}  // namespace teff::runtime
