// SPDX-License-Identifier: MIT
#include <bench/algo/along_dim.hpp>
#include <bench/algo/gemv.hpp>
#include <bench/algo/segmented_sum.hpp>
#include <bench/algo/transpose.hpp>
#include <bench/array/transfer.hpp>
#include <bench/cases.hpp>
#include <bench/expr/julia_set.hpp>
#include <bench/expr/streams.hpp>
#include <bench/probe/probes.hpp>
#include <bench/solver/multigrid2d.hpp>
#include <bench/solver/poisson2d.hpp>
#include <bench/solver/sbp.hpp>
#include <bench/solver/second_derivative.hpp>
#include <bench/stencil/constant2d.hpp>
#include <bench/stencil/diffusion1d.hpp>
#include <bench/stencil/diffusion2d.hpp>
#include <bench/stencil/diffusion3d.hpp>
#include <bench/stencil/flow2d.hpp>
#include <bench/stencil/insulated.hpp>
#include <bench/stencil/nonlinear2d.hpp>
#include <bench/stencil/star3d.hpp>
#include <bench/stencil/wave3d.hpp>

namespace teff::bench {

namespace {

using lab::bench_case;
using lab::knob;
using lab::place;
using lab::variant;

const std::string any_shape = "a shape of one to three extents";

/// The kernel of one cell a thread, with Teff's launch shape and with those of the lessons.
std::vector<variant> kernel_rungs() {
  std::vector<variant> rungs{
      {"kernel", "a launch with one cell a thread; on a GPU Teff chooses the launch shape",
       knob::threads}};
  for (const char* threads : {"1x1", "32x1", "64x1", "128x1", "256x1", "512x1", "1024x1", "32x2",
                              "32x4", "32x8", "32x16", "32x32", "32x8x1"})
    rungs.push_back({std::string("kernel-") + threads,
                     std::string("the same with ") + threads + " threads a block", knob::none,
                     place::cuda});
  return rungs;
}

std::vector<variant> stream_rungs(std::vector<variant> rungs) {
  const std::vector<variant> kernels = kernel_rungs();
  rungs.insert(rungs.end(), kernels.begin(), kernels.end());
  rungs.push_back({"vectorised", "a launch with 16 bytes a thread, written by hand"});
  return rungs;
}

bench_case in(const char* group, bench_case c) {
  c.group = group;
  return c;
}

std::vector<bench_case> make_cases() {
  const std::vector<index_t> plane{8192, 8192}, cube{512, 512, 512};
  return {
      {.name = "copy",
       .about = "B = A: what memory can do, and what a launch shape costs",
       .group = "copies",
       .axes = any_shape,
       .types = {"f64", "f32", "i64", "i32", "u8"},
       .cpu_shape = plane,
       .cuda_shape = cube,
       .arrays = 5,
       .best = "array",
       .variants =
           stream_rungs({{"library", "the platform's copy: cudaMemcpyAsync, or memcpy on one core"},
                         {"array", "the array statement B = A"},
                         {"slice", "the same on the inner parts of larger arrays"}}),
       .prepare = prepare_copy},
      {.name = "add",
       .about = "A = B + C: two arrays read, one written",
       .group = "statements",
       .axes = any_shape,
       .types = {"f64", "f32"},
       .cpu_shape = plane,
       .cuda_shape = cube,
       .arrays = 9,
       .moved_arrays = 3,
       .best = "array",
       .variants = stream_rungs({{"array", "the array statement A = B + C"},
                                 {"slice", "the same on the inner parts of larger arrays"}}),
       .prepare = prepare_add},
      {.name = "triad",
       .about = "A = B + s*C: the mix of reading and writing of an update",
       .group = "statements",
       .axes = any_shape,
       .types = {"f64", "f32"},
       .cpu_shape = plane,
       .cuda_shape = cube,
       .arrays = 9,
       .moved_arrays = 3,
       .best = "array",
       .variants = stream_rungs({{"array", "the array statement A = B + s*C"},
                                 {"slice", "the same on the inner parts of larger arrays"}}),
       .prepare = prepare_triad},
      in("statements", vadd_case()),
      in("copies", transfer_case()),
      in("statements", julia_set_case()),
      in("scans and sums", cumsum_case()),
      in("scans and sums", reduce_case()),
      in("scans and sums", reduce_expression_case()),
      in("copies", transpose_case()),
      in("scans and sums", segmented_sum_case()),
      in("products", gemv_case()),
      in("statements", d2x_case()),
      in("statements", d2y_case()),
      in("statements", sbp_case()),
      in("time steps", poisson2d_case()),
      in("time steps", multigrid2d_case()),
      in("time steps", diffusion1d_case()),
      in("time steps", diffusion2d_case()),
      in("time steps", diffusion3d_case()),
      in("time steps", nonlinear2d_case()),
      in("time steps", insulated2d_case()),
      in("time steps", insulated3d_case()),
      in("time steps", star2d_case()),
      in("time steps", box2d_case()),
      in("time steps", star3d_case()),
      in("time steps", pressure2d_case()),
      in("time steps", wave2d_case()),
      in("time steps", wave3d_case()),
      in("time steps", grid2d_case()),
      in("time steps", grid3d_case()),
      in("time steps", grid_pressure2d_case()),
  };
}

std::vector<bench_case> make_probes() {
  const std::vector<index_t> cpu_row{index_t{1} << 25}, cuda_row{index_t{1} << 27};
  const std::vector<variant> combine{
      {"plain", "ordinary loads and stores", knob::none, place::cpu},
      {"streaming", "through a buffer in cache, with non-temporal stores", knob::none, place::cpu},
      {"lines", "a line of the cache at a time, with non-temporal stores", knob::none, place::cpu},
      {"loads1", "one 16-byte access of each array a thread", knob::threads, place::cuda},
      {"loads2", "two 16-byte accesses of each array a thread", knob::threads, place::cuda},
      {"loads4", "four 16-byte accesses of each array a thread", knob::threads, place::cuda}};
  std::vector<variant> copy{
      {"library", "cudaMemcpyAsync; on a CPU memcpy on every core"},
      {"direct", "from the source with non-temporal stores", knob::none, place::cpu}};
  copy.insert(copy.end(), combine.begin(), combine.end());
  const auto probe = [&](std::string name, std::string about, int arrays, std::string best,
                         std::vector<variant> variants, auto prepare) {
    return bench_case{.name = std::move(name),
                      .about = std::move(about),
                      .group = "ceilings",
                      .axes = "a shape of one extent",
                      .types = {"f64"},
                      .most_rank = 1,
                      .cpu_shape = cpu_row,
                      .cuda_shape = cuda_row,
                      .arrays = arrays,
                      .best = std::move(best),
                      .variants = std::move(variants),
                      .prepare = prepare};
  };
  std::vector<bench_case> all{
      probe("peak-copy", "one array read, one written", 3, "library", copy, prepare_peak_copy),
      probe("peak-add", "two arrays read, one written", 6, "streaming", combine, prepare_peak_add),
      probe("peak-triad", "two arrays read, one written", 6, "streaming", combine,
            prepare_peak_triad),
      probe("peak-read", "one array read", 3, "plain",
            {{"plain", "sums, many at a time", knob::none, place::cpu},
             {"loads4", "four 16-byte loads in flight a thread", knob::threads, place::cuda},
             {"loads8", "eight 16-byte loads in flight a thread", knob::threads, place::cuda}},
            prepare_peak_read),
      probe("peak-write", "one array written", 2, "streaming",
            {{"plain", "ordinary stores", knob::none, place::cpu},
             {"streaming", "non-temporal stores", knob::none, place::cpu},
             {"stores1", "one 16-byte store a thread", knob::threads, place::cuda},
             {"stores4", "four 16-byte stores a thread", knob::threads, place::cuda}},
            prepare_peak_write),
      probe("peak-flop", "independent chains of fused multiply-adds", 1, "chains",
            {{"chains", "as many chains as hide the latency"}}, prepare_peak_flop)};
  all.back().types = {"f64", "f32"};
  all.back().cpu_shape = {index_t{1} << 14};
  all.back().cuda_shape = {index_t{1} << 23};
  return all;
}

}  // namespace

const std::vector<bench_case>& cases() {
  static const std::vector<bench_case> all = make_cases();
  return all;
}

const std::vector<bench_case>& probes() {
  static const std::vector<bench_case> all = make_probes();
  return all;
}

std::string cuda_compiler() {
#ifdef __CUDACC__
  return std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__);
#else
  return "none";
#endif
}

}  // namespace teff::bench
