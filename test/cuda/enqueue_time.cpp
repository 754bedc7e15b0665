// SPDX-License-Identifier: MIT
// teff_enqueue_time: how long the host takes to enqueue a statement, beside a bare kernel launch.
// Prints one line of JSON; exit status 1 if a statement takes more than 1.6 times as long (the aim
// is 1.3; the host is noisy).
#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include <teff/algo/reduce.hpp>
#include <teff/array/array.hpp>
#include <teff/base/current_device.cuh>
#include <teff/expr/statement.hpp>

using namespace teff;

namespace {

constexpr int launches = 256;  // fewer than the driver's queue holds, so that the host never waits
constexpr int rounds = 201;
constexpr double aim = 1.3, most_ratio = 1.6;

__global__ void bare_triad(double* a, const double* b, const double* c, double s, index_t n) {
  const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}

/// Host time of one call of f, in microseconds.
template <class F>
double time_us(const stream& on, const F& f) {
  on.synchronize();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; ++i) f();
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  on.synchronize();
  return time.count() / launches;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<int>(values.size()) / 2);
  return values[values.size() / 2];
}

}  // namespace

int main() {
  const device dev = default_device();
  if (!dev.is_cuda()) {
    std::cerr << "teff_enqueue_time needs a GPU\n";
    return 7;
  }
  const runtime::cuda::current_device here(dev.ordinal());
  const index_t n = 100;
  array<double, 2> A(dev, {n, n}, "A"), B(dev, {n, n}, "B"), C(dev, {n, n}, "C");
  B = 1.0;
  C = 2.0;
  const stream on = A.on();
  const auto queue = static_cast<cudaStream_t>(on.native());
  std::vector<double> bare, statement;
  bool is_right = true;
  for (int round = 0; round < rounds; ++round) {
    bare.push_back(time_us(
        on, [&] { bare_triad<<<40, 256, 0, queue>>>(A.data(), B.data(), C.data(), 0.3, n * n); }));
    TEFF_CHECK(cudaGetLastError());
    is_right = is_right && max_abs(A - 1.6) < 1e-15;
    A = 0.0;
    statement.push_back(time_us(on, [&] { A = B + 0.3 * C; }));
    is_right = is_right && max_abs(A - 1.6) < 1e-15;
    A = 0.0;
  }
  if (!is_right) {
    std::cerr << "a triad is wrong\n";
    return 3;
  }
  const double ratio = median(statement) / median(bare);
  std::cout << "{\"bare_launch_us\": " << median(bare)
            << ", \"statement_us\": " << median(statement) << ", \"ratio\": " << ratio
            << ", \"aim\": " << aim << "}\n";
  return ratio <= most_ratio ? 0 : 1;
}
