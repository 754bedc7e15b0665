// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <vector>

#include <teff/algo/gemv.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/scan.hpp>
#include <teff/algo/segmented.hpp>
#include <teff/algo/transpose.hpp>
#include <teff/array/host_copy.hpp>

#include "../devices.hpp"

/// What runs on a stream can be captured in a CUDA graph, its memory too. (Only as CUDA.)
#ifdef __CUDACC__
#include <cuda_runtime.h>

using namespace teff;
using namespace teff::test;

namespace {

struct pipeline {
  stream on;
  array<f64, 2> A, B, C, bags;
  array<f64, 1> x, y, of_rows, of_columns, total;
  bag_list list;

  explicit pipeline(device dev)
      : on(dev),
        A(on, {300, 2000}),
        B(on, {300, 2000}),
        C(on, {2000, 300}),
        bags(on, {300, 3}),
        x(on, {2000}),
        y(on, {300}),
        of_rows(on, {2000}),
        of_columns(on, {300}),
        total(on, {1}),
        list(on, std::vector<range>{{0, 3}, {3, 700}, {700, 2000}}) {
    x = ix * 0.001;
  }
  void run() const {
    cumsum(B, A * 2.0 - 1.0, 1);
    cumsum(B, B, 0);
    transpose(C, B);
    gemv(y, B, x);
    of_rows = sum(B, 0);
    of_columns = max(C, 0);
    total = sum(C * C);
    segmented_sum(bags, B, list);
  }
  std::vector<std::vector<f64>> results() const {
    return {to_host(B),          to_host(C),     to_host(y),   to_host(of_rows),
            to_host(of_columns), to_host(total), to_host(bags)};
  }
};

}  // namespace

TEST_CASE(
    "graph capture: scans, reductions, products, transposes and bags run again on new values") {
  if (cuda_device_count() == 0) return;
  const pipeline p(device::cuda(0));
  const auto native = static_cast<cudaStream_t>(p.on.native());
  p.A = random<f64>(p.on, {300, 2000}, 1);
  p.run();  // once as usual: kernels are loaded, memory is in the pool
  REQUIRE(cudaStreamBeginCapture(native, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  p.run();
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(native, &graph) == cudaSuccess);
  cudaGraphExec_t again = nullptr;
  REQUIRE(cudaGraphInstantiate(&again, graph, 0) == cudaSuccess);
  for (const int seed : {2, 3}) {
    p.A = random<f64>(p.on, {300, 2000}, seed);
    p.run();
    const auto expected = p.results();
    p.B = -1.0;
    p.C = -1.0;
    p.y = -1.0;
    p.of_rows = -1.0;
    p.of_columns = -1.0;
    p.total = -1.0;
    p.bags = -1.0;
    REQUIRE(cudaGraphLaunch(again, native) == cudaSuccess);
    CHECK(p.results() == expected);
  }
  CHECK(cudaGraphExecDestroy(again) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("graph capture: a graph takes no released blocks of the stream, and leaves it none") {
  if (cuda_device_count() == 0) return;
  const device dev = device::cuda(0);
  const stream on = stream::create(dev);
  const auto native = static_cast<cudaStream_t>(on.native());
  const auto place = [&](std::size_t bytes) {
    return memory_block(on, dev, bytes, "block").data();
  };
  const void* const before = place(5000);
  CHECK(place(5000) == before);
  REQUIRE(cudaStreamBeginCapture(native, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  const void* of_graph = place(5000);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(native, &graph) == cudaSuccess);
  CHECK(of_graph != before);
  const memory_block first(on, dev, 5000, "first"), second(on, dev, 5000, "second");
  CHECK(first.data() == before);
  CHECK(second.data() != of_graph);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}
#endif
