// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/poisson.hpp>

#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/naive/poisson2d.hpp>
#include <bench/solver/poisson2d.hpp>

namespace teff::bench {

namespace {

/// Of a run. In the first iteration p is r: by itself it would let one pass for the other.
constexpr int iterations = 2;

/// u and f random, the solver with its p and r, and what u, p and r are after a run.
template <class T>
class poisson_fields : public lab::prepared_case {
 public:
  explicit poisson_fields(const lab::setting& where)
      : on_(where.dev),
        u_(random_array("u", 21, where.shape)),
        f_(random_array("f", 22, where.shape)),
        solver_(u_, f_),
        comparer_(on_),
        start_(to_host(u_), to_host(f_), extent(0), extent(1)),
        expected_(start_) {
    std::vector<T> q(expected_.r.size());
    for (int i = 0; i < iterations; ++i) expected_.iterate(q);
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  array<T, 2>& u() { return u_; }
  array<T, 2>& p() { return solver_.p(); }
  array<T, 2>& r() { return solver_.r(); }
  poisson2d_solver<T>& solver() { return solver_; }
  const naive::poisson2d<T>& start() const { return start_; }

  /// u as at the start, and what the solver makes of it.
  void reset() {
    u_ = from_host(start_.u);
    solver_.restart();
  }
  /// As of the solver, of another's |r|^2.
  bool is_exhausted(double rr) const {
    constexpr double epsilon = std::numeric_limits<T>::epsilon();
    return std::sqrt(rr / static_cast<double>(start_.rr)) < epsilon * epsilon;
  }
  auto A(const array<T, 2>& v) const {
    const auto inverse_square = [](index_t n) {
      const double d = 1 / static_cast<double>(n - 1);
      return static_cast<T>(1 / (d * d));
    };
    return -(fd2::d2_xi(v) * inverse_square(v.extent(0)) +
             fd2::d2_yi(v) * inverse_square(v.extent(1)));
  }

  lab::check_result check() { return check(u_.data(), p().data(), r().data()); }
  /// Neither u grows beyond 4 nor p and r beyond 4 times the first r. A cell is the result of some
  /// 32 roundings an iteration, and of sums of nx + ny additions one after the other in f64.
  lab::check_result check(const T* u, const T* p, const T* r) {
    const index_t nx = u_.extent(0), ny = u_.extent(1);
    const double roundings = 32 * static_cast<double>(std::numeric_limits<T>::epsilon()) +
                             static_cast<double>(nx + ny) * std::numeric_limits<f64>::epsilon();
    const T largest = std::abs(
        *std::ranges::max_element(start_.r, {}, [](T residual) { return std::abs(residual); }));
    const auto compare = [&](const char* name, const T* got, const std::vector<T>& expected,
                             double size, const std::vector<index_t>& shape) {
      lab::check_result found =
          comparer_.compare(got, expected, 4 * size * iterations * roundings, shape);
      if (!found.ok) found.reason = name + (": " + found.reason);
      return found;
    };
    for (const lab::check_result& found :
         {compare("r", r, expected_.r, static_cast<double>(largest), {nx - 2, ny - 2}),
          compare("p", p, expected_.p, static_cast<double>(largest), {nx, ny})})
      if (!found.ok) return found;
    return compare("u", u, expected_.u, 1, {nx, ny});
  }

 private:
  array<T, 2> random_array(const char* label, std::uint64_t seed,
                           const std::vector<index_t>& shape) const {
    array<T, 2> cells(on_, {shape[0], shape[1]}, label);
    cells = from_host(random_values<T>(static_cast<std::size_t>(cells.size()), seed));
    return cells;
  }
  std::size_t extent(int dim) const { return static_cast<std::size_t>(u_.extent(dim)); }

  stream on_;
  array<T, 2> u_, f_;
  poisson2d_solver<T> solver_;
  cell_comparer comparer_;
  naive::poisson2d<T> start_, expected_;
};

/// What the variants share: they go on from the last result, or from the start where no residual is
/// left.
template <class T>
class solver_run : public lab::experiment {
 public:
  explicit solver_run(poisson_fields<T>& fields) : fields_(fields) {}
  bool is_repeatable() const override { return false; }
  void reset() override { fields_.reset(); }
  void run() override {
    if (is_exhausted()) reset();
    for (int i = 0; i < iterations; ++i) iterate();
  }
  lab::check_result check() override { return fields_.check(); }
  lab::workload work() const override {
    const traffic ideal = fields_.solver().per_iteration();
    return {ideal, ideal.a_eff_bytes() + more_bytes(), iterations, 1};
  }

 protected:
  virtual void iterate() = 0;
  virtual bool is_exhausted() const = 0;
  /// Of q = A p where it is stored: written, read by a sum, read for r.
  virtual double more_bytes() const { return 3.0 * static_cast<double>(bytes(fields_.r())); }

  poisson_fields<T>& fields_;
};

/// `loop`: plain loops over vectors, those of the check.
template <class T>
class plain_loops : public solver_run<T> {
 public:
  explicit plain_loops(poisson_fields<T>& fields)
      : solver_run<T>(fields), state_(fields.start()), q_(state_.r.size()) {}
  void reset() override { state_ = this->fields_.start(); }
  lab::check_result check() override {
    return this->fields_.check(state_.u.data(), state_.p.data(), state_.r.data());
  }

 private:
  void iterate() override { state_.iterate(q_); }
  bool is_exhausted() const override { return this->fields_.is_exhausted(state_.rr); }

  naive::poisson2d<T> state_;
  std::vector<T> q_;
};

/// `stored`: the same lines as array statements.
template <class T>
class stored_product : public solver_run<T> {
 public:
  explicit stored_product(poisson_fields<T>& fields)
      : solver_run<T>(fields), q_(fields.on(), fields.r().shape(), "q") {}
  void reset() override {
    this->fields_.reset();
    rr_ = dot(this->fields_.r(), this->fields_.r());
  }

 private:
  void iterate() override {
    using namespace fd2;
    auto& u = this->fields_.u();
    auto& p = this->fields_.p();
    auto& r = this->fields_.r();
    if (rr_ == 0) return;
    q_ = this->fields_.A(p);
    const auto alpha = static_cast<T>(rr_) / dot(inn(p), q_);  // stays on the device
    inn(u) = inn(u) + alpha * inn(p);
    r = r - alpha * q_;
    const double before = rr_;
    rr_ = dot(r, r);
    inn(p) = r + static_cast<T>(rr_ / before) * inn(p);
  }
  bool is_exhausted() const override { return this->fields_.is_exhausted(rr_); }

  array<T, 2> q_;
  double rr_ = 0;
};

/// `library`: poisson2d_solver.
template <class T>
class library_solver : public solver_run<T> {
 public:
  using solver_run<T>::solver_run;

 private:
  void iterate() override { this->fields_.solver().iterate(); }
  bool is_exhausted() const override { return this->fields_.solver().is_exhausted(); }
  double more_bytes() const override { return 0; }
};

template <class T>
std::unique_ptr<lab::experiment> poisson_fields<T>::make(const std::string& variant,
                                                         const lab::tuning&) {
  if (variant == "loop") return std::make_unique<plain_loops<T>>(*this);
  if (variant == "stored") return std::make_unique<stored_product<T>>(*this);
  if (variant == "library") return std::make_unique<library_solver<T>>(*this);
  throw error("no variant '" + variant + "' of poisson2d");
}

std::unique_ptr<lab::prepared_case> prepare_poisson2d(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<poisson_fields<decltype(example)>>(where);
  });
}

}  // namespace

lab::bench_case poisson2d_case() {
  return {
      .name = "poisson2d",
      .about = "an iteration of conjugate gradients for Poisson's equation in 2-D",
      .axes = "a shape of two extents",
      .types = {"f64", "f32"},
      .least_rank = 2,
      .most_rank = 2,
      .cpu_shape = {4097, 4097},
      .cuda_shape = {8193, 8193},
      .arrays = 14,  // f, q, and u, p, r: also, on a CPU, at the start, as expected and in loops
      .best = "library",
      .is_in_lab = false,
      .variants =
          {{.name = "loop",
            .about = "plain loops over vectors, one for each line of the textbook, on all cores",
            .runs = lab::place::cpu,
            .gain =
                "where one begins: six loops, 14 arrays an iteration; the additions of a sum wait "
                "for each other",
            .is_for_ladder_only = true},
           {.name = "stored",
            .about = "array statements, one for each line of the textbook: A p is stored",
            .gain = "where one begins: each line of the textbook goes through memory by itself, 14 "
                    "arrays an iteration",
            .cpu_gain =
                "the same lines as array statements: sums side by side in the lanes of SIMD "
                "loops; A p is stored past the caches, so that it is not read first"},
           {.name = "library",
            .about = "poisson2d_solver::iterate: A p is an expression and never stored",
            .gain =
                "A p is computed anew where it is needed, in its sum and in r: 11 arrays instead "
                "of 14",
            .cpu_gain = "A p is computed anew in its sum and in r, 11 arrays instead of 14: faster "
                        "as far as memory is the limit"}},
      .prepare = prepare_poisson2d};
}

}  // namespace teff::bench
