// SPDX-License-Identifier: MIT
#include <concepts>
#include <memory>
#include <string>
#include <vector>

#include <teff/algo/blas/blas.hpp>
#include <teff/algo/fill.hpp>
#include <teff/algo/transpose.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/kernel/launch.hpp>

#include <bench/algo/blas_place.hpp>
#include <bench/algo/transpose.hpp>
#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/naive/transpose.hpp>

namespace teff::bench {

namespace {

/// A of nx x ny cells, its transpose B, and what B must hold.
template <class T>
class transposed_plane : public lab::prepared_case {
 public:
  explicit transposed_plane(const lab::setting& where)
      : on_(where.dev),
        a_(on_, {where.shape[0], where.shape[1]}, "A"),
        b_(on_, {where.shape[1], where.shape[0]}, "B"),
        comparer_(on_) {
    const auto cells = static_cast<std::size_t>(a_.size());
    const auto a = random_values<T>(cells, 1);
    a_ = from_host(a);
    expected_.resize(cells);
    naive::transpose(expected_, a, static_cast<std::size_t>(a_.extent(0)),
                     static_cast<std::size_t>(a_.extent(1)));
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  const array<T, 2>& a() const { return a_; }
  const array<T, 2>& b() const { return b_; }
  void poison_target() { fill(b_, poison<T>()); }
  lab::check_result check() {
    return comparer_.compare(b_.data(), expected_, 0, {b_.extent(0), b_.extent(1)});
  }

 private:
  stream on_;
  array<T, 2> a_, b_;
  std::vector<T> expected_;
  cell_comparer comparer_;
};

template <class T>
class transpose_experiment : public lab::experiment {
 public:
  explicit transpose_experiment(transposed_plane<T>& plane) : plane_(plane) {}
  void reset() override { plane_.poison_target(); }
  lab::check_result check() override { return plane_.check(); }
  lab::workload work() const override {
    const traffic moved = traffic_of(plane_.b(), transposed(plane_.a()));
    return {moved, moved.a_eff_bytes(), 1, 1};
  }

 protected:
  transposed_plane<T>& plane() const { return plane_; }

 private:
  transposed_plane<T>& plane_;
};

/// b(i, j) = a(j, i) for one cell of b.
template <class T>
struct cell_transpose {
  view<T, 2> b, a;
  TEFF_INLINE void operator()(index_t i, index_t j) const { b(i, j) = a(j, i); }
};

/// `kernel`: one thread a cell; the stores are side by side, the loads are not.
template <class T>
class transpose_kernel : public transpose_experiment<T> {
 public:
  transpose_kernel(transposed_plane<T>& plane, const std::vector<int>& threads)
      : transpose_experiment<T>(plane) {
    launch_shape asked;
    if (!threads.empty())
      for (std::size_t d = 0; d < 3; ++d) asked.n[d] = d < threads.size() ? threads[d] : 1;
    if (plane.on().dev().is_cuda())
      options_.threads = legal_shape(plane.on().dev(), asked, plane.b().shape().n, 2);
  }
  void run() override {
    const auto& plane = this->plane();
    launch(plane.on(), plane.b().shape(), options_,
           cell_transpose<T>{plane.b().view(), plane.a().view()});
  }
  std::vector<int> threads() const override {
    if (!options_.threads.is_chosen()) return {};
    return {options_.threads.n, options_.threads.n + 2};
  }

 private:
  launch_options options_;
};

/// `statement`: an array statement from the transposed view.
template <class T>
class transpose_statement : public transpose_experiment<T> {
 public:
  using transpose_experiment<T>::transpose_experiment;
  void run() override { assign(this->plane().b(), transposed(this->plane().a())); }
};

/// `best`: transpose(B, A).
template <class T>
class transpose_best : public transpose_experiment<T> {
 public:
  using transpose_experiment<T>::transpose_experiment;
  void run() override { transpose(this->plane().b(), this->plane().a()); }
};

/// `vendor`: cuBLAS or OpenBLAS.
template <class T>
class vendor_transpose : public transpose_experiment<T> {
 public:
  using transpose_experiment<T>::transpose_experiment;
  void run() override {
    const array<T, 2>& a = this->plane().a();
    blas::transpose(a.on(), a.extent(0), a.extent(1), a.data(), this->plane().b().data());
  }
};

template <class T>
std::unique_ptr<lab::experiment> transposed_plane<T>::make(const std::string& variant,
                                                           const lab::tuning& how) {
  if (variant == "kernel") return std::make_unique<transpose_kernel<T>>(*this, how.threads);
  if (variant == "statement") return std::make_unique<transpose_statement<T>>(*this);
  if (variant == "best") return std::make_unique<transpose_best<T>>(*this);
  if constexpr (std::floating_point<T>)
    if (variant == "vendor") return std::make_unique<vendor_transpose<T>>(*this);
  throw error("no variant '" + variant + "' of transpose");
}

std::unique_ptr<lab::prepared_case> prepare_transpose(const lab::setting& where) {
  return for_type<f64, f32, u8>(where.type, [&](auto example) {
    return make_prepared<transposed_plane<decltype(example)>>(where);
  });
}

}  // namespace

lab::bench_case transpose_case() {
  lab::bench_case result{
      .name = "transpose",
      .about = "B(j, i) = A(i, j): contiguous in one array only at a time",
      .axes = "a shape of two extents, those of A",
      .types = {"f64", "f32", "u8"},
      .least_rank = 2,
      .most_rank = 2,
      .cpu_shape = {8192, 8192},
      .cuda_shape = {8192, 8192},
      .arrays = 5,
      .best = "best",
      .variants = {{"kernel", "a launch with one cell of B a thread", lab::knob::threads},
                   {"statement", "the array statement B = transposed(A)"},
                   {"best", "transpose(B, A)"}},
      .prepare = prepare_transpose};
  if (const auto where = place_of_blas(blas::has_transpose))
    result.variants.push_back({"vendor",
                               "cuBLAS's geam, or OpenBLAS's omatcopy on a CPU; they have no u8",
                               lab::knob::none,
                               *where,
                               {"f64", "f32"}});
  return result;
}

}  // namespace teff::bench
