// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

/// How the programs here time what runs on a GPU. (Kernels by hand run on a stream of their own, so
/// the whole device is waited for.)
namespace by_hand {

#define BY_HAND_TEXT_OF(name) #name
/// What a macro of the command line stands for, as text.
#define BY_HAND_TEXT(name) BY_HAND_TEXT_OF(name)

double seconds_of(const auto& run) {
  cudaDeviceSynchronize();
  const auto from = std::chrono::steady_clock::now();
  run();
  cudaDeviceSynchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

inline double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}

/// Of one of `calls` calls: the median of some turns of so many.
double median_seconds(int turns, int calls, const auto& call) {
  std::vector<double> of;
  for (int turn = 0; turn < turns; ++turn)
    of.push_back(seconds_of([&] {
                   for (int k = 0; k < calls; ++k) call();
                 }) /
                 calls);
  return median(of);
}

}  // namespace by_hand
