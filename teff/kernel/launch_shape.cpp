// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/error.hpp>
#include <teff/kernel/launch_shape.hpp>

namespace teff {

namespace {

/// CUDA's limits, the same on every GPU since compute capability 2.
constexpr index_t max_threads = 1024;
constexpr index_t max_along[3] = {1024, 1024, 64};

launch_shape nearest_legal(const launch_shape& asked) {
  launch_shape legal = asked;
  for (int d = 0; d < 3; ++d) legal.n[d] = std::clamp<index_t>(asked.n[d], 1, max_along[d]);
  for (int d = 2; d >= 0; --d)
    while (legal.threads() > max_threads && legal.n[d] > 1) legal.n[d] = (legal.n[d] + 1) / 2;
  return legal;
}

[[noreturn]] void refuse(const launch_shape& asked, const std::string& limit) {
  throw error("launch shape " + asked.text() + " is beyond the limits: " + limit +
              "; the nearest legal shape is " + nearest_legal(asked).text());
}

}  // namespace

std::string launch_shape::text() const {
  if (!is_chosen()) return "";
  std::string text = std::to_string(n[0]);
  if (n[1] != 1 || n[2] != 1) text += "x" + std::to_string(n[1]);
  if (n[2] != 1) text += "x" + std::to_string(n[2]);
  return text;
}

launch_shape legal_shape(device, const launch_shape& asked, const index_t* cells, int rank) {
  if (!asked.is_chosen()) {
    index_t along_x = 32;
    while (along_x < 256 && along_x < cells[0] && rank == 1) along_x *= 2;
    return rank == 1 ? launch_shape(along_x) : launch_shape(32, 8);
  }
  constexpr const char* axis[3] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d) {
    if (asked.n[d] < 1) refuse(asked, "at least 1 thread along " + std::string(axis[d]));
    if (asked.n[d] > max_along[d])
      refuse(asked, "at most " + std::to_string(max_along[d]) + " threads along " + axis[d]);
  }
  if (asked.threads() > max_threads)
    refuse(asked, "at most " + std::to_string(max_threads) + " threads a block, asked for " +
                      std::to_string(asked.threads()));
  return asked;
}

}  // namespace teff
