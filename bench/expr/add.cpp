// SPDX-License-Identifier: MIT
#include <memory>
#include <utility>
#include <vector>

#include <bench/expr/stream_case.hpp>
#include <bench/expr/streams.hpp>
#include <bench/expr/vadd_rungs.hpp>
#include <bench/for_type.hpp>

namespace teff::bench {

namespace {

/// A kernel of vadd on the arrays of a stream case.
template <class T>
class vadd_kernel : public stream_experiment<add_op, T> {
 public:
  using function = void (*)(const stream&, const vectors_to_add<T>&);
  vadd_kernel(stream_case<add_op, T>& arrays, function run, std::vector<int> threads)
      : stream_experiment<add_op, T>(arrays), run_(run), threads_(std::move(threads)) {}
  void run() override {
    const auto& arrays = this->arrays();
    run_(arrays.on(), {arrays.b().data(), arrays.c().data(), arrays.a().data(), arrays.a().size()});
  }
  std::vector<int> threads() const override { return threads_; }

 private:
  function run_;
  std::vector<int> threads_;
};

/// The arrays of add, with the rungs of vadd.
template <class T>
class vadd_case_arrays : public stream_case<add_op, T> {
 public:
  using stream_case<add_op, T>::stream_case;
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override {
    if (variant == "loop")
      return std::make_unique<vadd_kernel<T>>(*this, launch_loop_add<T>, std::vector<int>{});
    if (variant == "kernel")
      return std::make_unique<vadd_kernel<T>>(*this, launch_kernel_add<T>,
                                              std::vector{kernel_add<T>::threads});
    return stream_case<add_op, T>::make(variant == "statement" ? "array" : variant, how);
  }
};

}  // namespace

std::unique_ptr<lab::prepared_case> prepare_add(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<stream_case<add_op, decltype(example)>>(where);
  });
}

lab::bench_case vadd_case() {
  return {.name = "vadd",
          .about = "c[i] = a[i] + b[i], the lessons' first kernel, from one thread to a statement",
          .axes = "a shape of one extent",
          .types = {"f64", "f32"},
          .most_rank = 1,
          .cpu_shape = {index_t{1} << 26},
          .cuda_shape = {index_t{1} << 27},
          .small_shape = {index_t{1} << 20},
          .emulated_shape = {5000},
          .arrays = 3,
          .moved_arrays = 3,
          .best = "statement",
          .variants =
              {{.name = "loop",
                .about = "one thread goes over all cells",
                .gain = "one thread: its loads wait for memory nearly one after the other, and all "
                        "others of the GPU do nothing",
                .cpu_gain = "one core, whose loads alone do not keep memory busy",
                .takes_small = true,
                .is_for_ladder_only = true},
               {.name = "kernel",
                .about = "one thread a cell in blocks of 1024, with a test for the end",
                .gain = "a thread a cell: so many loads are on their way that memory is busy all "
                        "the time",
                .is_block_kernel = true},
               {.name = "statement",
                .about = "the array statement C = A + B",
                .gain = "the same with nothing to get wrong: no index, no test for the end, no "
                        "launch shape; 16 bytes a thread at a time",
                .cpu_gain = "all cores, and C is stored past the caches, so that it is not read "
                            "first"}},
          .prepare = [](const lab::setting& where) {
            return for_type<f64, f32>(where.type, [&](auto example) {
              return make_prepared<vadd_case_arrays<decltype(example)>>(where);
            });
          }};
}

}  // namespace teff::bench
