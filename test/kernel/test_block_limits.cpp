// SPDX-License-Identifier: MIT
#include "block_cases.hpp"

using namespace teff;
using namespace teff::test;

namespace {

struct nothing {
  TEFF_FN void operator()(block&) const {}
};
struct nothing_of_64 {
  static constexpr int threads = 64;
  TEFF_FN void operator()(block&) const {}
};

/// The last element of all shared memory of a block that asks for much.
struct use_much_memory {
  int n;
  view<i32, 1> out;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<i32>(n);
    tile[n - 1 - blk.thread()] = blk.thread();
    blk.sync();
    out(blk.thread()) = tile[n - 1 - blk.thread()];
  }
};

}  // namespace

TEST_CASE("blocks: launches beyond the limits are refused, those of no block do nothing") {
  for (const device dev : test_devices()) {
    const auto refused = [&](const block_options& options) {
      return message_of([&] { launch_blocks(dev, options, nothing{}); });
    };
    launch_blocks(dev, {.blocks = {0}, .threads = {32}}, nothing{});
    launch_blocks(dev, {.blocks = {7, 0, 2}, .threads = {1024}}, nothing{});
    CHECK(refused({.blocks = {-1}, .threads = {32}}) ==
          "launch_blocks: -1 blocks along x are fewer than none; the nearest legal number is 0");
    CHECK(contains(
        refused({.blocks = {index_t{1} << 31}, .threads = {32}}),
        "2147483648 blocks along x are beyond the limit; the nearest legal number is 2147483647"));
    CHECK(contains(refused({.blocks = {1, 65536}, .threads = {32}}),
                   "65536 blocks along y are beyond the limit; the nearest legal number is 65535"));
    CHECK(contains(refused({.blocks = {1, 1, 70000}, .threads = {32}}), "70000 blocks along z"));
    CHECK(contains(refused({.threads = {1025}}), "the nearest legal shape is 1024"));
    CHECK(contains(refused({.threads = {64, 17}}), "at most 1024 threads a block, asked for 1088"));
    CHECK(contains(refused({.threads = {0}}), "at least 1 thread along x"));
    CHECK(contains(refused({.threads = {4, 1, 65}}), "at most 64 threads along z"));
    CHECK(contains(refused({.blocks = {3}}), "Say .threads = {256}"));
    CHECK(
        contains(refused({.threads = {32}, .shared_bytes = -8}), "the nearest legal number is 0"));
    const std::string much = refused({.threads = {32}, .shared_bytes = 1 << 20});
    CHECK(contains(much,
                   "asked for 1048576 bytes of shared memory a block; the limit of " + dev.name()));
    launch_blocks(dev, {}, nothing_of_64{});
    launch_blocks(dev, {.threads = {32}}, nothing_of_64{});
    CHECK(contains(message_of([&] { launch_blocks(dev, {.threads = {96}}, nothing_of_64{}); }),
                   "96 threads a block, but the kernel was compiled for at most 64"));
  }
}

TEST_CASE("blocks: more than 48 KB of shared memory") {
  for (const device dev : test_devices()) {
    array<i32, 1> out(dev, {100});
    for (const int bytes : {48 << 10, 96 << 10})
      launch_blocks(dev, {.threads = {100}, .shared_bytes = bytes},
                    use_much_memory{bytes / 4, out.view()});
    const auto h = to_host(out);
    for (std::size_t i = 0; i < h.size(); ++i) CHECK(h[i] == static_cast<i32>(i));
  }
}
