// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include <teff/base/for_tasks.hpp>
#include <teff/base/memory.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/kernel/multiply_add_chains.hpp>
#include <teff/kernel/streaming_store.hpp>
#include <teff/traffic/traffic.hpp>

namespace teff {

namespace {

void copy_once(const stream& on, char* to, const char* from, std::size_t bytes) {
  if (on.dev().is_cuda()) return copy_bytes(on, to, from, bytes);
  constexpr std::size_t piece = std::size_t{1} << 20;
  const auto pieces = static_cast<index_t>(bytes / piece);
  for_tasks(pieces, true, [&](index_t p) {
    streaming_store_bytes(to + static_cast<std::size_t>(p) * piece,
                          from + static_cast<std::size_t>(p) * piece, piece);
  });
}

void fill(const stream& on, char* target, std::size_t bytes) {
  if (on.dev().is_cpu()) {
    std::fill(target, target + bytes, 'x');
    return;
  }
  const std::vector<char> piece(std::size_t{1} << 24, 'x');
  for (std::size_t at = 0; at < bytes; at += piece.size())
    copy_bytes(on, target + at, piece.data(), piece.size());
  on.synchronize();
}

/// Each of two arrays: at most a quarter of what is free, since a program has other plans for it.
std::size_t bytes_to_copy(device dev) {
  constexpr std::size_t least = std::size_t{16} << 20;
  std::size_t bytes = dev.is_cpu() ? std::size_t{128} << 20 : std::size_t{1} << 30;
  const std::size_t free = describe(dev).free_bytes;
  while (bytes > free / 4 && bytes > least) bytes /= 2;
  return bytes;
}

double measure(device dev) {
  const std::size_t bytes = bytes_to_copy(dev);
  const stream on(dev);
  const memory_block from(on, dev, bytes, "ceiling"), to(on, dev, bytes, "ceiling");
  auto* target = static_cast<char*>(to.data());
  auto* source = static_cast<char*>(from.data());
  fill(on, source, bytes);
  double best = 0;
  timer t(on);
  for (int run = 0; run < 6; ++run) {
    t.start();
    copy_once(on, target, source, bytes);
    t.stop();
    if (run > 0) best = std::max(best, gb_per_s(2.0 * static_cast<double>(bytes), t.elapsed_s()));
  }
  return best;
}

template <class T>
double measure_multiply_adds() {
  constexpr int rounds = 1 << 14, chains_of_thread = 96;  // half a millisecond
  std::vector<T> x(
      static_cast<std::size_t>(chains_of_thread * known_device(device::cpu()).processors), T{1});
  const auto chains = static_cast<index_t>(x.size());
  const double flop = 2.0 * rounds * static_cast<double>(chains);
  double best = 0;
  timer t{stream(device::cpu())};
  for (int run = 0; run < 20; ++run) {  // some undisturbed
    t.start();
    detail::multiply_add_chains(x.data(), chains, rounds, T(0.75), T(0.3));
    t.stop();
    if (run > 0) best = std::max(best, flop / t.elapsed_s() * 1e-9);
  }
  return best;
}

}  // namespace

double measured_copy_gb_per_s(device dev) {
  // Never destroyed: a profile of the whole program asks for it at exit.
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<std::string, double>;
  const std::lock_guard lock(mutex);
  const auto found = known.find(dev.name());
  if (found != known.end()) return found->second;
  return known[dev.name()] = measure(dev);
}

double peak_gflop_per_s(device dev, std::string_view type) {
  if (type != "f64" && type != "f32") return 0;
  if (dev.is_cuda()) {
    const device_info& gpu = known_device(dev);
    return gpu.nominal_f32_gflop_per_s / (type == "f64" ? gpu.f32_per_f64 : 1);
  }
  static const double of_f64 = measure_multiply_adds<double>();
  static const double of_f32 = measure_multiply_adds<float>();
  return type == "f64" ? of_f64 : of_f32;
}

}  // namespace teff
