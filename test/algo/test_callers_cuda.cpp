// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <functional>

#include <teff/algo/copy.hpp>
#include <teff/algo/gemv.hpp>
#include <teff/algo/matmul.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/scan.hpp>
#include <teff/algo/segmented.hpp>
#include <teff/algo/transpose.hpp>
#include <teff/kernel/launch.hpp>

#include "../message.hpp"

/// What a program's own calls of CUDA left behind is neither taken for Teff's nor changed by it:
/// the current device, the last error. With two GPUs the first test has something to find.
#ifdef __CUDACC__
using namespace teff;
using namespace teff::test;

namespace {

struct fill_block {
  static constexpr int threads = 64;
  double* to;
  TEFF_INLINE void operator()(block& blk) const {
    const auto tile = blk.shared<double>(8000);  // more than what a block has without asking
    tile[blk.thread()] = 3.0;
    blk.sync();
    to[blk.thread()] = tile[63 - blk.thread()];
  }
};

struct fill_cell {
  double* to;
  TEFF_FN void operator()(index_t i) const { to[i] = 2.0; }
};

/// Calls `after` after each kind of call, with its name, and after each destructor.
void use_everything(device dev, const std::function<void(const char*)>& after) {
  {
    const stream on = stream::create(dev);
    after("stream::create");
    array<double, 2> A(on, {64, 40}, "A"), B(on, {64, 40}, "B"), C(on, {40, 64}, "C"),
        D(on, {64, 64}, "D");
    after("array");
    array<double, 1> x(on, {40}, "x"), y(on, {64}, "y");
    A = 1.0;
    x = A(0, whole);
    after("a statement");
    fill_random(B, 7);
    after("fill_random");
    cumsum(A, A, 0);
    cumsum(A, A, 1);
    after("cumsum");
    CHECK(static_cast<double>(sum(x)) == 40.0);
    after("sum");
    y = sum(B, 1);
    transpose(C, B);
    after("transpose");
    gemv(y, A, x);
    after("gemv");
    if (blas::why_missing(device_kind::cuda).empty()) matmul(D, B, C);
    after("matmul");
    {
      const bag_list bags(on, {range(0, 5), range(3, 40)});
      segmented_sum(array<double, 2>(on, {64, 2}), B, bags);
      after("segmented_sum");
    }
    after("~bag_list");
    launch_blocks(on, {.blocks = {1}, .shared_bytes = 64000}, fill_block{y.data()});
    after("launch_blocks");
    CHECK(static_cast<double>(y(5)) == 3.0);
    launch(on, extents<1>(64), fill_cell{y.data()});
    after("launch");
    timer t(on);
    t.start();
    t.stop();
    CHECK(t.elapsed_s() >= 0);
    after("timer");
    array<double, 2> here(device::cpu(), {64, 40});
    copy(here, A);
    after("copy");
    on.wait_for(stream(dev));
    stream(dev).wait_for(on);
    on.synchronize();
    (void)describe(dev);
    after("describe");
    CHECK(message_of([&] { array<double, 1>(on, {index_t{1} << 46}); }) != "");
    after("out of memory");
    CHECK(detail::facts_of_block_kernel<fill_block>(dev, 64, 64000).registers > 0);
    after("facts of a kernel");
  }
  after("destructors");
}

}  // namespace

TEST_CASE("CUDA: the current device of the program is what it was, after every call") {
  for (int own = 0; own < cuda_device_count(); ++own)
    for (int used = 0; used < cuda_device_count(); ++used) {
      REQUIRE(cudaSetDevice(own) == cudaSuccess);
      use_everything(device::cuda(used), [&](const char* call) {
        int current = -1;
        CHECK(cudaGetDevice(&current) == cudaSuccess);
        INFO("after " << std::string(call) << " on cuda:" << used);
        CHECK(current == own);
      });
    }
  if (cuda_device_count() > 0) CHECK(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("CUDA: an older error of the program's own calls fails no launch, and stays") {
  if (cuda_device_count() == 0) return;
  array<double, 2> A(device::cuda(0), {64, 40}, "A"), B(device::cuda(0), {64, 40}, "B");
  array<double, 1> y(device::cuda(0), {64}, "y");
  void* none = nullptr;
  CHECK(cudaMalloc(&none, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  A = 1.0;
  cumsum(A, A, 0);
  B = A + 1.0;
  CHECK(static_cast<double>(sum(B)) == 64 * 65 / 2 * 40 + 64 * 40);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
  // More shared memory than 48 KB must be asked for, by a call of CUDA that takes the error away.
  CHECK(cudaMalloc(&none, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  launch_blocks(device::cuda(0), {.blocks = {1}, .shared_bytes = 64000}, fill_block{y.data()});
  CHECK(static_cast<double>(y(1)) == 3.0);
  (void)cudaGetLastError();
}

TEST_CASE("CUDA: a launch that is refused throws, and leaves no error behind") {
  if (cuda_device_count() == 0) return;
  const stream on = device::cuda(0);
  array<double, 1> y(on, {64}, "y");
  const std::string message = message_of([&] {
    detail::cuda_launch(on, dim3(1), dim3(2048), 0, detail::block_kernel<fill_block>,
                        fill_block{y.data()});
  });
  CHECK(contains(message, "CUDA: cudaLaunchKernel gave cudaErrorInvalid"));
  CHECK(cudaGetLastError() == cudaSuccess);
  y = 1.0;
  CHECK(static_cast<double>(sum(y)) == 64.0);
}
#endif
