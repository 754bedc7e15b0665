// SPDX-License-Identifier: MIT
#include <sstream>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/kernel/profile.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// The line of the table that begins with these words; "" if there is none.
std::string line_of(const std::string& table, const std::string& begin) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(begin, 0) == 0) return line;
  return "";
}
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace

TEST_CASE("profile: a table of every statement, launch and algorithm") {
  for (const device dev : test_devices()) {
    const profile p("a test");
    CHECK(runtime::is_profiling());
    array<f64, 1> A = zeros<f64>(dev, {1000}, "A"), B = full(dev, {1000}, 1.0, "B");
    for (int i = 0; i < 3; ++i) A = B + 0.5 * A;
    const f64 total = sum(A);
    CHECK(total > 0);
    const auto a = A.view();
    launch(dev, {1000}, [=] TEFF_FN(index_t i) { a(i) = 0; });
    launch(dev, {500, 2}, {.reads = 8000, .writes = 8000},
           [=] TEFF_FN(index_t i, index_t j) { a(i + 500 * j) = 1; });

    const std::string table = p.table();
    CHECK(contains(table, "profile: a test\n"));
    const auto head = words_of(line_of(table, "call"));
    CHECK(head == std::vector<std::string>{"call", "calls", "time/ms", "A_eff", "T_eff/GB/s",
                                           "%T_peak", "launch"});
    // Three triads and the filling: 4 calls, of 24 + 24 + 24 + 8 kB.
    const auto statement = words_of(line_of(table, "statement -> array 'A' of 1000 f64"));
    REQUIRE(statement.size() >= 11);
    CHECK(statement[7] == "4");
    CHECK(statement[9] == "20");
    CHECK(statement[10] == "kB");
    CHECK(line_of(table, "sum -> 1000 cells") != "");
    // A lambda's bytes are not known, unless they are given.
    const auto unknown = words_of(line_of(table, "launch -> 1000 cells"));
    REQUIRE(unknown.size() >= 9);
    CHECK(unknown[4] == "1");
    CHECK(unknown[6] == "-");
    CHECK(unknown[7] == "-");
    CHECK(unknown[8] == "-");
    const std::string given = line_of(table, "launch -> 500x2 cells");
    CHECK(contains(given, " 16 kB "));
    CHECK(contains(table, "T_peak of " + dev.name() + ": "));
  }
  CHECK_FALSE(runtime::is_profiling());
}

TEST_CASE("profile: afterwards nothing is recorded, and a new one begins empty") {
  array<f64, 1> A = zeros<f64>(device::cpu(), {10}, "forgotten");
  const profile p("empty");
  CHECK(p.table().find("forgotten") == std::string::npos);
}
