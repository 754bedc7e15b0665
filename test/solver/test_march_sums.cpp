// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/march_sums.hpp>

#include "../devices.hpp"

using namespace teff;
using namespace teff::test;

namespace {

struct stored_to {
  f64* to;
  TEFF_FN void store(index_t, f64 total) const { *to = total; }
};

/// Blocks that have each some of the sums.
struct add_up_sums {
  detail::chunk_sums<stored_to> sums;
  const f64* values;
  TEFF_FN void operator()(block& blk) const {
    const auto lane_sums = blk.shared<f64>(256), terms = blk.shared<f64>(2048);
    if (blk.thread() == 0)
      for (auto n = static_cast<int>(blk.index()); n < sums.chunks;
           n += static_cast<int>(blk.blocks()))
        sums.sums[n] = values[n];
    sums.add_up(blk, lane_sums, terms);
  }
};

}  // namespace

TEST_CASE("march sums: the block that comes last adds up all to the bits of a reduction") {
  for (const device dev : test_devices())
    for (const int chunks : {1, 255, 4096, 4097, 45000}) {
      const array<f64, 1> values = random<f64>(dev, {chunks}, 1);
      array<f64, 1> sums(dev, {chunks}), total = zeros<f64>(dev, {1});
      array<i32, 1> arrived = zeros<i32>(dev, {1});
      for (int times = 0; times < 2; ++times)  // the counter is as it was
        launch_blocks(
            dev, {.blocks = {3}, .threads = {512}, .shared_bytes = 2304 * 8},
            add_up_sums{
                {sums.data(), chunks, reinterpret_cast<unsigned*>(arrived.data()), {total.data()}},
                values.data()});
      CHECK(to_host(total)[0] == static_cast<f64>(sum(values)));
      CHECK(to_host(arrived)[0] == 0);
    }
}
