// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cstring>
#include <doctest/doctest.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/base/error.hpp>
#include <teff/expr/operands.hpp>
#include <teff/expr/statement.hpp>
#include <teff/grid/ranks.hpp>

#include "../devices.hpp"
#include "../generator.hpp"
#include "../message.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

using runtime::message;

/// A message of some values.
message of_values(int rank, std::vector<index_t>& values, const std::string& what) {
  return {rank, reinterpret_cast<std::byte*>(values.data()), values.size() * sizeof(index_t),
          &what};
}
const std::string a_halo = "the halo of field 0, 'T', side +y";

TEST_CASE("every rank gets what was sent to it") {
  generator g("messages between ranks");
  for (int round = 0; round < generator::rounds(20); ++round) {
    const int count = static_cast<int>(g.between(1, 8));
    const auto size = static_cast<std::size_t>(g.between(1, 300));
    g.count();
    std::atomic<int> wrong = 0;
    run_on(cpu_ranks(count), [&](const ranks& r) {
      for (index_t turn = 0; turn < 5; ++turn) {
        std::vector<std::vector<index_t>> to, from;
        std::vector<message> sends, receives;
        for (int other = 0; other < count; ++other) {
          to.emplace_back(size, 1000 * turn + 10 * r.rank() + other);
          from.emplace_back(size, -1);
        }
        for (int other = 0; other < count; ++other) {
          if (other == r.rank()) continue;
          sends.push_back(of_values(other, to[static_cast<std::size_t>(other)], a_halo));
          receives.push_back(of_values(other, from[static_cast<std::size_t>(other)], a_halo));
        }
        r.through().post(sends, receives);
        r.through().wait("turn");
        for (int other = 0; other < count; ++other)
          if (other != r.rank() &&
              from[static_cast<std::size_t>(other)] !=
                  std::vector<index_t>(size, 1000 * turn + 10 * other + r.rank()))
            ++wrong;
        const std::vector<index_t> all = runtime::gathered(r, "turn", turn + r.rank());
        for (int other = 0; other < count; ++other)
          if (all[static_cast<std::size_t>(other)] != turn + other) ++wrong;
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("what a rank has posted before it fails is not read afterwards") {
  std::atomic<bool> has_posted = false, has_failed = false;
  std::vector<index_t> sent(100, 7), got(100, -1);  // sent's memory may go when its rank has failed
  try {
    run_on(cpu_ranks(2), [&](const ranks& r) {
      const auto wait_for = [](const std::atomic<bool>& is_so) {
        while (!is_so) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      };
      if (r.is_root()) {
        r.through().post({}, {of_values(1, got, a_halo)});
        has_posted = true;
        wait_for(has_failed);
        r.through().wait("period 1");
        return;
      }
      wait_for(has_posted);
      r.through().post({of_values(0, sent, a_halo)}, {});
      r.through().abort(std::make_exception_ptr(std::runtime_error("no more")));
      has_failed = true;
    });
  } catch (const std::exception&) {
  }
  CHECK(got == std::vector<index_t>(100, -1));
}

TEST_CASE("messages may be in the order of streams, on devices") {
  for (const device dev : test_devices()) {
    constexpr int count = 3;
    constexpr index_t values = 1000;
    std::atomic<int> wrong = 0;
    run_on(rank_devices(count, dev), [&](const ranks& r) {
      const int next = (r.rank() + 1) % count, before = (r.rank() + count - 1) % count;
      const array<index_t, 1> out(dev, {values}), in(dev, {values});
      const stream& on = out.on();
      for (index_t turn = 0; turn < 20; ++turn) {  // (the host waits for what it looks at alone)
        out = ix + 1000 * (10 * turn + r.rank());
        const auto bytes_of = [&](int rank, const array<index_t, 1>& a) {
          return message{rank, reinterpret_cast<std::byte*>(a.data()), values * sizeof(index_t),
                         &a_halo, &on};
        };
        r.through().post({bytes_of(next, out)}, {bytes_of(before, in)});
        r.through().wait("turn");
        out = in;  // what was sent has been read
        const std::vector<index_t> got = to_host(out);
        for (index_t i = 0; i < values; ++i)
          if (got[static_cast<std::size_t>(i)] != i + 1000 * (10 * turn + before)) ++wrong;
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("messages may be read where they were packed, until they are given back") {
  for (const device dev : test_devices()) {
    constexpr int count = 4;
    constexpr index_t values = 1000;
    std::atomic<int> wrong = 0, copied = 0;
    run_on(rank_devices(count, dev), [&](const ranks& r) {
      const int next = (r.rank() + 1) % count, before = (r.rank() + count - 1) % count;
      const stream on = stream::create(dev);
      const array<index_t, 1> out(on, {values}), in(on, {values}), got(on, {values});
      const auto bytes_of = [&](int rank, const array<index_t, 1>& a) {
        return message{rank, reinterpret_cast<std::byte*>(a.data()), values * sizeof(index_t),
                       &a_halo, &on};
      };
      std::vector<index_t> of_turns;
      for (index_t turn = 0; turn < 20; ++turn) {
        if (r.rank() == turn % count)  // others are ahead of it
          std::this_thread::sleep_for(std::chrono::microseconds(300));
        r.through().reclaim();
        out = ix + 1000 * (10 * turn + r.rank());
        r.through().post({bytes_of(next, out)}, {bytes_of(before, in)});
        const std::vector<const std::byte*> where = r.through().wait_in_place("turn");
        if (where.size() != 1 || where[0] == reinterpret_cast<std::byte*>(in.data())) {
          ++copied;
          continue;
        }
        copy_bytes(on, got.data(), where[0], values * sizeof(index_t));
        r.through().give_back();
        const std::vector<index_t> all = to_host(got);
        for (index_t i = 0; i < values; ++i)
          if (all[static_cast<std::size_t>(i)] != i + 1000 * (10 * turn + before)) ++wrong;
      }
      r.through().finish();
    });
    CHECK(copied == 0);
    CHECK(wrong == 0);
  }
}

TEST_CASE("what was sent in place is reclaimed when its reader has given it back") {
  std::vector<index_t> sent(10, 7), unused(10);
  const stream on = device::cpu();
  const auto message_of_rank = [&](int rank, std::vector<index_t>& all) {
    message one = of_values(rank, all, a_halo);
    one.on = &on;
    return one;
  };
  CHECK(message_of([&] {
          run_on(cpu_ranks(2), [&](const ranks& r) {
            if (r.rank() == 1) {
              r.through().post({}, {message_of_rank(0, unused)});
              (void)r.through().wait_in_place("period 1");
              (void)runtime::gathered(r, "a turn", 1);
              (void)runtime::gathered(r, "the end", 1);
              return;
            }
            r.through().post({message_of_rank(1, sent)}, {});
            (void)r.through().wait_in_place("period 1");
            (void)runtime::gathered(r, "a turn", 1);
            r.through().limit_waiting(0.05);
            r.through().reclaim();
          });
        }) ==
        "grid: rank 0 has waited for 0.05 s: others have not read what it sent, the next exchange");
}

TEST_CASE("run_on passes on what the rank threw that failed first") {
  std::atomic<int> ended = 0;
  const auto run = [&] {
    run_on(cpu_ranks(3), [&](const ranks& r) {
      try {
        if (r.rank() == 1) throw std::out_of_range("of the user's");
        (void)runtime::gathered(r, "max", 1);
      } catch (const error& e) {
        const std::string told = "grid: rank 1 failed, which ends the grid on rank " +
                                 std::to_string(r.rank()) + ", too: of the user's";
        if (e.what() == told) ++ended;
        throw;
      }
    });
  };
  CHECK_THROWS_AS(run(), std::out_of_range);
  CHECK(ended == 2);
}

TEST_CASE("a rank that is waited for too long, that has ended, or is elsewhere, is named") {
  const auto text = [](const auto& f) { return message_of([&] { run_on(cpu_ranks(2), f); }); };
  std::vector<index_t> values(4);
  // Rank 1 comes to no call, until rank 0 has said what it waits for.
  const auto without_rank_1 = [&](const auto& call) {
    std::atomic<bool> told = false;
    return text([&](const ranks& r) {
      while (r.rank() == 1 && !told) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (r.rank() == 1) return;
      r.through().limit_waiting(0.05);
      const std::string said = message_of([&] { call(r); });
      told = true;
      throw error(said);
    });
  };
  CHECK(without_rank_1([&](const ranks& r) {
          r.through().post({}, {of_values(1, values, a_halo)});
          r.through().wait("period 17");
        }) ==
        "grid: rank 0 has waited for 0.05 s: the halo of field 0, 'T', side +y has not come from "
        "rank 1, period 17");
  CHECK(without_rank_1([](const ranks& r) { (void)runtime::gathered(r, "max", 1); }) ==
        "grid: rank 0 has waited for 0.05 s: max is called by every rank, but not by rank 1");
  CHECK(text([&](const ranks& r) {
          if (r.rank() == 0) (void)runtime::gathered(r, "max", 1);
        }) ==
        "grid: rank 0 waits for rank 1, which has ended: max is called by every rank, but not by "
        "rank 1");
  const std::string mixed =
      text([&](const ranks& r) { (void)runtime::gathered(r, r.is_root() ? "max" : "sum", 1); });
  CHECK(mixed.find("every rank makes the same calls, in the same order, but rank ") !=
        std::string::npos);
  CHECK(text([&](const ranks& r) {
          std::vector<index_t> short_one(3), long_one(4);
          if (r.rank() == 1)
            r.through().post({of_values(0, short_one, a_halo)}, {});
          else
            r.through().post({}, {of_values(1, long_one, a_halo)});
          r.through().wait("period 17");
        }) ==
        "grid: rank 0 expected 32 bytes from rank 1, got 24: the halo of field 0, 'T', side +y, "
        "period 17");
}

TEST_CASE("a rank that has read what was sent to it may end before the others read theirs") {
  std::vector<index_t> sent(100, 7);
  std::vector<std::vector<index_t>> got(3, std::vector<index_t>(100, -1));
  run_on(cpu_ranks(3), [&](const ranks& r) {
    auto& mine = got[static_cast<std::size_t>(r.rank())];
    if (r.is_root())
      r.through().post({of_values(1, sent, a_halo), of_values(2, sent, a_halo)}, {});
    else
      r.through().post({}, {of_values(0, mine, a_halo)});
    if (r.rank() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    r.through().wait("period 1");
  });
  CHECK(got[1] == sent);
  CHECK(got[2] == sent);
}

TEST_CASE("what fails on all ranks leaves the grid usable, what fails on some does not") {
  std::atomic<int> went_on = 0;
  run_on(cpu_ranks(3), [&](const ranks& r) {
    const auto fail = [] { throw error("alike"); };
    if (message_of([&] { runtime::agreed(r, "test", fail); }) == "alike") ++went_on;
    if (runtime::gathered(r, "max", 1).size() == 3) ++went_on;
  });
  CHECK(went_on == 6);
  std::atomic<int> ended = 0;
  const std::string first = message_of([&] {
    run_on(cpu_ranks(3), [&](const ranks& r) {
      const std::string text = message_of([&] {
        runtime::agreed(r, "test", [&] {
          if (r.rank() == 2) throw error("no memory");
        });
      });
      if (text == (r.rank() == 2 ? "no memory"
                                 : "grid: rank 2 failed, which ends the grid on rank " +
                                       std::to_string(r.rank()) + ", too: no memory"))
        ++ended;
    });
  });
  CHECK(first == "no memory");
  CHECK(ended == 3);
}

TEST_CASE("a rank that fails before a call which the others make says why") {
  const std::string text = message_of([] {
    run_on(cpu_ranks(2), [](const ranks& r) {
      runtime::agreed(r, "on_step of iterate", [&] {
        if (r.rank() == 1) throw error("no more");
        (void)runtime::gathered(r, "max", 1);
      });
    });
  });
  CHECK(text.find("on_step of iterate; it failed: no more") != std::string::npos);
}

TEST_CASE("what differs between ranks is refused on all, with both") {
  std::atomic<int> told = 0;
  run_on(cpu_ranks(3), [&](const ranks& r) {
    const std::string text = message_of([&] {
      runtime::require_same(r, "iterate", "the run", r.rank() == 2 ? "9 steps" : "8 steps");
    });
    if (text ==
        "iterate: the run must be the same on all ranks, but rank 0 has 8 steps and rank 2 "
        "9 steps")
      ++told;
  });
  CHECK(told == 3);
  CHECK(message_of([] { cpu_ranks(0); }) == "cpu_ranks: a job has 1 rank or more, asked were 0");
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test
