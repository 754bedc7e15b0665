// SPDX-License-Identifier: MIT
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <teff/io/child_process.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"

using namespace teff::io;
using teff::test::contains;
using teff::test::message_of;
using teff::test::temp_folder;

TEST_CASE("child process: what it wrote, and how it ended") {
  const child_result found = run_program({"sh", "-c", "cat; echo oops >&2; exit 3"}, "input");
  CHECK(found.exit_status == 3);
  CHECK(found.output == "input");
  CHECK(found.complaints == "oops\n");
  CHECK(run_program({"sh", "-c", "kill -TERM $$"}).exit_status == 128 + 15);
}

TEST_CASE("child process: no word is read by a shell") {
  const child_result found = run_program({"printf", "%s|", "$(id)", "a b", "`id`", "*", "; id"});
  CHECK(found.output == "$(id)|a b|`id`|*|; id|");
}

TEST_CASE("child process: one that is not there, and one that writes too much") {
  CHECK_THROWS_AS((void)run_program({"/nowhere/teff"}), not_started);
  CHECK(contains(message_of([] { (void)run_program({"/nowhere/teff"}); }),
                 "'/nowhere/teff' can not be started: No such file"));
  CHECK(contains(message_of([] {
                   (void)run_program({"sh", "-c", "echo 12345"}, "", 5);
                 }),
                 "'sh' wrote more than 5 "));
}

TEST_CASE("child process: one that writes without end is ended, with those that it started") {
  for (const char* endless : {"exec yes", "yes & wait", "yes >&2"}) {
    CAPTURE(endless);
    CHECK(contains(message_of([&] {
                     (void)run_program({"sh", "-c", endless}, "", 1 << 20);
                   }),
                   "'sh' wrote more than 1.0"));
  }
}

TEST_CASE("child process: Ctrl-C in the terminal does not meet it") {
  const std::string group = run_program({"cut", "-d", " ", "-f", "5", "/proc/self/stat"}).output;
  REQUIRE(!group.empty());
  CHECK(std::stol(group) != static_cast<long>(getpgrp()));
}

TEST_CASE("child process: one that is no longer wanted is ended") {
  const auto start = std::chrono::steady_clock::now();
  int asked = 0;
  const child_result found =
      run_program({"sh", "-c", "sleep 100; echo done"}, "", 1000, [&] { return ++asked > 3; });
  CHECK(found.exit_status == 128 + SIGTERM);
  CHECK(found.output.empty());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
}

TEST_CASE("child process: how it ended is known, or an error") {
  const auto before = std::signal(SIGCHLD, SIG_IGN);  // then the system forgets those that ended
  const std::string message = message_of([] { (void)run_program({"true"}); });
  std::signal(SIGCHLD, before);
  CHECK(contains(message, "cannot find out how a program ended: No child process"));
}

TEST_CASE("child process: it works where it is told to, in the C locale, and needs no files") {
  const temp_folder folder;
  const child_result found = run_program({"sh", "-c", "pwd -P; echo $LC_ALL; echo $TEFF_SAID"}, "",
                                         1000, {}, folder.path().string());
  CHECK(found.output == std::filesystem::canonical(folder.path()).string() + "\nC\n\n");
  setenv("TEFF_SAID", "kept", 1);
  const char* old = std::getenv("LC_ALL");
  const std::string before = old == nullptr ? "" : old;
  setenv("LC_ALL", "de_DE.UTF-8", 1);
  CHECK(run_program({"sh", "-c", "echo $LC_ALL$TEFF_SAID"}).output == "Ckept\n");
  old == nullptr ? unsetenv("LC_ALL") : setenv("LC_ALL", before.c_str(), 1);
  unsetenv("TEFF_SAID");
  const std::string places =
      run_program({"sh", "-c", "for n in 0 1 2; do readlink /proc/self/fd/$n; done"}, "x").output;
  CHECK(places.find('/') == 0);
  CHECK(places.find("tmp") == std::string::npos);
}
