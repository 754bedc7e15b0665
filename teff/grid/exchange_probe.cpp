// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <teff/base/memory.hpp>
#include <teff/base/stream.hpp>
#include <teff/grid/exchange_probe.hpp>

namespace teff::runtime {

namespace {

constexpr std::size_t few_bytes = 64;
constexpr int most_repeats = 20, repeats_at_once = 5;
constexpr double most_s = 4e-3;  // for one size

/// The median time of an exchange round the ring, the longest of all ranks, between cells on `dev`.
double ring_s(const ranks& on, device dev, std::size_t bytes) {
  using clock = std::chrono::steady_clock;
  transport& through = on.through();
  const int me = on.rank(), count = on.count();
  const std::string what = "a message that measures an exchange";
  const stream messages = dev.is_cpu() ? stream(dev) : stream::create_urgent(dev);
  const bool is_staged = dev.is_cuda() && !through.reaches_gpus();
  const device place = is_staged ? device::cpu_pinned() : dev;
  const memory_block cells(messages, dev, bytes, what), to(messages, place, bytes, what),
      from(messages, place, bytes, what);
  zero_bytes(messages, cells.data(), bytes);
  const auto message_of = [&](int rank, const memory_block& block) {
    return message{rank, static_cast<std::byte*>(block.data()), bytes, &what,
                   place.is_cuda() ? &messages : nullptr};
  };
  std::vector<double> times;
  const auto exchange = [&] {
    copy_bytes(messages, to.data(), cells.data(), bytes);
    if (is_staged) messages.synchronize();
    through.post({message_of((me + 1) % count, to)}, {message_of((me + count - 1) % count, from)});
    through.wait("before the first step");
    copy_bytes(messages, cells.data(), from.data(), bytes);
    through.finish();
    messages.synchronize();
  };
  exchange();  // connections are made, pages are mapped
  const clock::time_point begin = clock::now();
  for (double spent_s = 0; times.size() < most_repeats && spent_s < most_s;) {
    for (int i = 0; i < repeats_at_once; ++i) {
      const clock::time_point start = clock::now();
      exchange();
      times.push_back(std::chrono::duration<double>(clock::now() - start).count());
    }
    spent_s = 0;  // of the slowest rank: all stop together
    for (const double of_rank :
         gathered(on, "measuring an exchange",
                  std::chrono::duration<double>(clock::now() - begin).count()))
      spent_s = std::max(spent_s, of_rank);
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  double slowest = 0;
  for (const double median : gathered(on, "measuring an exchange", *middle))
    slowest = std::max(slowest, median);
  return slowest;
}

}  // namespace

exchange_speed measured_exchange(const ranks& on, device dev) {
  constexpr double least_s = 1e-9;
  // Enough to take clearly longer than few: some us of what lies between GPUs.
  const std::size_t many_bytes = std::size_t{dev.is_cuda() ? 4096U : 256U} << 10;
  const double few_s = std::max(ring_s(on, dev, few_bytes), least_s),
               many_s = std::max(ring_s(on, dev, many_bytes), few_s + least_s);
  return {few_s, static_cast<double>(many_bytes - few_bytes) / (many_s - few_s)};
}

exchange_speed assumed_exchange(const ranks& on) {
  // Threads of a CPU of two cores; a process behind a network is not faster.
  constexpr double latency_s = 2e-5, bytes_per_s = 5e9;
  return on.count() > 1 ? exchange_speed{latency_s, bytes_per_s} : exchange_speed{0, 1e12};
}

}  // namespace teff::runtime
