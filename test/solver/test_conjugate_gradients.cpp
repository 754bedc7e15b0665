// SPDX-License-Identifier: MIT
#include <limits>
#include <sstream>

#include <teff/algo/random.hpp>
#include <teff/algo/reduce/blocks.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/solver/conjugate_gradients.hpp>
#include <teff/solver/poisson.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// The two kernels of an iteration in the emulator, or natively.
struct in_blocks {
  static constexpr bool can_fuse = true, can_stay = false, can_march = false;
  static bool fuses(device) { return true; }
  template <class A, class To, class E>
  void run(const stream& on, const To& to, const E& e, const detail::statement_shape& where,
           void* room) const {
    detail::reduce_by_blocks<ops::sum>(on, to, e, where, A{}, room, 4);
  }
};
/// Iterations by blocks that stay, where there are at most four.
struct on_chip : in_blocks {
  static constexpr bool can_stay = true;
  template <class Kernel>
  static index_t most_resident(device) {
    return 4;
  }
};

/// The two kernels by two blocks that march, where each has a chunk or more.
struct on_march : in_blocks {
  static constexpr bool can_march = true;
  static inline int not_marched = 0;
  static detail::march_limits march_limits_of(device) {
    return {.processors = 2,
            .shared_bytes = index_t{160} * 1024,
            .shared_bytes_of_two = 0,
            .chunks_a_block = 1};
  }
  template <class A, class To, class E>
  void run(const stream& on, const To& to, const E& e, const detail::statement_shape& where,
           void* room) const {
    ++not_marched;
    in_blocks::run<A>(on, to, e, where, room);
  }
};

/// c v - laplacian v, on points inside a border.
template <class R>
struct shifted_laplacian {
  R shift, _dx2, _dy2;
  auto operator()(const auto& v) const {
    return shift * fd2::inn(v) - (fd2::d2_xi(v) * _dx2 + fd2::d2_yi(v) * _dy2);
  }
};
/// A diagonal: where it is negative, no energy.
struct times {
  double factor;
  auto operator()(const auto& v) const { return factor * v; }
};

template <class R, int N>
std::vector<std::vector<R>> state_of(auto& solver, const array_ref<R, N>& x) {
  return {to_host(x), to_host(solver.p()), to_host(solver.r())};
}

/// A vector's second difference, nothing beyond its ends, plus itself.
struct in_one_dim {
  auto operator()(const auto& v) const { return fd1::inn(v) - fd1::d2(v); }
};
struct in_three_dims {
  auto operator()(const auto& v) const {
    return 0.5 * fd3::inn(v) - (fd3::d2_xi(v) + fd3::d2_yi(v) + fd3::d2_zi(v));
  }
};

/// What varies from cell to cell, and neighbours by slices.
struct of_slices {
  index_t nx, ny;
  auto operator()(const auto& v) const {
    return fd2::inn(v) * (5.0 + ix) - (v(range(0, nx), range(1, ny + 1)) +
                                       v(range(2, nx + 2), range(1, ny + 1)) + fd2::inn(v));
  }
};

/// Statements and sums one by one, as on a CPU, and kernels, give the same bits in each iteration.
template <class Backend, class R, int N, class Formula>
void check_kernels(const extents<N>& b_cells, index_t border, const Formula& A) {
  extents<N> x_cells = b_cells;
  for (int d = 0; d < N; ++d) x_cells[d] += 2 * border;
  const device dev = device_of_kernels();
  array<R, N> x = random<R>(device::cpu(), x_cells, 1), y = random<R>(dev, x_cells, 1);
  const array<R, N> b = random<R>(device::cpu(), b_cells, 2), c = random<R>(dev, b_cells, 2);
  conjugate_gradients_solver<R, N, Formula> apart(x, b, A);
  conjugate_gradients_solver<R, N, Formula, Backend> fused(y, c, A);
  for (const index_t more : {1, 1, 3}) {
    apart.iterate(more);
    fused.iterate(more);
    CHECK(state_of<R, N>(apart, x) == state_of<R, N>(fused, y));
    CHECK(apart.residual_of_r() == fused.residual_of_r());
    CHECK(apart.made() == fused.made());
  }
  apart.stop_at(0.5 * apart.residual_of_r());  // and end in the same one
  fused.stop_at(0.5 * fused.residual_of_r());
  apart.iterate(12);
  fused.iterate(12);
  CHECK(apart.made() == fused.made());
  CHECK(state_of<R, N>(apart, x) == state_of<R, N>(fused, y));
}

}  // namespace

TEST_CASE("conjugate gradients: an iteration's two kernels have the bits of statements and sums") {
  check_kernels<in_blocks, f64, 2>({30, 17}, 1, shifted_laplacian<f64>{1, 2, 3});
  check_kernels<in_blocks, f32, 2>({30, 17}, 1, shifted_laplacian<f32>{1, 2, 3});
  check_kernels<in_blocks, f64, 2>({300, 1}, 1, shifted_laplacian<f64>{1, 2, 3});
  check_kernels<in_blocks, f64, 2>({3, 700}, 1, shifted_laplacian<f64>{0, 1, 1});
  check_kernels<in_blocks, f64, 2>({111, 113}, 1,
                                   shifted_laplacian<f64>{0, 1, 1});  // four chunks of cells
  if (!is_quick()) check_kernels<in_blocks, f32, 2>({256, 80}, 1, shifted_laplacian<f32>{0, 1, 1});
  check_kernels<in_blocks, f64, 1>({5000}, 1, in_one_dim{});
  check_kernels<in_blocks, f64, 3>({9, 31, 17}, 1, in_three_dims{});
}

TEST_CASE("conjugate gradients: iterations by blocks that stay have the bits of statements, too") {
  check_kernels<on_chip, f64, 2>({30, 17}, 1, shifted_laplacian<f64>{1, 2, 3});
  check_kernels<on_chip, f64, 2>({111, 113}, 1, shifted_laplacian<f64>{0, 1, 1});  // four blocks
  check_kernels<on_chip, f64, 2>({256, 65}, 1, shifted_laplacian<f64>{0, 1, 1});   // too many
  check_kernels<on_chip, f32, 2>({256, 33}, 1, shifted_laplacian<f32>{0, 1, 1});
  check_kernels<on_chip, f64, 1>({5000}, 1, in_one_dim{});
  check_kernels<on_chip, f64, 3>({9, 31, 17}, 1, in_three_dims{});
}

TEST_CASE("conjugate gradients: kernels of blocks that march have the bits of statements, too") {
  const auto check = [](bool marches, const auto& checked) {
    on_march::not_marched = 0;
    checked();
    CHECK((on_march::not_marched == 0) == marches);
  };
  const shifted_laplacian<f64> A{0, 1, 1};
  check(true, [&] { check_kernels<on_march, f64, 2>({111, 113}, 1, A); });
  check(true, [&] {
    check_kernels<on_march, f32, 2>({256, 48}, 1, shifted_laplacian<f32>{0, 1, 1});
  });
  check(true, [&] { check_kernels<on_march, f64, 2>({3, 3000}, 1, A); });
  check(true, [&] { check_kernels<on_march, f64, 2>({5000, 2}, 1, A); });  // a ring
  check(true, [&] { check_kernels<on_march, f64, 2>({4100, 6}, 1, A); });  // parts, a row a turn
  check(true, [&] { check_kernels<on_march, f64, 2>({9001, 3}, 1, A); });  // columns of parts
  check(true, [&] { check_kernels<on_march, f64, 2>({9000, 1}, 1, A); });
  check(true, [&] { check_kernels<on_march, f64, 2>({90, 101}, 1, of_slices{90, 101}); });
  check(true, [&] { check_kernels<on_march, f64, 1>({5000}, 1, in_one_dim{}); });
  check(true, [&] { check_kernels<on_march, f64, 3>({9, 31, 17}, 1, in_three_dims{}); });
  check(true, [&] { check_kernels<on_march, f64, 3>({64, 65, 5}, 1, in_three_dims{}); });
  check(true, [&] { check_kernels<on_march, f64, 2>({70, 80}, 0, times{2}); });
  check(false, [&] { check_kernels<on_march, f64, 2>({30, 17}, 1, A); });  // few cells
  check(false, [&] {
    check_kernels<on_march, f64, 3>({350, 50, 1}, 1, in_three_dims{});  // more than fits
  });
}

TEST_CASE("conjugate gradients: nothing waits on the host between two looks at the residual") {
  const device where = device_of_kernels();
  const array<f64, 2> f = random<f64>(device::cpu(), {40, 30}, 2),
                      g = random<f64>(where, {40, 30}, 2);
  array<f64, 2> u = zeros<f64>(device::cpu(), {40, 30}), v = zeros<f64>(where, {40, 30});
  const shifted_laplacian<f64> A{0, 1, 1};
  const auto check = [&](auto solver, index_t iterations) {
    const auto before = runtime::host_waits();
    solver.iterate(iterations);
    solver.iterate(7);
    CHECK(runtime::host_waits() == before);
    CHECK(solver.residual_of_r() < 1e-20);
    CHECK(runtime::host_waits() == before + 1);
    CHECK(solver.made() < 400);  // those after the residual was exhausted are none
    CHECK(runtime::host_waits() == before + 1);
  };
  using formula = shifted_laplacian<f64>;
  check(conjugate_gradients_solver<f64, 2, formula>(u, array_ref<f64, 2>(fd2::inn(f)), A), 1000);
  check(
      conjugate_gradients_solver<f64, 2, formula, in_blocks>(v, array_ref<f64, 2>(fd2::inn(g)), A),
      330);
  CHECK(to_host(u) == to_host(v));
  for (const device dev : test_devices()) {
    const array<f64, 2> g = random<f64>(dev, {40, 30}, 2);
    array<f64, 2> w = zeros<f64>(dev, {40, 30});
    poisson2d_solver<f64> solver(w, g);
    solver.iterate();
    const auto before = runtime::host_waits();
    solver.iterate(100);
    CHECK(runtime::host_waits() == before);
    // A solution: some for what comes first and last, and one per 50 iterations.
    w = 0.0;
    const auto whole = runtime::host_waits();
    const poisson_report run =
        poisson2d(w, g, {.method = poisson_method::conjugate_gradients, .check_every = 50});
    CHECK(run.iterations > 100);
    CHECK(runtime::host_waits() - whole < 12 + static_cast<std::uint64_t>(run.iterations) / 50);
  }
}

TEST_CASE("conjugate gradients: how often the host looks does not change what is found") {
  for (const device dev : test_devices()) {
    const array<f64, 2> b = random<f64>(dev, {40, 33}, 2);
    const shifted_laplacian<f64> A{0.1, 1, 1};
    std::vector<f64> first;
    index_t iterations = 0;
    for (const index_t every : {0, 1, 7, 32, 1000}) {
      CAPTURE(every);
      array<f64, 2> x = random<f64>(dev, {42, 35}, 1);
      const conjugate_gradients_report run =
          conjugate_gradients(x, b, A, {.tolerance = 1e-9, .check_every = every});
      CHECK(run.has_converged());
      if (first.empty()) {
        first = to_host(x);
        iterations = run.iterations;
        CHECK(iterations > 20);
        CHECK(norm2(b - A(x)) < 2e-9 * norm2(b - A(zeros<f64>(dev, {42, 35}))) * 20);
      }
      CHECK(run.iterations == iterations);
      CHECK(to_host(x) == first);
      array<f64, 2> y = random<f64>(dev, {42, 35}, 1);
      const conjugate_gradients_report cut =
          conjugate_gradients(y, b, A, {.tolerance = 1e-9, .iterations = 11, .check_every = every});
      CHECK(cut.iterations == 11);
      CHECK(!cut.has_converged());
    }
  }
}

TEST_CASE("conjugate gradients: any extents, also without cells beyond") {
  for (const device dev : test_devices()) {
    array<f64, 1> x = zeros<f64>(dev, {100}), b = random<f64>(dev, {100}, 3);
    const conjugate_gradients_report run =
        conjugate_gradients(x, b, [](const auto& v) { return 4.0 * v; });
    CHECK(run.iterations == 1);
    CHECK(static_cast<f64>(max_abs(4.0 * x - b)) < 1e-15);
    std::ostringstream text;
    text << run;
    CHECK(
        contains(text.str(), "1 iterations of conjugate gradients on 100 f64; relative residual "));
    CHECK(contains(text.str(), ", within the tolerance 1e-10"));
    // b may be a view, of any strides
    array<f64, 2> y = zeros<f64>(dev, {20, 7}), large = random<f64>(dev, {7, 40}, 4);
    const auto c = transposed(large)(range(0, 40, 2), whole);
    CHECK(conjugate_gradients(y, c, times{2}).has_converged());
    CHECK(static_cast<f64>(max_abs(2.0 * y - c)) < 1e-15);
  }
}

TEST_CASE("conjugate gradients: a formula that is not positive is told of, and x is kept") {
  for (const device dev : test_devices())
    for (const index_t every : {1, 10}) {
      array<f64, 1> x = random<f64>(dev, {50}, 1), b = random<f64>(dev, {50}, 2), start = x;
      const auto solve = [&](double factor) {
        conjugate_gradients(x, b, times{factor}, {.check_every = every});
      };
      const std::string message = message_of([&] { solve(-1); });
      CHECK(contains(message, "conjugate_gradients: p.Ap is -"));
      CHECK(contains(message, " in iteration 1; A must be symmetric and positive definite"));
      CHECK(kind_of([&] { solve(-1); }) == failure::usage);
      CHECK(all(x == start));
      CHECK(message_of([&] { solve(std::numeric_limits<f64>::quiet_NaN()); }) ==
            "conjugate_gradients: the residual is not finite after iteration 0; x or b holds "
            "values that are not finite");
      b(7) = std::numeric_limits<f64>::infinity();
      CHECK(kind_of([&] { solve(1); }) == failure::non_finite);
    }
}

TEST_CASE("conjugate gradients: numbers that overflow are told of with the iteration") {
  for (const device dev : test_devices())
    for (const index_t every : {1, 10}) {
      array<f32, 1> x = zeros<f32>(dev, {50}), b = random<f32>(dev, {50}, 2);
      const array<f32, 1> d = random<f32>(dev, {50}, 3);
      CHECK(contains(message_of([&] {
                       conjugate_gradients(
                           x, b, [&](const auto& v) { return 1e38F * (v * (1e20F * (d + 2.F))); },
                           {.check_every = every});
                     }),
                     "conjugate_gradients: the residual is not finite after iteration "));
    }
}

TEST_CASE("conjugate gradients: what does not fit is refused") {
  array<f64, 2> x = zeros<f64>(device::cpu(), {10, 8}), b = zeros<f64>(device::cpu(), {9, 8});
  CHECK(message_of([&] { conjugate_gradients(x, b, times{1}); }) ==
        "conjugate_gradients: x has 10x8 cells and b 9x8; x must have as many as b, or as many "
        "more on both sides of a dim");
  CHECK(contains(message_of([&] { conjugate_gradients(b, x, times{1}); }), "x has 9x8 cells"));
  CHECK(contains(message_of([&] { conjugate_gradients(x, fd2::inn(x), times{1}); }),
                 "shares memory with b"));
  const array<f64, 2> c = x;
  CHECK(message_of([&] { conjugate_gradients(x, c, times{1}, {.tolerance = -1.}); }) ==
        "conjugate_gradients: the tolerance must be 0 or more");
  CHECK(contains(message_of([&] { conjugate_gradients(x, c, times{1}, {.iterations = -1}); }),
                 "number of iterations must"));
  CHECK(contains(message_of([&] { conjugate_gradients(x, c, times{1}, {.check_every = -1}); }),
                 "between checks must"));
  CHECK(contains(message_of([&] { poisson2d(x, c, {.check_every = -1}); }),
                 "poisson2d: the number of iterations between checks must be 0 or more"));
}

TEST_CASE("conjugate gradients: fused, an iteration reads 5 arrays and writes 3; the profile too") {
  const extents<2> points{102, 202};
  array<f64, 2> x = zeros<f64>(device_of_kernels(), points);
  const array<f64, 2> f = random<f64>(device_of_kernels(), points, 1);
  const array_ref<f64, 2> b = fd2::inn(f);
  conjugate_gradients_solver<f64, 2, shifted_laplacian<f64>, in_blocks> solver(x, b, {0, 1, 1});
  const traffic moved = solver.per_iteration();
  const double inner = 100 * 200 * sizeof(f64), all = 102 * 202 * sizeof(f64);
  CHECK(moved.write_bytes == 3 * inner);
  CHECK(moved.read_bytes > 5 * inner);
  CHECK(moved.read_bytes < 5 * all + 100);  // and the numbers
  CHECK(moved.cells == 100 * 200);
  const profile seen("iterations");
  solver.iterate(3);
  const std::string table = seen.table();
  CAPTURE(table);
  CHECK(contains(table, "statement and dot -> 100x200 cells                 6 "));
  CHECK(contains(table, " 647 kB "));  // half of it a call
}
