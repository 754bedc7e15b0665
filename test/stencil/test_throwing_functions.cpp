// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <omp.h>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

/// What functions of the user's throw on the CPU reaches the caller.
namespace {

struct negative : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The root, of what has one. (Device code throws nothing.)
struct root_of {
  TEFF_FN double operator()(double x) const {
#ifndef __CUDA_ARCH__
    if (x < 0) throw negative("there is no root of " + std::to_string(int(x)));
#endif
    return std::sqrt(x);
  }
};
struct sum_of_roots {
  TEFF_FN double operator()(double a, double b) const { return root_of{}(a) + root_of{}(b); }
};

/// Throws from a cell on, counted in a launch of nx x ny x .. cells.
struct throws_from {
  index_t first, nx = 1, ny = 1;
  TEFF_FN void operator()(index_t i) const { (*this)(i, 0, 0); }
  TEFF_FN void operator()(index_t i, index_t j) const { (*this)(i, j, 0); }
  TEFF_FN void operator()([[maybe_unused]] index_t i, [[maybe_unused]] index_t j,
                          [[maybe_unused]] index_t k) const {
#ifndef __CUDA_ARCH__
    if (i + nx * (j + ny * k) >= first) throw negative("there is no root of -1");
#endif
  }
};
struct throws_a_number {
  TEFF_FN void operator()(index_t) const {
#ifndef __CUDA_ARCH__
    throw 5;
#endif
  }
};
struct throws_between_barriers {
  int thread;
  TEFF_FN void operator()(block& blk) const {
    blk.sync();
#ifndef __CUDA_ARCH__
    if (blk.thread(0) == thread) throw negative("there is no root of -1");
#endif
    blk.sync();
  }
};

/// The error's text, and that of what is nested in it (or, where nothing is, of a `negative`).
std::string thrown_by(const std::function<void()>& f) {
  try {
    f();
  } catch (const error& e) {
    try {
      std::rethrow_if_nested(e);
    } catch (const negative& n) {
      return std::string(e.what()) + " | " + n.what();
    }
    return e.what();
  } catch (const negative& n) {
    return n.what();
  }
  return "nothing";
}

/// Ones, but for -1 and -2 at two cells.
template <int N>
array<f64, N> ones(extents<N> shape, index_t first, index_t second) {
  array<f64, N> A = full(device::cpu(), shape, 1.0);
  std::vector<double> values(static_cast<std::size_t>(shape.size()), 1.0);
  values[static_cast<std::size_t>(second)] = -2;
  values[static_cast<std::size_t>(first)] = -1;
  A = from_host(values);
  return A;
}

constexpr const char* no_root = "there is no root of -1";

}  // namespace

TEST_CASE("a map that throws: the first cell is named, what was thrown is nested") {
  const int threads = omp_get_max_threads();
  for (const int wanted : {1, 3}) {
    omp_set_num_threads(wanted);
    for (const index_t n : {index_t{4}, index_t{400}}) {  // the second is shared out to the threads
      array<f64, 2> A = ones(extents<2>(n, n), n * (n - 2) + 1, n * (n - 2) + 3);
      array<f64, 2> B = full(device::cpu(), {n, n}, 0.0);
      const std::string number = std::to_string(n * (n - 2) + 1);
      CHECK(thrown_by([&] { B = map(root_of{}, A); }) == "a function threw at cell " + number +
                                                             ", counted x first: " + no_root +
                                                             " | " + no_root);
      CHECK(B(0, 0) == 1.0);  // what was written before stays written
      CHECK(thrown_by([&] { B(1, whole) = map(root_of{}, A(1, whole)); }).find(no_root) !=
            std::string::npos);
      const std::string place = "(1, " + std::to_string(n - 2) + ")";
      CHECK(thrown_by([&] { B = map(root_of{}, A) + ix; }) ==
            "a function threw at cell " + place + ": " + no_root + " | " + no_root);
      A = A * A;
      CHECK(thrown_by([&] { B = map(root_of{}, A); }) == "nothing");
      CHECK(B(1, n - 2) == 1.0);
    }
  }
  omp_set_num_threads(threads);
}

TEST_CASE("launches that throw: of every number of dims") {
  const stream on(device::cpu());
  const std::string after = std::string(": ") + no_root + " | " + no_root;
  CHECK(thrown_by([&] { launch(on, extents<1>(90000), throws_from{7}); }) ==
        "a function threw at cell (7)" + after);
  CHECK(thrown_by([&] {
          launch(on, extents<2>(5, 9000), throws_from{7, 5});
        }) == "a function threw at cell (2, 1)" + after);
  CHECK(thrown_by([&] {
          launch(on, extents<3>(3, 2, 9000), throws_from{7, 3, 2});
        }) == "a function threw at cell (1, 0, 1)" + after);
  CHECK_THROWS_WITH_AS(launch(on, extents<1>(9), throws_a_number{}),
                       "a function threw at cell (0) what is no std::exception; it is nested in "
                       "this error",
                       error);
}

TEST_CASE("algorithms whose expressions or operations throw pass it on as it is") {
  for (const index_t n : {index_t{5}, index_t{300}}) {
    array<f64, 2> A = ones(extents<2>(n, n), n + 2, n * n - 1),
                  B = full(device::cpu(), {n, n}, 1.0);
    const auto roots = map(root_of{}, A);
    CHECK(thrown_by([&] { (void)sum(roots); }) == no_root);
    CHECK(thrown_by([&] { (void)sum(roots, 0); }) == no_root);
    CHECK(thrown_by([&] { (void)sum(roots, 1); }).find("there is no root") == 0);
    CHECK(thrown_by([&] { cumsum(B, roots, 0); }) == no_root);
    CHECK(thrown_by([&] { cumsum(B, roots, 1); }).find("there is no root") == 0);
    CHECK(thrown_by([&] { (void)reduce(sum_of_roots{}, A, 1.0); }).find("there is no root") == 0);
    CHECK(thrown_by([&] { (void)reduce(sum_of_roots{}, A, 1.0, 1); }).find("there is no") == 0);
    CHECK(thrown_by([&] { scan(B, A, 0, sum_of_roots{}); }) == no_root);
    CHECK(thrown_by([&] { scan(B, A, 1, sum_of_roots{}); }).find("there is no root") == 0);
    array<f64, 2> O(device::cpu(), {n, 2});
    CHECK(thrown_by([&] {
            segmented_reduce(O, A, std::vector<range>{{0, n / 2}, {n / 2, n}}, sum_of_roots{}, 1.0);
          }).find("there is no root") == 0);
    CHECK(double(sum(A * A)) == doctest::Approx(n * n + 3.0));
  }
}

TEST_CASE("a time step that throws: by every schedule, and the fields can be used again") {
  const auto step =
      timestep([](auto T) { return update(inn(T), map(root_of{}, inn(T)) + 0.0 * d2_xi(T)); });
  for (const schedule how : {schedule::stepwise, schedule::temporal}) {
    array<f64, 2> T = ones(extents<2>(200, 200), 200 * 60 + 50, 200 * 70 + 1);
    const std::string said = thrown_by([&] {
      iterate(step, {.steps = 4, .schedule = how, .depth = how == schedule::temporal ? 2 : 0}, T);
    });
    CHECK(said.find(std::string(": ") + no_root + " | " + no_root) != std::string::npos);
    CHECK(said.find(how == schedule::temporal ? "cell (50, 60)" : "cell (49, 59)") !=
          std::string::npos);
    CHECK(double(sum(T)) == 40000 - 5);  // the first step threw: as it was
    T = 1.0;
    iterate(step, {.steps = 4, .schedule = how, .depth = how == schedule::temporal ? 2 : 0}, T);
    CHECK(double(sum(T)) == 40000);
  }
}

TEST_CASE("a block kernel that throws, emulated") {
  const stream on(device::cpu());
  const block_options two{.blocks = {2}, .threads = {64}};
  CHECK(thrown_by([&] { launch_blocks(on, two, throws_between_barriers{33}); }).find(no_root) !=
        std::string::npos);
  CHECK(thrown_by([&] { launch_blocks(on, two, throws_between_barriers{64}); }) == "nothing");
}
