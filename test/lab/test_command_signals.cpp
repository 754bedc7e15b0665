// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>

#include "shell.hpp"

/// A command that is interrupted.
namespace fs = std::filesystem;
using namespace teff::test;

namespace {

/// The program has begun, and would notice this signal. (Until then the child is this test's twin,
/// with the handlers of doctest.)
bool is_watching(pid_t child, int signal) {
  const fs::path about = fs::path("/proc") / std::to_string(child);
  if (!text_of(about / "cmdline").starts_with(std::string("teff\0", 5))) return false;
  const std::string status = text_of(about / "status"), name = "SigCgt:";
  const std::size_t at = status.find(name);
  if (at == std::string::npos) return false;
  return (std::stoull(status.substr(at + name.size()), nullptr, 16) >> (signal - 1) & 1) != 0;
}

void wait_until_watching(pid_t child, int signal) {
  constexpr int most_waits = 12000;  // of 5 ms each
  for (int waits = 0; waits < most_waits && !is_watching(child, signal); ++waits) usleep(5000);
  REQUIRE(is_watching(child, signal));
}

}  // namespace

TEST_CASE("command: Ctrl-C ends what ab started too") {
  if (!shell::has_command()) return;
  const shell here;
  const pid_t child =
      here.start({"ab", "copy", "--rounds", "1000", "--against", std::getenv("TEFF_COMMAND")});
  wait_until_watching(child, SIGINT);
  kill(child, SIGINT);  // that process alone: the one that it started has another group
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(here.text("out").empty());
}

TEST_CASE("command: Ctrl-C ends it with status 130 and leaves no file") {
  if (!shell::has_command()) return;
  const shell here;
  const pid_t child = here.start({"bench", "copy", "--device", "cpu", "--json", "a.json"});
  wait_until_watching(child, SIGINT);
  kill(child, SIGINT);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(text_of(here.folder / "err").find("interrupted") != std::string::npos);
  CHECK(!fs::exists(here.folder / "a.json"));
}

TEST_CASE("command: Ctrl-C during lab keeps what was measured") {
  if (!shell::has_command()) return;
  const shell here;
  running lab(here.start({"lab", "--budget", "40", "-o", "made"}));
  wait_until_watching(lab.id(), SIGINT);
  sleep(12);  // the ceilings take a fifth of the budget at most
  lab.send(SIGINT);
  REQUIRE(lab.status_within(30) == 130);
  const std::string page = here.text("made/report.html");
  CHECK(page.find("interrupted</li>") != std::string::npos);
  CHECK(page.find("Left out: ") != std::string::npos);
  CHECK(here.text("made/results.json").find("\"time_s\":{") != std::string::npos);
  CHECK(here.text("err").find("interrupted; what was measured until then was written") !=
        std::string::npos);
}
