// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <teff/algo/gemv.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/scan.hpp>
#include <teff/algo/segmented.hpp>
#include <teff/array/host_copy.hpp>

#include "timing.hpp"

/// Rows of "Along a dim" of docs/measured.md: whole numbers, so that results have the same bits in
/// any order of adding, compared with those of the CPU in every cell before they are timed.
namespace by_hand {

using namespace teff;

/// GB/s of a copy and of reading, of the same run.
struct ceilings {
  double copy = 0, read = 0;
};

inline double whole_number(std::uint64_t at) {
  at = (at + 1) * 0x9E3779B97F4A7C15ULL;
  at = (at ^ (at >> 30)) * 0xBF58476D1CE4E5B9ULL;
  return static_cast<double>((at ^ (at >> 27)) % 201) - 100;
}

template <class T>
std::vector<T> whole_numbers(index_t n) {
  std::vector<T> all(static_cast<std::size_t>(n));
#pragma omp parallel for
  for (index_t at = 0; at < n; ++at)
    all[static_cast<std::size_t>(at)] =
        static_cast<T>(whole_number(static_cast<std::uint64_t>(at)));
  return all;
}

template <class T, int N>
array<T, N> filled(device dev, const extents<N>& e, const std::vector<T>& values) {
  array<T, N> a(dev, e, "A");
  copy_bytes(a.on(), a.data(), values.data(), values.size() * sizeof(T));
  a.on().synchronize();
  return a;
}

/// The largest difference of two arrays.
template <class T, int N>
double difference_of(const array<T, N>& got, const array<T, N>& expected) {
  array<T, N> here(got.on(), expected.shape(), "expected");
  copy_bytes(got.on(), here.data(), expected.data(),
             static_cast<std::size_t>(here.size()) * sizeof(T));
  return static_cast<double>(max_abs(got - here));
}

template <class T>
const char* name_of() {
  return sizeof(T) == 8 ? "f64" : "f32";
}

/// One line, also as JSON. @param bytes that must move @param ceiling GB/s
inline void report(const std::string& what, const char* shape, const char* type, double s,
                   double bytes, double ceiling, double differ) {
  const double rate = 1e-9 * bytes / s;
  std::fprintf(stderr, "%-34s %-16s %s %10.2f us %7.0f GB/s %6.3f  differs by %g\n", what.c_str(),
               shape, type, 1e6 * s, rate, rate / ceiling, differ);
  std::printf(
      "{\"what\": \"%s\", \"shape\": \"%s\", \"type\": \"%s\", \"us\": %.3f, \"gb_per_s\": %.1f, "
      "\"of_mix\": %.4f, \"differ\": %g}\n",
      what.c_str(), shape, type, 1e6 * s, rate, rate / ceiling, differ);
  std::fflush(stdout);
}

/// The median of some turns of enough calls for about 4 ms each.
inline double timed(const auto& call) {
  call();
  const double once = seconds_of(call);
  const int calls = std::clamp(static_cast<int>(4e-3 / once), 1, 200);
  return median_seconds(7, calls, call);
}

template <class T>
ceilings measured_ceilings() {
  const index_t n = index_t{1} << (sizeof(T) == 8 ? 27 : 28);
  const device gpu = device::cuda(0);
  array<T, 1> a(gpu, {n}, "A"), b(gpu, {n}, "B");
  a = T{1};
  b = T{2};
  const double bytes = static_cast<double>(n) * sizeof(T);
  ceilings found;
  found.copy = std::max(2e-9 * bytes / timed([&] { b = a; }),
                        2e-9 * bytes / timed([&] {
                          cudaMemcpyAsync(b.data(), a.data(), static_cast<std::size_t>(bytes),
                                          cudaMemcpyDeviceToDevice, 0);
                        }));
  scalar<T> total = sum(a);
  found.read = 1e-9 * bytes / timed([&] { total = sum(a); });
  std::fprintf(stderr, "%s: copy %.0f GB/s, read %.0f GB/s\n", name_of<T>(), found.copy,
               found.read);
  std::printf("{\"what\": \"ceilings\", \"type\": \"%s\", \"copy\": %.1f, \"read\": %.1f}\n",
              name_of<T>(), found.copy, found.read);
  return found;
}

/// A scan of one shape: A, what it must give, and where it goes.
template <class T>
struct scan_row {
  extents<3> shape;
  int dim;
  std::string text;
  array<T, 3> a, expected, b;  // on the GPU

  scan_row(const extents<3>& e, int along)
      : shape(e),
        dim(along),
        text(std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2])),
        a(device::cuda(0), e, "A"),
        expected(device::cuda(0), e, "expected"),
        b(device::cuda(0), e, "B") {
    const auto values = whole_numbers<T>(b.size());
    const array<T, 3> on_cpu = filled<T, 3>(device::cpu(), e, values);
    cumsum(on_cpu, on_cpu, along);
    copy_bytes(a.on(), expected.data(), on_cpu.data(), values.size() * sizeof(T));
    copy_bytes(a.on(), a.data(), values.data(), values.size() * sizeof(T));
    a.on().synchronize();
  }
  void measure(const std::string& what, const ceilings& of, const auto& call) {
    b = T{-1234};
    call();
    const double differ = static_cast<double>(max_abs(b - expected));
    const double s = timed(call);
    report(what + " dim " + std::to_string(dim), text.c_str(), name_of<T>(), s,
           2.0 * sizeof(T) * static_cast<double>(b.size()), of.copy, differ);
  }
};

}  // namespace by_hand
