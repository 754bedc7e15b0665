// SPDX-License-Identifier: MIT
#include <cfenv>
#include <doctest/doctest.h>
#include <functional>
#include <vector>

#include <omp.h>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

/// Bits are those of the default floating-point mode, whatever mode the caller is in.
namespace {

/// Modes that change values: named, and how they are set. (fenv.h knows directions of rounding
/// alone; flush to zero is the processor's own.)
struct float_mode {
  const char* name;
  std::function<void()> set;
};
void set_flush_to_zero() {
#if defined(__SSE2__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040U);
#elif defined(__aarch64__)
  unsigned long mode;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  asm volatile("msr fpcr, %0" : : "r"(mode | 1UL << 24));
#endif
}
const std::vector<float_mode> modes{{"flush to zero", set_flush_to_zero},
                                    {"upward", [] { std::fesetround(FE_UPWARD); }},
                                    {"toward zero", [] { std::fesetround(FE_TOWARDZERO); }}};

/// Sums that are rounded, and a product that is denormal, by this thread's own mode. (The numbers
/// are volatile, or else the compiler would compute.)
std::vector<double> of_thread() {
  volatile double one = 1, small = 0x1p-60, tiny = 0x1p-1000, factor = 0x1p-40;
  return {one + small, one - small, tiny * factor};
}

template <class T>
void add_bits(std::vector<unsigned char>& bits, const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const unsigned char*>(values.data());
  bits.insert(bits.end(), first, first + values.size() * sizeof(T));
}

/// What operations of all kinds come to where half of the values are tiny.
std::vector<unsigned char> bits_of_everything(index_t nx, index_t ny) {
  std::vector<unsigned char> bits;
  const device dev = device::cpu();
  array<f64, 2> A(dev, {nx, ny}), B(dev, {nx, ny});
  array<f32, 2> F(dev, {nx, ny});
  fill_random(A, 1);
  fill_random_normal(B, 2);
  A = where(A < 0.5, A * 1e-308, A);
  volatile double third = 1.0 / 3;  // a number that the program computes
  fill_random(F, 3);
  F = F * third * 1e-38;
  add_bits(bits, to_host(A));
  add_bits(bits, to_host(B));
  add_bits(bits, to_host(F));
  add_bits(bits, std::vector<double>{sum(A * B), norm2(A), mean(A)});
  add_bits(bits, to_host(array<f64, 1>(sum(A, 0))));
  add_bits(bits, to_host(array<f64, 1>(sum(A, 1))));
  cumsum(B, A, 1);
  add_bits(bits, to_host(B));
  array<f64, 1> x(dev, {ny}), y(dev, {nx});
  fill_random(x, 4);
  gemv(y, A, x);
  add_bits(bits, to_host(y));
  const auto a = A.view(), b = B.view();
  launch(A.on(), A.shape(), [=] TEFF_FN(index_t i, index_t j) { b(i, j) = a(i, j) / 3; });
  add_bits(bits, to_host(B));
  return bits;
}

template <class Step>
std::vector<unsigned char> bits_of_run(const Step& step, index_t n, schedule how) {
  array<f64, 2> T(device::cpu(), {n, n});
  fill_random(T, 1);
  T = T * 1e-305;
  iterate(step, {.steps = 4, .schedule = how, .depth = how == schedule::temporal ? 2 : 0}, T);
  std::vector<unsigned char> bits;
  add_bits(bits, to_host(T));
  return bits;
}

/// f's value in every mode, with one thread and with three, is that of the default one.
template <class F>
void check_in_all_modes(const F& f) {
  const int threads = omp_get_max_threads();
  const auto expected = f();
  for (const float_mode& mode : modes)
    for (const int wanted : {1, 3}) {
      CAPTURE(mode.name);
      CAPTURE(wanted);
      omp_set_num_threads(wanted);
      std::fenv_t before;
      std::fegetenv(&before);
      mode.set();
      const auto of_mode = of_thread();
      const auto got = f();
      const auto afterwards = of_thread();
      std::fesetenv(&before);
      CHECK(of_mode != of_thread());  // the mode was one that changes values
      CHECK(afterwards == of_mode);   // and it was left
      CHECK(got == expected);
    }
  omp_set_num_threads(threads);
}

}  // namespace

TEST_CASE("float mode: statements and algorithms have the bits of the default mode") {
  check_in_all_modes([] { return bits_of_everything(7, 5); });
  check_in_all_modes([] { return bits_of_everything(300, 200); });  // shared out to threads
}

TEST_CASE("float mode: a number of the program's is rounded to nearest, wherever it goes") {
  check_in_all_modes([] {
    // (Volatile, or else the compiler would round.)
    volatile double third = 1.0 / 3, tiny = 1e-40;
    volatile int odd = (1 << 24) + 1, odder = (1 << 24) + 3;
    volatile i64 wide = (i64{1} << 53) + 1, wider = wide + 2;
    const device dev = device::cpu();
    array<f32, 1> F(dev, {8}, "F"), G = full<f32>(dev, {3}, third);
    array<f64, 1> A = full<f64>(dev, {2}, wide);
    std::vector<unsigned char> bits;
    add_bits(bits, to_host(G));
    add_bits(bits, to_host(A));
    A(0) = third, A(1) = wider;
    F = tiny, F(1) = third, F(2) = odd, F(3) = odder, F(4) = A(0), F(5) = A(1), F(6) = sum(A);
    const auto p = param(1.0F);
    p = third;
    F(7) = p.value();
    add_bits(bits, to_host(F));
    add_bits(bits, to_host(A));
    G = 1, A = 1;
    G = G * odd + G * odder, A = A * wide - A / wider;
    add_bits(bits, to_host(G));
    add_bits(bits, to_host(A));
    G = -1;
    const f32 least = reduce(ops::larger{}, G, third);
    scan(G, G, 0, ops::larger{}, {.init = third});
    add_bits(bits, to_host(G));
    add_bits(bits, std::vector<f32>{least});
    return bits;
  });
}

TEST_CASE("float mode: a run has the bits of the default mode; on_step has the caller's") {
  volatile double factor = 1.0 / 3000;
  const auto step = timestep([&](auto T) {
    return update(inn(T), inn(T) + double(factor) * 0.6 * (d2_xi(T) + d2_yi(T)));
  });
  for (const schedule how : {schedule::stepwise, schedule::temporal}) {
    check_in_all_modes([&] { return bits_of_run(step, 40, how); });
    check_in_all_modes([&] { return bits_of_run(step, 200, how); });
  }
  array<f64, 2> T = full(device::cpu(), {9, 9}, 1.0);
  std::vector<double> in_call;
  std::fesetround(FE_UPWARD);
  const auto of_caller = of_thread();
  iterate(step,
          {.steps = 2, .on_step = {.every = 1, .call = [&](index_t) { in_call = of_thread(); }}},
          T);
  const auto afterwards = of_thread();
  std::fesetround(FE_TONEAREST);
  CHECK(of_caller != of_thread());
  CHECK(in_call == of_caller);
  CHECK(afterwards == of_caller);
}

TEST_CASE("float mode: one that on_step sets changes no bit, and is the caller's afterwards") {
  // Conditions divide for themselves: robin by a + b.
  volatile double seventh = 1.0 / 7;
  const auto step = timestep([&](auto T) {
    return update(inn(T), inn(T) + double(seventh) * d2_xi(T),
                  boundary{.x = {robin(7, 1, 0.7), robin(3, 1, double(seventh))}});
  });
  std::fenv_t before;
  std::fegetenv(&before);
  for (const schedule how : {schedule::stepwise, schedule::temporal}) {
    std::vector<double> expected;
    for (int set = -1; set < static_cast<int>(modes.size()); ++set) {
      array<f64, 2> T(device::cpu(), {9, 5});
      T = 0.1 * ix;
      std::vector<double> left, found;
      const auto set_mode = [&](index_t) {
        if (set >= 0) modes[static_cast<std::size_t>(set)].set();
        left = of_thread();
      };
      iterate(step, {.steps = 6, .schedule = how, .on_step = {2, set_mode}}, T);
      found = of_thread();
      std::fesetenv(&before);
      CHECK(found == left);
      if (set < 0) expected = to_host(T);
      CHECK(to_host(T) == expected);
    }
  }
}

TEST_CASE("float mode: on_step of fields without cells has the caller's, too") {
  array<f64, 1> none(device::cpu(), {0});
  std::vector<double> in_call;
  std::fesetround(FE_UPWARD);
  const auto of_caller = of_thread();
  iterate(timestep([](auto T) { return update(T, 2.0 * T); }),
          {.steps = 1, .on_step = {1, [&](index_t) { in_call = of_thread(); }}}, none);
  std::fesetround(FE_TONEAREST);
  CHECK(in_call == of_caller);
}

TEST_CASE("float mode: flags that operations raise are seen, as after loops") {
  array<f64, 1> A = full(device::cpu(), {9}, 1.0);
  for (const bool rounds_up : {false, true}) {
    if (rounds_up) std::fesetround(FE_UPWARD);
    std::feclearexcept(FE_ALL_EXCEPT);
    A = A / 0.0;
    const bool is_raised = std::fetestexcept(FE_DIVBYZERO) != 0;
    std::fesetround(FE_TONEAREST);
    CHECK(is_raised);
    A = 1.0;
  }
}
