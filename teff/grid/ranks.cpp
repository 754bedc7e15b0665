// SPDX-License-Identifier: MIT
#include <algorithm>
#include <system_error>
#include <thread>

#include <omp.h>

#include <teff/base/error.hpp>
#include <teff/base/memory.hpp>
#include <teff/grid/ranks.hpp>
#include <teff/grid/transport/checked_transport.hpp>
#include <teff/grid/transport/thread_transport.hpp>

namespace teff {

namespace {

/// The one rank of a program that starts no others: what it says it hears.
class lone_rank : public runtime::transport {
 public:
  int rank() const override { return 0; }
  int ranks() const override { return 1; }
  const char* name() const override { return "one rank"; }
  void post(const std::vector<runtime::message>&, const std::vector<runtime::message>&) override {}
  void wait(const std::string&) override {}
  void wait_until(const std::function<bool()>& is_done, const std::vector<int>&,
                  const std::function<std::string()>&) override {
    while (!is_done()) std::this_thread::yield();
  }
  std::shared_ptr<const runtime::words_of_ranks> all_gather(const std::string&, const void* data,
                                                            std::size_t bytes) override {
    const auto* first = static_cast<const std::byte*>(data);
    return std::make_shared<const runtime::words_of_ranks>(
        runtime::words_of_ranks{{first, first + bytes}});
  }
  void limit_waiting(double) override {}
  void abort(std::exception_ptr) noexcept override {}
};

}  // namespace

rank_devices cpu_ranks(int count) {
  if (count < 1)
    throw error(failure::usage,
                "cpu_ranks: a job has 1 rank or more, asked were " + std::to_string(count));
  return rank_devices(static_cast<std::size_t>(count), device::cpu());
}

rank_devices all_gpus() {
  const int count = cuda_device_count();
  rank_devices all{device::cuda(0)};  // or why there is none
  for (int gpu = 1; gpu < count; ++gpu) all.push_back(device::cuda(gpu));
  return all;
}

namespace {

/// Ranks of CPUs, or ranks of GPUs. GPUs reach each other's memory, where the hardware can.
void prepare(const rank_devices& devices) {
  if (devices.empty()) throw error(failure::usage, "run_on: a job has 1 rank or more, got none");
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    const device dev = devices[rank];
    if (dev.is_cuda() != devices[0].is_cuda())
      throw error(failure::usage,
                  "run_on: ranks are on CPUs, or on GPUs, as sin and exp differ in their last bits "
                  "between them; rank 0 is on " +
                      devices[0].name() + ", rank " + std::to_string(rank) + " on " + dev.name());
    (void)known_device(dev);  // as it is with all threads, not with a rank's share
    for (std::size_t before = 0; before < rank; ++before) {
      runtime::let_reach(dev, devices[before]);
      runtime::let_reach(devices[before], dev);
    }
  }
}

}  // namespace

ranks::ranks() : through_(std::make_shared<lone_rank>()) {}

void run_on(const rank_devices& devices, const std::function<void(const ranks&)>& f) {
  prepare(devices);
  const int count = static_cast<int>(devices.size());
  const auto group = std::make_shared<runtime::thread_group>(count);
  const int threads = std::max(1, omp_get_max_threads() / count);
  std::vector<std::thread> all;
  const auto run = [&](int rank) {
    try {
      omp_set_num_threads(threads);
      const auto end = runtime::checked_if_asked(runtime::thread_group::end_of(group, rank));
      f(ranks(end, devices[static_cast<std::size_t>(rank)]));
    } catch (...) {
      group->fail(rank, std::current_exception());
    }
    group->end(rank);
  };
  try {
    for (int rank = 0; rank < count; ++rank) all.emplace_back(run, rank);
  } catch (const std::system_error& e) {
    group->fail(
        static_cast<int>(all.size()),
        std::make_exception_ptr(error("run_on: no thread for rank " + std::to_string(all.size()) +
                                      " of " + std::to_string(count) + ": " + e.what())));
  }
  for (std::thread& one : all) one.join();
  if (const std::exception_ptr failed = group->failure()) std::rethrow_exception(failed);
}

namespace runtime {

void agreed(const ranks& on, const std::string& what, const std::function<void()>& work) {
  std::exception_ptr failed;
  std::string call = what;
  try {
    work();
  } catch (const std::exception& e) {
    failed = std::current_exception();
    call += std::string("; it failed: ") + e.what();
  } catch (...) {
    failed = std::current_exception();
  }
  const std::vector<int> have_failed = gathered(on, call, failed ? 1 : 0);
  if (std::count(have_failed.begin(), have_failed.end(), 1) == 0) return;
  const bool have_all = std::count(have_failed.begin(), have_failed.end(), 0) == 0;
  if (failed && !have_all) on.through().abort(failed);
  if (failed) std::rethrow_exception(failed);
  // The grid has ended, or is about to: whichever rank aborts first says why.
  for (;;) (void)gathered(on, what, 0);
}

namespace {

std::vector<std::string> parts_of(const std::string& text) {
  const std::string between = ", ";
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(between, begin)) != std::string::npos;
       begin = end + between.size())
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

/// What is different in two texts of as many parts, between commas; else all of the first.
std::string what_differs(const std::string& of, const std::string& from) {
  const std::vector<std::string> mine = parts_of(of), others = parts_of(from);
  if (mine.size() != others.size()) return of;
  std::string text;
  for (std::size_t k = 0; k < mine.size(); ++k)
    if (mine[k] != others[k]) text += (text.empty() ? "" : ", ") + mine[k];
  return text;
}

}  // namespace

void require_same(const ranks& on, const std::string& what, const std::string& whose,
                  const std::string& mine) {
  const auto all = on.through().all_gather(what, mine.data(), mine.size());
  const auto text_of = [&](std::size_t rank) {
    return std::string(reinterpret_cast<const char*>((*all)[rank].data()), (*all)[rank].size());
  };
  for (std::size_t r = 1; r < all->size(); ++r)
    if ((*all)[r] != (*all)[0])
      throw error(failure::usage,
                  what + ": " + whose + " must be the same on all ranks, but rank 0 has " +
                      what_differs(text_of(0), text_of(r)) + " and rank " + std::to_string(r) +
                      " " + what_differs(text_of(r), text_of(0)));
}

void throw_of_root(const ranks& on, const std::string& what, const std::string& why) {
  const auto all = on.through().all_gather(what, why.data(), why.size());
  const std::vector<std::byte>& text = all->front();
  if (!text.empty())
    throw error(failure::usage,
                std::string(reinterpret_cast<const char*>(text.data()), text.size()));
}

void throw_of_any(const ranks& on, const std::string& what, const std::string& why, failure kind) {
  const auto all = on.through().all_gather(what, why.data(), why.size());
  const auto has_text = [](const std::vector<std::byte>& text) { return !text.empty(); };
  const auto first = std::find_if(all->begin(), all->end(), has_text);
  if (first == all->end()) return;
  std::string text(reinterpret_cast<const char*>(first->data()), first->size());
  if (std::count(all->begin(), all->end(), *first) != on.count())
    text += ", said by rank " + std::to_string(first - all->begin());
  throw error(kind, text);
}

}  // namespace runtime
}  // namespace teff
