// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <teff/io/checkpoint.hpp>

#include "shell.hpp"

/// `teff solve`, cut and continued: checkpoints, signals, the same bits.
using namespace teff::test;

namespace fs = std::filesystem;

namespace {

struct small_run {
  std::string name, options;
  int steps = 60;
};
const std::vector<small_run> small_runs{
    {"diffusion1d", "--shape 31"},
    {"diffusion2d", "--shape 23x17"},
    {"diffusion3d", "--shape 9x8x7", 40},
    {"nonlinear_diffusion2d", "--shape 23x17"},
    {"pressure2d", "--shape 15x13 --tolerance 0"},
    {"poisson2d", "--shape 15x13 --tolerance 0"},
    {"poisson2d_cg", "--shape 15x13 --tolerance 0", 150},
    {"wave2d", "--shape 15x13"},
    {"wave3d", "--shape 9x8x7", 40},
};

/// A pipe in the file system that somebody could read, and as yet nobody does: a checkpoint does
/// not fit in it, so who writes one there waits.
class narrow_pipe {
 public:
  explicit narrow_pipe(const fs::path& path) {
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    ends_ = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(ends_ >= 0);
    REQUIRE(fcntl(ends_, F_SETPIPE_SZ, 1 << 16) >= 0);
  }
  ~narrow_pipe() { close(ends_); }
  narrow_pipe(narrow_pipe&&) = delete;
  narrow_pipe& operator=(narrow_pipe&&) = delete;

  void wait_for_writer() const {
    int bytes = 0;
    for (int i = 0; i < 20000 && bytes == 0; ++i) {
      usleep(1000);
      REQUIRE(ioctl(ends_, FIONREAD, &bytes) == 0);
    }
    REQUIRE(bytes > 0);
  }
  /// What is in it now.
  std::string taken_out() const {
    std::string all;
    char piece[4096];
    for (ssize_t got = 0; (got = read(ends_, piece, sizeof piece)) > 0;)
      all.append(piece, static_cast<std::size_t>(got));
    return all;
  }

 private:
  int ends_;
};

/// Under a sanitizer, without an optimizer: a step takes a hundred times as long.
bool is_quick() {
  return std::getenv("TEFF_TEST_QUICK") != nullptr;
}

}  // namespace

TEST_CASE("solve: every solver, in both types, stopped anywhere, goes on to the same bits") {
  if (!shell::has_command()) return;
  const shell here;
  const std::vector<std::string> types =
      is_quick() ? std::vector<std::string>{"f32"} : std::vector<std::string>{"f64", "f32"};
  for (const auto& [name, options, steps] : small_runs)
    for (const std::string& type : types) {
      CAPTURE(name);
      CAPTURE(type);
      const std::string run = "solve " + name + " " + options + " --type " + type + " --steps ";
      const std::string all = std::to_string(steps);
      const outcome whole = here.run(run + all + " --checkpoint whole --save whole.npy --json -");
      REQUIRE(whole.status == 0);
      REQUIRE(here.run(run + "23 --checkpoint half").status == 0);
      const outcome rest = here.run(run + all +
                                    " --resume half --checkpoint rest --json - "
                                    "--schedule stepwise --check-every 7");
      REQUIRE(rest.status == 0);
      const auto state = teff::io::read_checkpoint((here.folder / "whole").string());
      const auto resumed = teff::io::read_checkpoint((here.folder / "rest").string());
      CHECK(state.step == resumed.step);
      CHECK(state.dt == resumed.dt);
      for (std::size_t i = 0; i < state.fields.size(); ++i)
        CHECK(state.fields[i].cells == resumed.fields[i].cells);
      CHECK(here.text("whole.npy").ends_with(state.fields[0].cells));
      const auto facts = nlohmann::json::parse(rest.out);
      CHECK(facts["first_step"] == 23);
      CHECK(facts["step"] == state.step);
      CHECK(facts["schedule"] == "stepwise");
      CHECK(facts["steps_per_pass"] == 1.0);
      CHECK(facts["min"] < facts["max"]);
    }
}

TEST_CASE("solve: a run to a tolerance ends at the same step however it is cut") {
  if (!shell::has_command()) return;
  const shell here;
  for (const std::string check :
       {"pressure2d --check-every 30", "poisson2d_cg --check-every 30", "poisson2d_cg"}) {
    CAPTURE(check);
    const std::string run = "solve " + check + " --shape 45x39 --tolerance 1e-9 --steps ";
    REQUIRE(here.run(run + "20000 --checkpoint whole").status == 0);
    const auto whole = teff::io::read_checkpoint((here.folder / "whole").string());
    CHECK(whole.step > 60);
    CHECK(whole.step < 20000);
    if (check.ends_with("30")) CHECK(whole.step % 30 == 0);
    for (const std::string cut : {"17", "30", "59", "60"}) {
      CAPTURE(cut);
      REQUIRE(here.run(run + cut + " --checkpoint part").status == 0);
      REQUIRE(
          here.run(run + "20000 --resume part --checkpoint rest --frames f --every 11").status ==
          0);
      CHECK(here.text("rest") == here.text("whole"));
    }
  }
  // What has converged has nothing left to do.
  const outcome again = here.run("solve --resume whole --checkpoint again");
  CHECK(again.status == 0);
  CHECK(again.out.find(", 0 of them now") != std::string::npos);
  CHECK(here.text("again") == here.text("whole"));
}

TEST_CASE("solve: poisson2d that goes on to a smaller tolerance has the bits of one run to it") {
  if (!shell::has_command()) return;
  const shell here;
  for (const std::string name : {"poisson2d", "poisson2d_cg"}) {
    CAPTURE(name);
    const std::string run = "solve " + name + " --shape 45x39 --tolerance ";
    REQUIRE(here.run(run + "1e-3 --checkpoint part").status == 0);
    REQUIRE(here.run(run + "1e-9 --resume part --checkpoint rest").status == 0);
    REQUIRE(here.run(run + "1e-9 --checkpoint whole").status == 0);
    CHECK(here.text("rest") == here.text("whole"));
  }
}

TEST_CASE("solve: what contradicts the checkpoint is refused, with both values") {
  if (!shell::has_command()) return;
  const shell here;
  REQUIRE(here.run("solve wave2d --shape 9x8 --steps 5 --type f32 --checkpoint a").status == 0);
  const struct {
    const char* options;
    const char* message;
  } golden[] = {
      {"wave3d", "the solver wave3d contradicts the checkpoint 'a', which has wave2d"},
      {"--type f64", "--type f64 contradicts the checkpoint 'a', which has f32"},
      {"--shape 8x9", "--shape 8x9 contradicts the checkpoint 'a', which has 9x8"},
      {"--set K=2", "--set K=2 contradicts the checkpoint 'a', which has K=1"},
      {"--dt 0.25", "--dt 0.25 contradicts the checkpoint 'a', which has dt = "},
      {"--steps 4", "--steps 4 contradicts the checkpoint 'a', which has made 5 steps"},
  };
  for (const auto& [options, message] : golden) {
    CAPTURE(options);
    const outcome found = here.run("solve --resume a " + std::string(options));
    CHECK(found.status == 2);
    CHECK(says(found, message));
  }
  CHECK(here.run("solve wave2d --resume a --type f32 --shape 9x8 --set K=1,rho=1").status == 0);
}

TEST_CASE("solve: hostile checkpoints are refused before anything is made of them") {
  if (!shell::has_command()) return;
  const shell here;
  REQUIRE(here.run("solve wave2d --shape 9x8 --steps 5 --checkpoint a").status == 0);
  const std::string good = here.text("a");
  const auto refusal = [&](const std::string& bytes) {
    std::ofstream(here.folder / "b", std::ios::binary) << bytes;
    const outcome found = here.run("solve --resume b");
    CHECK(found.status == 1);
    CHECK(found.out.empty());
    return found;
  };
  CHECK(says(refusal(""), "checkpoint 'b', byte 0"));
  CHECK(says(refusal(good.substr(0, good.size() / 2)), "it was cut"));
  CHECK(says(refusal("PNG" + good), "this is no checkpoint"));
  // Made by the right writer, so that all checksums hold.
  const auto state = teff::io::read_checkpoint((here.folder / "a").string());
  const auto made = [&](const auto& change) {
    teff::io::checkpoint other = state;
    change(other);
    return checkpoint_bytes(other);
  };
  using teff::io::checkpoint;
  const std::string shape = "its shape is not that of its leading field";
  CHECK(says(refusal(made([](checkpoint& c) { c.shape = {100000, 100000}; })), shape));
  CHECK(says(refusal(made([](checkpoint& c) { c.shape = {9}; })), shape));
  CHECK(says(refusal(made([](checkpoint& c) { c.fields.clear(); })), shape));
  CHECK(says(refusal(made([](checkpoint& c) { c.fields.pop_back(); })), "fields are not those"));
  CHECK(says(refusal(made([](checkpoint& c) { c.fields[1].name = "V"; })), "fields are not those"));
  CHECK(says(refusal(made([](checkpoint& c) { c.numbers.pop_back(); })), "numbers are not those"));
  CHECK(says(refusal(made([](checkpoint& c) { c.numbers[0].value = -1; })), "numbers are not"));
  CHECK(says(refusal(made([](checkpoint& c) { c.numbers[0].name = "x"; })), "no number 'lx'"));
  CHECK(says(refusal(made([](checkpoint& c) { c.dt = 0; })), "it has no time step, or one that"));
  CHECK(says(refusal(made([](checkpoint& c) { c.dt = -1; })), "its time step is not above 0"));
  CHECK(says(refusal(made([](checkpoint& c) { c.settings[0].value = 1.5; })), "'steps' is 1.5"));
  std::ofstream(here.folder / "c", std::ios::binary)
      << made([](checkpoint& c) { c.solver = "rm -rf"; });
  CHECK(says(here.run("solve --resume c"), "unknown solver 'rm -rf'"));
}

TEST_CASE("solve: a killed run goes on to the same bits") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string steps = is_quick() ? "500" : "60000";
  const std::string run = "solve diffusion2d --shape 31x31 --schedule stepwise --steps " + steps;
  REQUIRE(here.run(run + " --save whole.npy").status == 0);
  int stops = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    CAPTURE(signal);
    fs::remove(here.folder / "a");
    running child(
        here.start({"solve", "diffusion2d", "--shape", "31x31", "--schedule", "stepwise", "--steps",
                    steps, "--checkpoint", "a", "--checkpoint-every", "0.01"}));
    wait_for_file(here.folder / "a");
    child.send(signal);
    const int status = child.status();
    stops += status != 0;
    if (signal != SIGKILL && status != 0) {  // it may have been done before
      CHECK(status == 130);
      const std::string said = here.text("err");
      CHECK(said.find("teff: interrupted at step ") == 0);
      CHECK(said.find("; to go on: teff solve --resume a diffusion2d --shape 31x31 --schedule "
                      "stepwise --steps " +
                      steps + " --checkpoint a --checkpoint-every 0.01\n") != std::string::npos);
    }
    const auto state = teff::io::read_checkpoint((here.folder / "a").string());
    CHECK(state.step > 0);
    REQUIRE(here.run("solve --resume a --save rest.npy").status == 0);
    CHECK(here.text("rest.npy") == here.text("whole.npy"));
  }
  if (!is_quick()) REQUIRE(stops > 0);
}

TEST_CASE("solve: interrupted without a checkpoint it says what would have kept the state") {
  if (!shell::has_command()) return;
  const shell here;
  for (const int signal : {SIGINT, SIGHUP}) {
    CAPTURE(signal);
    fs::remove(here.folder / "f_000000.png");
    running child(here.start(
        {"solve", "wave2d", "--shape", "31x31", "--steps", "100000000", "--frames", "f"}));
    wait_for_file(here.folder / "f_000000.png");
    child.send(signal);
    CHECK(child.status() == 130);
    CHECK(here.text("err").ends_with(
        " of 100000000; its state is lost (--checkpoint FILE would keep the state)\n"));
  }
}

TEST_CASE("solve: a second Ctrl-C or SIGTERM ends it at once; of SIGHUP a terminal may send two") {
  if (!shell::has_command()) return;
  const std::vector<std::string> words{"solve",        "wave2d",    "--shape",  "127x127",
                                       "--steps",      "100000000", "--frames", "f",
                                       "--checkpoint", "a"};
  for (const int first : {SIGINT, SIGTERM, SIGHUP})
    for (const int second : {SIGINT, SIGTERM, SIGHUP}) {
      CAPTURE(first);
      CAPTURE(second);
      const shell here;
      const narrow_pipe kept(here.folder / "a");
      running child(here.start(words));
      wait_for_file(here.folder / "f_000000.png");
      child.send(first);
      kept.wait_for_writer();  // now it writes its checkpoint and can not go on
      child.send(second);
      if (second != SIGHUP) {
        CHECK(child.status_within(20) == 128 + second);
        CHECK(here.text("err").empty());
        continue;
      }
      std::string written;
      int status = -1;
      for (int i = 0; i < 20000 && status < 0; ++i) {
        status = child.status_within(0.001);
        written += kept.taken_out();
      }
      CHECK(status == 130);
      CHECK(here.text("err").starts_with("teff: interrupted at step "));
      std::ofstream(here.folder / "whole", std::ios::binary) << written;
      CHECK(teff::io::read_checkpoint((here.folder / "whole").string()).solver == "wave2d");
    }
}

TEST_CASE("solve: a signal that is ignored when it begins stays so") {
  if (!shell::has_command()) return;
  const shell here;
  running child(here.start(
      {"solve", "wave2d", "--shape", "31x31", "--steps", "100000000", "--frames", "f"}, SIGHUP));
  wait_for_file(here.folder / "f_000000.png");
  const std::string facts = text_of("/proc/" + std::to_string(child.id()) + "/status");
  const std::size_t at = facts.find("SigIgn:");
  REQUIRE(at != std::string::npos);
  CHECK((std::stoull(facts.substr(at + 7), nullptr, 16) >> (SIGHUP - 1) & 1) == 1);
  child.send(SIGTERM);
  CHECK(child.status() == 130);
}
