// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/kernel/launch_shape.hpp>

#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {
const index_t cells[3] = {1000, 1000, 1000};
std::string refusal(const launch_shape& shape) {
  return message_of([&] { legal_shape(device::cpu(), shape, cells, 3); });
}
}  // namespace

TEST_CASE("launch shape: text, threads, what is left out is 1") {
  CHECK(launch_shape().text() == "");
  CHECK_FALSE(launch_shape().is_chosen());
  CHECK(launch_shape(256).text() == "256");
  CHECK(launch_shape(32, 8).text() == "32x8");
  CHECK(launch_shape(32, 1, 4).text() == "32x1x4");
  CHECK(launch_shape(32, 8).threads() == 256);
  CHECK(launch_shape(1u, 2L).n[2] == 1);
}

TEST_CASE("launch shape: legal ones are kept, chosen ones are legal") {
  for (const launch_shape& asked :
       {launch_shape(1), launch_shape(1024), launch_shape(1, 1024), launch_shape(16, 1, 64),
        launch_shape(32, 32), launch_shape(7, 11, 13)})
    CHECK(legal_shape(device::cpu(), asked, cells, 3).text() == asked.text());
  for (int rank = 1; rank <= 3; ++rank)
    for (const index_t n : {1, 31, 33, 1000, 1 << 20}) {
      const index_t extents[3] = {n, 3, 2};
      const launch_shape chosen = legal_shape(device::cpu(), {}, extents, rank);
      CHECK(chosen.threads() >= 32);
      CHECK(chosen.threads() <= 256);
      CHECK(legal_shape(device::cpu(), chosen, extents, rank).text() == chosen.text());
    }
}

TEST_CASE("launch shape: beyond the limits, the limit and the nearest legal shape are named") {
  CHECK(refusal(launch_shape(2048)) ==
        "launch shape 2048 is beyond the limits: at most 1024 threads along x; the nearest legal "
        "shape is 1024");
  CHECK(refusal(launch_shape(1, 1, 128)) ==
        "launch shape 1x1x128 is beyond the limits: at most 64 threads along z; the nearest legal "
        "shape is 1x1x64");
  CHECK(
      refusal(launch_shape(64, 32)) ==
      "launch shape 64x32 is beyond the limits: at most 1024 threads a block, asked for 2048; the "
      "nearest legal shape is 64x16");
  CHECK(contains(refusal(launch_shape(32, 0)), "at least 1 thread along y"));
  CHECK(contains(refusal(launch_shape(-4, 2)), "at least 1 thread along x"));
  CHECK(contains(refusal(launch_shape(1, 5000)), "at most 1024 threads along y"));
  // What is called legal is.
  for (const launch_shape& asked :
       {launch_shape(5000, 5000, 5000), launch_shape(3, 700, 64), launch_shape(0, 0, 9)}) {
    const std::string text = refusal(asked);
    const std::string legal = text.substr(text.rfind(' ') + 1);
    index_t n[3] = {1, 1, 1};
    std::size_t at = 0;
    for (int d = 0; d < 3 && at < legal.size(); ++d) {
      std::size_t used = 0;
      n[d] = std::stol(legal.substr(at), &used);
      at += used + 1;
    }
    CHECK(refusal(launch_shape(n[0], n[1], n[2])) == "");
  }
}
