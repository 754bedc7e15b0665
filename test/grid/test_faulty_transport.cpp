// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstdlib>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/expr/fd2.hpp>
#include <teff/grid/gather.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/iterate.hpp>
#include <teff/grid/transport/checked_transport.hpp>

#include "../message.hpp"
#include "faulty_transport.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

using namespace fd2;

constexpr extents<2> of_test{24, 31};
const iterate_options twelve_steps{.steps = 12, .exchange_every = 2};
/// Posts of such a run: one before it, and one each period.
constexpr int posts_of_run = 7;

auto heat() {
  return timestep([](auto T) { return update(inn(T), inn(T) + 0.2 * (d2_xi(T) + d2_yi(T))); });
}
std::vector<double> of_one_rank() {
  array<double, 2> T(device::cpu(), of_test);
  T = 0.1 * ix * iy;
  iterate(heat(), twelve_steps, T);
  return to_host(T);
}

struct outcome {
  std::vector<std::string> texts;  // by rank; "": the bits are those of one rank
  std::string thrown;              // by run_on
};
/// A run on so many ranks, over a transport with a fault.
outcome run_with(int count, const planned_fault& plan, bool is_checked,
                 const std::array<int, 3>& cuts = {0, 0, 0}) {
  const std::vector<double> expected = of_one_rank();
  outcome result{std::vector<std::string>(static_cast<std::size_t>(count), "no end"), ""};
  try {
    run_on(cpu_ranks(count), [&](const ranks& plain) {
      std::shared_ptr<runtime::transport> through =
          std::make_shared<faulty_transport>(plain.through(), plan);
      if (is_checked) through = std::make_shared<runtime::checked_transport>(through);
      const ranks r(through);
      std::string& text = result.texts[static_cast<std::size_t>(r.rank())];
      try {
        const grid<2> g(of_test, {.on = r, .cuts = cuts});
        const auto T = g.array<double>("T");
        T = 0.1 * ix * iy;
        iterate(heat(), twelve_steps, T);
        const array<double, 2> all = gather(T);
        text = r.is_root() && to_host(all) != expected ? "other bits" : "";
      } catch (const error& e) {
        text = e.what();
        throw;
      }
    });
  } catch (const error& e) {
    result.thrown = e.what();
  }
  return result;
}
/// One rank says it, and all others pass it on.
void check_all_say(const outcome& found, int first, const std::string& expected) {
  CHECK(found.thrown == expected);
  for (std::size_t r = 0; r < found.texts.size(); ++r)
    CHECK(found.texts[r] ==
          (static_cast<int>(r) == first
               ? expected
               : "grid: rank " + std::to_string(first) + " failed, which ends the grid on rank " +
                     std::to_string(r) + ", too: " + expected));
}

TEST_CASE("late messages, in other orders between other pairs, change no bit") {
  for (const bool is_checked : {false, true})
    for (const std::array<int, 3>& cuts : {std::array<int, 3>{1, 6, 0}, {2, 3, 0}, {3, 2, 0}})
      for (const std::string& text : run_with(6, {fault::late}, is_checked, cuts).texts)
        CHECK(text == "");
}

TEST_CASE("a damaged message ends the grid with one text, on all ranks") {
  check_all_say(run_with(3, {fault::damaged, 1, 4}, true), 0,
                "grid: rank 0 got from rank 1 a message that was damaged on the way: the halo of "
                "field 0, 'T', side +y, period 4, before step 4");
  // Without a check nobody sees it.
  CHECK(run_with(3, {fault::damaged, 1, 4}, false).texts[0] == "other bits");
}

TEST_CASE("a lost message ends the grid with one text, on all ranks") {
  check_all_say(run_with(2, {fault::lost, 1, 3}, true), 0,
                "grid: rank 0 got from rank 1 its message 3 in place of message 2, which was lost "
                "on the way: the halo of field 0, 'T', side +y, period 3, before step 2");
  check_all_say(run_with(2, {fault::lost, 1, posts_of_run, true}, true), 0,
                "grid: rank 0 has waited for 0.1 s: the halo of field 0, 'T', side +y has not come "
                "from rank 1, period 7, before step 10");
}

TEST_CASE("a message that is too short ends the grid with one text, on all ranks") {
  check_all_say(run_with(3, {fault::short_by_one, 2, 2}, false), 1,
                "grid: rank 1 expected 384 bytes from rank 2, got 383: the halo of field 0, 'T', "
                "side +y, period 2, before step 0");
}

TEST_CASE("a rank that is killed ends the grid on all") {
  for (const int at : {1, 2, posts_of_run}) {
    CAPTURE(at);
    check_all_say(run_with(4, {fault::killed, 2, at}, true), 2, "killed");
  }
}

TEST_CASE("messages are checked where the environment asks for it") {
  const char* const before = std::getenv("TEFF_CHECK_MESSAGES");
  const std::string old = before == nullptr ? "" : before;
  run_on(cpu_ranks(1), [](const ranks& r) {
    const auto plain = transport_of(r);
    setenv("TEFF_CHECK_MESSAGES", "0", 1);
    CHECK(runtime::checked_if_asked(plain) == plain);
    setenv("TEFF_CHECK_MESSAGES", "1", 1);
    CHECK(runtime::checked_if_asked(plain) != plain);
  });
  if (before == nullptr)
    unsetenv("TEFF_CHECK_MESSAGES");
  else
    setenv("TEFF_CHECK_MESSAGES", old.c_str(), 1);
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test
