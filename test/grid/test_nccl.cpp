// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cstddef>
#include <doctest/doctest.h>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/grid/ranks.hpp>
#include <teff/grid/transport/nccl_transport.hpp>

#include "../message.hpp"
#include "stand_in_nccl.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

using runtime::message;
using runtime::nccl_transport;

TEST_CASE("NCCL gets what it asks of a communicator where it looks for it") {
  // nccl.h of 2.18 to 2.30, on machines of 64 bits
  CHECK(offsetof(runtime::nccl_config, magic) == 8);
  CHECK(offsetof(runtime::nccl_config, version) == 12);
  CHECK(offsetof(runtime::nccl_config, blocking) == 16);
  CHECK(offsetof(runtime::nccl_config, most_blocks) == 28);
  CHECK(offsetof(runtime::nccl_config, network) == 32);
  CHECK(offsetof(runtime::nccl_config, shares_on_split) == 40);
  CHECK(sizeof(runtime::nccl_config) == 48);
  CHECK(sizeof(runtime::nccl_id) == 128);
}

TEST_CASE("why NCCL is not used") {
  const auto why_not = [](const std::string& asked) { return runtime::load_nccl(asked).why_not; };
  CHECK(why_not("off") == "TEFF_NCCL is off");
  CHECK(why_not("/nowhere/libnccl.so.2").starts_with("NCCL can not be loaded: /nowhere/libnccl"));
  CHECK(why_not("/nowhere/libnccl.so.2").ends_with(" (TEFF_NCCL names the file)"));
  CHECK(why_not("/tmp").find("/tmp/libnccl.so.2") != std::string::npos);
  CHECK(why_not("libm.so.6") == "libm.so.6 is no NCCL of 2.18 or later: it has no ncclGetVersion");
  runtime::nccl_library old = stand_in_nccl::found().library;
  CHECK(runtime::why_not_that(old, "") == "");
  old.version = 21704;
  CHECK(runtime::why_not_that(old, "ncclGetLastError") ==
        "a stand-in is NCCL 2.17.4, but 2.18 or later is needed");
  old.version = 0;
  CHECK(runtime::why_not_that(old, "") ==
        "a stand-in is no NCCL of 2.18 or later: it has no version");
}

TEST_CASE("all ranks use NCCL, or none") {
  using runtime::why_no_nccl;
  CHECK(why_no_nccl({{"GPU-a", "2.28.9", ""}, {"GPU-b", "2.28.9", ""}}) == "");
  CHECK(why_no_nccl({{"GPU-a", "2.28.9", ""}, {"GPU-b", "0.0.0", "TEFF_NCCL is off"}}) ==
        "rank 1: TEFF_NCCL is off");
  CHECK(why_no_nccl({{"GPU-a", "2.28.9", ""}, {"GPU-b", "2.28.9", ""}, {"GPU-a", "2.28.9", ""}}) ==
        "ranks 0 and 2 share GPU-a");
  CHECK(why_no_nccl({{"GPU-a", "2.28.9", ""}, {"GPU-b", "2.27.5", ""}}) ==
        "rank 0 has NCCL 2.28.9, rank 1 2.27.5");
}

/// Threads as ranks, whose messages with a stream go by the stand-in.
void on_ranks(
    int count, const std::function<void(nccl_transport&)>& f,
    const std::function<std::string(int)>& gpu = [](int rank) {
      return "GPU-" + std::to_string(rank);
    }) {
  run_on(cpu_ranks(count), [&](const ranks& r) {
    const runtime::found_nccl found = stand_in_nccl::found();
    nccl_transport through(r.shared_transport(), {found, device::cpu(), gpu(r.rank())});
    f(through);
  });
}

/// To each other rank, from each, and whether what came is theirs.
bool has_exchanged(nccl_transport& through, int turn, const stream* on) {
  static const std::string a_halo = "the halo of field 0, 'T', side +y";
  std::vector<std::vector<std::byte>> to, from;
  std::vector<message> sends, receives;
  for (int other = 0; other < through.ranks(); ++other) {
    to.emplace_back(100, static_cast<std::byte>(50 * turn + 7 * through.rank() + other));
    from.emplace_back(100);
  }
  for (int other = 0; other < through.ranks(); ++other) {
    const auto at = static_cast<std::size_t>(other);
    if (other == through.rank()) continue;
    sends.push_back({other, to[at].data(), 100, &a_halo, on});
    receives.push_back({other, from[at].data(), 100, &a_halo, on});
  }
  through.post(sends, receives);
  through.wait("period " + std::to_string(turn));
  through.finish();
  for (int other = 0; other < through.ranks(); ++other)
    if (other != through.rank() &&
        from[static_cast<std::size_t>(other)] !=
            std::vector<std::byte>(100,
                                   static_cast<std::byte>(50 * turn + 7 * other + through.rank())))
      return false;
  return true;
}

TEST_CASE("messages of GPUs go by NCCL, those of the host as before") {
  const stream on = device::cpu();
  for (const int count : {2, 3, 18}) {
    const stand_in_nccl& nccl = stand_in_nccl::renewed();
    std::atomic<int> wrong = 0;
    on_ranks(count, [&](nccl_transport& through) {
      wrong += !through.reaches_gpus();
      wrong += through.name() != std::string("threads, messages by NCCL 2.28.9");
      for (int turn = 0; turn < 3; ++turn) {
        wrong += !has_exchanged(through, turn, &on);
        wrong += !has_exchanged(through, turn, nullptr);
        const auto all = through.all_gather("turn", &turn, sizeof turn);
        wrong += static_cast<int>(all->size()) != count;
      }
    });
    CHECK(wrong == 0);
    CHECK(nccl.begun == count);
    CHECK(nccl.destroyed == count);
    CHECK(nccl.aborted == 0);
  }
}

/// That all ranks of such a job stage their messages, and what they say.
void check_staged(
    const std::string& why, int aborted, const std::function<std::string(int)>& gpu = [](int rank) {
      return "GPU-" + std::to_string(rank);
    }) {
  std::atomic<int> wrong = 0;
  std::mutex mutex;
  std::string name;
  on_ranks(
      3,
      [&](nccl_transport& through) {
        wrong += through.reaches_gpus();
        wrong += !has_exchanged(through, 1, nullptr);
        const std::lock_guard lock(mutex);
        wrong += !name.empty() && name != through.name();
        name = through.name();
      },
      gpu);
  CHECK(wrong == 0);
  CHECK(name == "threads, staged: " + why);
  CHECK(stand_in_nccl::one().aborted == aborted);
  CHECK(stand_in_nccl::one().destroyed == 0);
}

TEST_CASE("messages are staged by all ranks where one can not use NCCL") {
  stand_in_nccl::renewed();
  check_staged("ranks 0 and 2 share GPU-0", 0,
               [](int rank) { return "GPU-" + std::to_string(rank % 2); });
  stand_in_nccl::renewed().rank_that_can_not_begin = 1;
  check_staged(
      "rank 1: NCCL 2.28.9 says of ncclCommInitRankConfig: the system says no, socket closed", 2);
  stand_in_nccl::renewed().damages = true;
  check_staged("rank 0: NCCL brought another message from rank 1 than that which it sent", 3);
}

TEST_CASE("an error of NCCL's ends the grid on all ranks") {
  const stream on = device::cpu();
  stand_in_nccl::renewed().rank_with_an_error = 1;
  const std::string said = message_of([&] {
    on_ranks(2, [&](nccl_transport& through) {
      if (through.rank() == 0) {  // of two messages one comes
        std::byte room[8];
        const std::string what = "the halo of field 0";
        through.post({}, {{1, room, 8, &what, &on}, {1, room, 8, &what, &on}});
        through.wait("period 1");
        return;
      }
      (void)has_exchanged(through, 1, &on);
    });
  });
  CHECK(said ==
        "grid: rank 1: NCCL 2.28.9 says of messages under way: a rank is gone, socket closed");
  CHECK(stand_in_nccl::one().aborted == 2);
}

TEST_CASE("a message of a GPU that does not come is waited for no longer than the deadline") {
  const stream on = device::cpu();
  stand_in_nccl::renewed();
  std::byte room[8];
  const std::string what = "the halo of field 0, 'T', side +y";
  std::atomic<bool> has_waited = false;
  const auto late = [&](const std::function<void(nccl_transport&)>& f) {
    has_waited = false;
    return message_of([&] {
      on_ranks(2, [&](nccl_transport& through) {
        if (through.rank() == 1) {
          while (!has_waited) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return;
        }
        through.limit_waiting(0.05);
        try {
          f(through);
        } catch (...) {
          has_waited = true;
          throw;
        }
      });
    });
  };
  CHECK(late([&](nccl_transport& through) {
          through.post({}, {{1, room, 8, &what, &on}});
          through.wait("period 17");
        }) ==
        "grid: rank 0 has waited for 0.05 s: the halo of field 0, 'T', side +y has not come "
        "from rank 1, period 17");
  CHECK(late([&](nccl_transport& through) {
          through.post({}, {{1, room, 8, &what, &on}});
          through.post({}, {{1, room, 8, &what, &on}});
        }) ==
        "grid: rank 0 has waited for 0.05 s: the halo of field 0, 'T', side +y has not come "
        "from rank 1, before it was waited for");
}

TEST_CASE("who waits for a message of a GPU throws where the other rank fails or ends") {
  const stream on = device::cpu();
  stand_in_nccl::renewed();
  std::byte room[8];
  const std::string what = "the halo of field 0";
  CHECK(message_of([&] {
          on_ranks(2, [&](nccl_transport& through) {
            if (through.rank() == 1) return;
            through.post({}, {{1, room, 8, &what, &on}});
            through.wait("period 1");
          });
        }) ==
        "grid: rank 0 waits for rank 1, which has ended: the halo of field 0 has not come from "
        "rank 1, period 1");
  std::atomic<int> says_why = 0;
  (void)message_of([&] {
    on_ranks(2, [&](nccl_transport& through) {
      if (through.rank() == 1) throw error("no more");
      try {
        through.post({}, {{1, room, 8, &what, &on}});
        through.wait("period 1");
      } catch (const error& e) {
        says_why += e.what() ==
                    std::string("grid: rank 1 failed, which ends the grid on rank 0, too: no more");
        throw;
      }
    });
  });
  CHECK(says_why == 1);
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test
