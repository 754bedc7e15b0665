// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/lab/case.hpp>

#include <bench/compare_cells.hpp>
#include <bench/expr/stream_ops.hpp>
#include <bench/host_values.hpp>

namespace teff::bench {

/// The three arrays of a stream operation on the device, and what the target must hold. The cells
/// are one row in memory; variants see them through references of the rank they are about.
template <class Op, class T>
class stream_arrays : public lab::prepared_case {
 public:
  explicit stream_arrays(const lab::setting& where)
      : on_(where.dev),
        shape_(where.shape),
        cells_(cells_in(where.shape)),
        a_(on_, {cells_}, "A"),
        b_(on_, {cells_}, "B"),
        c_(on_, {Op::reads_c ? cells_ : 1}, "C"),
        comparer_(on_) {
    const auto count = static_cast<std::size_t>(cells_);
    const auto b = random_values<T>(count, 1);
    const auto c = random_values<T>(Op::reads_c ? count : 1, 2);
    b_ = from_host(b);
    c_ = from_host(c);
    expected_.resize(count);
    Op::serial(expected_, b, c);
  }

  stream on() const override { return on_; }

  const std::vector<index_t>& shape() const { return shape_; }
  const array<T, 1>& a() const { return a_; }
  const array<T, 1>& b() const { return b_; }
  const array<T, 1>& c() const { return c_; }

  void poison_target() { a_ = poison<T>(); }
  lab::check_result check() {
    return comparer_.compare(a_.data(), expected_, Op::template tolerance<T>(), shape_);
  }

 private:
  static index_t cells_in(const std::vector<index_t>& shape) {
    index_t cells = 1;
    for (const index_t n : shape) cells *= n;
    return cells;
  }

  stream on_;
  std::vector<index_t> shape_;
  index_t cells_;
  array<T, 1> a_, b_, c_;
  std::vector<T> expected_;
  cell_comparer comparer_;
};

/// What all variants share: the target is poisoned, any number of runs leaves the same result.
template <class Op, class T>
class stream_experiment : public lab::experiment {
 public:
  explicit stream_experiment(stream_arrays<Op, T>& arrays) : arrays_(arrays) {}
  void reset() override { arrays_.poison_target(); }
  lab::check_result check() override { return arrays_.check(); }
  lab::workload work() const override {
    const traffic moved = Op::moved(arrays_.a(), arrays_.b(), arrays_.c());
    return {moved, moved.a_eff_bytes(), 1, 1};
  }

 protected:
  stream_arrays<Op, T>& arrays() const { return arrays_; }

 private:
  stream_arrays<Op, T>& arrays_;
};

/// The cells of a contiguous array under other extents; where a dim is missing it has one cell.
template <int N, class T>
array_ref<T, N> seen_as(const array<T, 1>& a, const extents<N>& shape) {
  view<T, N> cells{a.data(), shape, {}};
  set_contiguous_strides(shape, cells.strides);
  return {a.on(), a.block(), cells, a.shared_label()};
}

/// `library`: the platform's own copy.
template <class Op, class T>
class library_copy : public stream_experiment<Op, T> {
 public:
  using stream_experiment<Op, T>::stream_experiment;
  void run() override {
    const auto& arrays = this->arrays();
    copy_bytes(arrays.on(), arrays.a().data(), arrays.b().data(),
               static_cast<std::size_t>(bytes(arrays.a())));
  }
};

/// `array`: one statement over arrays of the case's own rank.
template <class Op, class T, int N>
class array_statement : public stream_experiment<Op, T> {
 public:
  array_statement(stream_arrays<Op, T>& arrays, const extents<N>& shape)
      : stream_experiment<Op, T>(arrays),
        a_(seen_as(arrays.a(), shape)),
        b_(seen_as(arrays.b(), shape)),
        c_(seen_as(Op::reads_c ? arrays.c() : arrays.b(), shape)) {}
  void run() override { Op::assign_arrays(a_, b_, c_); }

 private:
  array_ref<T, N> a_, b_, c_;
};

template <int N>
extents<N> grown(extents<N> shape, index_t by) {
  for (index_t& n : shape.n) n += by;
  return shape;
}

/// All but the outermost cells.
template <class T, int N>
array_ref<T, N> inner(const array_ref<T, N>& a) {
  const auto part = [&](int d) { return range(1, a.extent(d) - 1); };
  if constexpr (N == 1)
    return a(part(0));
  else if constexpr (N == 2)
    return a(part(0), part(1));
  else
    return a(part(0), part(1), part(2));
}

/// `slice`: the same statement on the inner parts of arrays with one more cell at every side, so
/// that rows begin at addresses of any alignment.
template <class Op, class T, int N>
class slice_statement : public stream_experiment<Op, T> {
 public:
  slice_statement(stream_arrays<Op, T>& arrays, const extents<N>& shape)
      : stream_experiment<Op, T>(arrays),
        result_(seen_as(arrays.a(), shape)),
        a_(arrays.on(), grown(shape, 2), "A"),
        b_(arrays.on(), grown(shape, 2), "B"),
        c_(arrays.on(), Op::reads_c ? grown(shape, 2) : extents<N>{}, "C") {
    inner(b_) = seen_as(arrays.b(), shape);
    if constexpr (Op::reads_c) inner(c_) = seen_as(arrays.c(), shape);
  }
  void reset() override { a_ = poison<T>(); }
  void run() override { Op::assign_arrays(inner(a_), inner(b_), inner(Op::reads_c ? c_ : b_)); }
  lab::check_result check() override {
    result_ = inner(a_);
    lab::check_result found = this->arrays().check();
    inner(a_) = poison<T>();
    if (found.ok && !is_poison_everywhere()) {
      found.ok = false;
      found.reason = "cells outside the slice were written";
    }
    inner(a_) = result_;
    return found;
  }

 private:
  bool is_poison_everywhere() const {
    return std::ranges::all_of(to_host(a_), [](T cell) {
      return std::is_floating_point_v<T> ? cell != cell : cell == poison<T>();
    });
  }

  array_ref<T, N> result_;
  array<T, N> a_, b_, c_;
};

/// a = op(b, c) for one cell. (A function object: nvcc lets the CPU call a lambda through a pointer
/// only.)
template <class Op, class T, int N>
struct cell_function {
  view<T, N> a, b, c;

  template <class... I>
  TEFF_INLINE void operator()(I... at) const {
    a(at...) = Op{}(b(at...), Op::reads_c ? c(at...) : b(at...));
  }
};

/// `kernel`: one thread a cell, in 2-D, or in 3-D where the launch shape has three numbers. For a
/// 2-D launch over a 3-D array x and y become one dim.
template <class Op, class T, int N>
class cell_kernel : public stream_experiment<Op, T> {
 public:
  cell_kernel(stream_arrays<Op, T>& arrays, const extents<N>& shape,
              const std::vector<int>& threads)
      : stream_experiment<Op, T>(arrays),
        a_(seen_as(arrays.a(), shape)),
        b_(seen_as(arrays.b(), shape)),
        c_(seen_as(Op::reads_c ? arrays.c() : arrays.b(), shape)) {
    launch_shape asked;
    if (!threads.empty()) {
      for (std::size_t d = 0; d < 3; ++d) asked.n[d] = d < threads.size() ? threads[d] : 1;
    }
    if (arrays.on().dev().is_cuda())
      options_.threads = legal_shape(arrays.on().dev(), asked, shape.n, N);
  }
  void run() override {
    launch(this->arrays().on(), a_.shape(), options_,
           cell_function<Op, T, N>{a_.view(), b_.view(), c_.view()});
  }
  std::vector<int> threads() const override {
    if (!options_.threads.is_chosen()) return {};
    return {options_.threads.n, options_.threads.n + N};
  }

 private:
  array_ref<T, N> a_, b_, c_;
  launch_options options_;
};

template <class T>
struct alignas(16) sixteen_bytes {
  static constexpr int cells = 16 / sizeof(T);
  T cell[cells];
};

template <class Op, class T>
void launch_vectors(const stream& on, T* a, const T* b, const T* c, index_t cells) {
  using vector = sixteen_bytes<T>;
  auto* va = reinterpret_cast<vector*>(a);
  const auto* vb = reinterpret_cast<const vector*>(b);
  const auto* vc = reinterpret_cast<const vector*>(c);
  const index_t vectors = cells / vector::cells, done = vectors * vector::cells;
  const Op op;
  launch(on, extents<1>{vectors}, {.threads = {256}}, [=] TEFF_FN(index_t i) {
    const vector left = vb[i], right = Op::reads_c ? vc[i] : left;
    vector result;
    for (int v = 0; v < vector::cells; ++v) result.cell[v] = op(left.cell[v], right.cell[v]);
    va[i] = result;
  });
  if (done == cells) return;
  launch(on, extents<1>{cells - done}, [=] TEFF_FN(index_t i) {
    a[done + i] = op(b[done + i], Op::reads_c ? c[done + i] : b[done + i]);
  });
}

/// `vectorised`: 16 bytes a thread, by hand.
template <class Op, class T>
class vector_kernel : public stream_experiment<Op, T> {
 public:
  using stream_experiment<Op, T>::stream_experiment;
  void run() override {
    const auto& arrays = this->arrays();
    launch_vectors<Op>(arrays.on(), arrays.a().data(), arrays.b().data(), arrays.c().data(),
                       arrays.a().size());
  }
  std::vector<int> threads() const override {
    return this->arrays().on().dev().is_cuda() ? std::vector{256} : std::vector<int>{};
  }
};

/// A statement of the case's own rank.
template <template <class, class, int> class Statement, class Op, class T>
std::unique_ptr<lab::experiment> make_statement(stream_arrays<Op, T>& arrays) {
  const auto& n = arrays.shape();
  if (n.size() == 1) return std::make_unique<Statement<Op, T, 1>>(arrays, extents<1>{n[0]});
  if (n.size() == 2) return std::make_unique<Statement<Op, T, 2>>(arrays, extents<2>{n[0], n[1]});
  return std::make_unique<Statement<Op, T, 3>>(arrays, extents<3>{n[0], n[1], n[2]});
}

template <class Op, class T>
std::unique_ptr<lab::experiment> make_kernel(stream_arrays<Op, T>& arrays,
                                             const std::vector<int>& threads) {
  std::vector<index_t> n = arrays.shape();
  n.resize(3, 1);
  if (threads.size() == 3)
    return std::make_unique<cell_kernel<Op, T, 3>>(arrays, extents<3>{n[0], n[1], n[2]}, threads);
  const bool is_3d = n[2] > 1;
  return std::make_unique<cell_kernel<Op, T, 2>>(
      arrays, is_3d ? extents<2>{n[0] * n[1], n[2]} : extents<2>{n[0], n[1]}, threads);
}

/// The arrays with the variants of the cases copy, add and triad.
template <class Op, class T>
class stream_case : public stream_arrays<Op, T> {
 public:
  using stream_arrays<Op, T>::stream_arrays;
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;
};

template <class Op, class T>
std::unique_ptr<lab::experiment> stream_case<Op, T>::make(const std::string& variant,
                                                          const lab::tuning& how) {
  if constexpr (!Op::reads_c)
    if (variant == "library") return std::make_unique<library_copy<Op, T>>(*this);
  if (variant == "array") return make_statement<array_statement>(*this);
  if (variant == "slice") return make_statement<slice_statement>(*this);
  if (variant == "kernel") return make_kernel(*this, how.threads);
  if (variant == "vectorised") return std::make_unique<vector_kernel<Op, T>>(*this);
  throw error("no variant '" + variant + "' of this case");
}

}  // namespace teff::bench
