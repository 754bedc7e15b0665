// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>

#include <teff/io/child_process.hpp>

#include "../message.hpp"

using namespace teff::io;
using teff::test::contains;
using teff::test::message_of;

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
