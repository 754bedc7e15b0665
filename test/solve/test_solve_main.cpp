// SPDX-License-Identifier: MIT
#include <csignal>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <teff/io/checkpoint.hpp>

#include "../lab/shell.hpp"

/// Solvers of users as commands: example 21, and own_command.cpp with all that can be wrong.
using namespace teff::test;

namespace fs = std::filesystem;

namespace {

constexpr const char* gray_scott = "TEFF_GRAY_SCOTT";
constexpr const char* rod = "TEFF_OWN_COMMAND";

}  // namespace

TEST_CASE("solve_main: a command of one's own leaves what teff solve leaves") {
  if (!shell::has_command(gray_scott)) return;
  const shell here(gray_scott);
  const outcome found = here.run(
      "--shape 34x32 --steps 20 --set F=0.03,k=0.06 --type f32 --picture V.png --save V.npy,V.vti "
      "--frames f --every 10 --json run.json");
  CHECK(found.status == 0);
  CHECK(found.err.empty());
  CHECK(found.out.starts_with("solver    gray_scott f32 34x32 on cpu\nsteps     20\n"));
  CHECK(found.out.find("T_eff") != std::string::npos);
  for (const char* file : {"V.png", "V.npy", "V.vti", "f_000000.png", "f_000020.png"})
    CHECK(fs::exists(here.folder / file));
  const auto said = nlohmann::json::parse(here.text("run.json"));
  CHECK(said["solver"] == "gray_scott");
  CHECK(said["numbers"]["F"] == 0.03);
  CHECK(said["numbers"]["Du"] == 0.16);
  CHECK(said["field"] == "V");
  CHECK(said["dt"] == 1);
  CHECK(here.text("V.npy").find("'<f4'") != std::string::npos);
  const outcome shown = here.run("--shape 34x32 --steps 2 --show");
  CHECK(shown.status == 0);
  CHECK(shown.out.find("gray_scott f64 34x32") != std::string::npos);
}

TEST_CASE("solve_main: cut and resumed, a run has the bits of one that was not") {
  if (!shell::has_command(gray_scott)) return;
  const shell here(gray_scott);
  for (const char* type : {"f64", "f32"}) {
    CAPTURE(type);
    const std::string how = std::string("--shape 34x32 --set Dv=0.07 --type ") + type;
    CHECK(here.run(how + " --steps 40 --checkpoint whole").status == 0);
    CHECK(here.run(how + " --steps 13 --checkpoint part").status == 0);
    CHECK(here.run("--resume part --steps 40 --checkpoint rest").status == 0);
    const auto whole = teff::io::read_checkpoint((here.folder / "whole").string());
    const auto rest = teff::io::read_checkpoint((here.folder / "rest").string());
    CHECK(rest.step == 40);
    REQUIRE(whole.fields.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(whole.fields[i].name == (i == 0 ? "V" : "U"));
      CHECK(rest.fields[i].cells == whole.fields[i].cells);
    }
    CHECK(whole.fields[0].cells !=
          teff::io::read_checkpoint((here.folder / "part").string()).fields[0].cells);
    fs::remove(here.folder / "whole");
    fs::remove(here.folder / "part");
    fs::remove(here.folder / "rest");
  }
}

TEST_CASE("solve_main: several processes of a launcher do not all solve the same") {
  if (!shell::has_command(gray_scott)) return;
  const shell here(gray_scott);
  setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
  const outcome found = here.run("--shape 34x32 --steps 2 --save V.npy");
  unsetenv("OMPI_COMM_WORLD_SIZE");
  CHECK(found.status == 2);
  CHECK(found.err ==
        "gray_scott: this job has 3 processes, as OMPI_COMM_WORLD_SIZE says, and gray_scott runs "
        "on one; start it without a launcher, or make a program whose fields are of a grid "
        "(docs/grid.md)\n");
  CHECK(!fs::exists(here.folder / "V.npy"));
}

TEST_CASE("solve_main: Ctrl-C keeps the state, and says how to go on") {
  if (!shell::has_command(gray_scott)) return;
  const shell here(gray_scott);
  running run(here.start(
      {"--steps", "1e9", "--shape", "34x32", "--checkpoint", "a", "--checkpoint-every", "0.05"}));
  wait_for_file(here.folder / "a");
  run.send(SIGINT);
  CHECK(run.status() == 130);
  const std::string said = here.text("err");
  CHECK(said.starts_with("gray_scott: interrupted at step "));
  CHECK(said.find("to go on: teff --resume a --steps 1e9 --shape 34x32") != std::string::npos);
  const auto state = teff::io::read_checkpoint((here.folder / "a").string());
  CHECK(here.run("--resume a --steps " + std::to_string(state.step + 5)).status == 0);
}

TEST_CASE("solve_main: wrong usage is one sentence with names, and status 2") {
  if (!shell::has_command(gray_scott)) return;
  const shell here(gray_scott);
  REQUIRE(here.run("--shape 9x8 --steps 1 --checkpoint a").status == 0);
  const struct {
    const char* arguments;
    const char* message;
  } golden[] = {
      {"--set FF=1", "unknown number of gray_scott 'FF': expected one of Du, Dv, F, k"},
      {"--set F=1", "--set: 'F=1': expected a number from 0 to 0.1"},
      {"--set F=-0.01", "--set: 'F=-0.01': expected a number from 0 to 0.1"},
      {"--set F=nan", "--set: 'F=nan': expected a number from 0 to 0.1"},
      {"--set Du=0", "--set: 'Du=0': expected a number above 0"},
      {"--set F=0.01,F=0.02", "--set: 'F' is given twice"},
      {"--shape 9", "shape '9': gray_scott takes a shape of two extents"},
      {"--type i32", "unknown type of gray_scott 'i32'; did you mean 'f32'?"},
      {"--picture a.png --save b.npy --json a.png",
       "--picture and --json name the same file, 'a.png'"},
      {"--frames f --picture f_000100.png",
       "--frames and --picture name the same file: frames are f_000000.png and so on, got "
       "--picture 'f_000100.png'; give one of them another name"},
      {"--resume a --set F=0.02",
       "--set F=0.02 contradicts the checkpoint 'a', which has F=0.035; leave the option out, or "
       "start anew"},
      {"--stepps 3", "unknown option '--stepps'; did you mean '--steps'? (gray_scott --help)"},
      {"--tolerance 1",
       "unknown option '--tolerance': expected one of --help, --shape, --steps, --type, --set, "
       "--dt, --check-every, --schedule, --depth, --picture, --limits, --axes, --show, --frames, "
       "--animation, --every, --save, --checkpoint, --checkpoint-every, --resume, --device, "
       "--json, --completion (gray_scott --help)"},
      {"3", "gray_scott does not take '3' (gray_scott --help)"},
      {"--steps x", "--steps: expected a whole number, got 'x'"},
      {"--device cpuu", nullptr},
      {"--completion tcsh", "unknown shell 'tcsh': expected one of bash, zsh, fish"},
      {"--json - --show", "--json -, --show: only one of them can have stdout"},
  };
  for (const auto& [given, message] : golden) {
    const std::string arguments = given;
    CAPTURE(arguments);
    const outcome found = here.run(arguments);
    CHECK(found.status == 2);
    if (message != nullptr) CHECK(found.err == std::string("gray_scott: ") + message + "\n");
    CHECK(std::ranges::count(found.err, '\n') == 1);
    CHECK(found.out.empty());
  }
  const outcome help = here.run("--help");
  CHECK(help.status == 0);
  for (const char* part : {"Usage: gray_scott [OPTION]...", "F=0.035", "what is fed of U",
                           "--checkpoint FILE", "gray_scott --resume gray_scott.ckpt"})
    CHECK(help.out.find(part) != std::string::npos);
}

TEST_CASE("solve_main: shells complete its options, choices and files") {
  if (!shell::has_command(gray_scott)) return;
  const shell here(gray_scott);
  for (const char* name : {"bash", "zsh", "fish"}) {
    const outcome found = here.run(std::string("--completion ") + name);
    CHECK(found.status == 0);
    for (const char* part : {"checkpoint-every", "temporal resident"})
      CHECK(found.out.find(part) != std::string::npos);
  }
  REQUIRE(here.run("--completion bash").status == 0);
  fs::rename(here.folder / "out", here.folder / "complete.bash");
  std::ofstream(here.folder / "ask.bash")
      << "source complete.bash\nCOMP_WORDS=(21_own_command \"$@\")\nCOMP_CWORD=$#\n"
         "_complete_21_own_command\necho \"${COMPREPLY[@]}\"\n";
  const auto offered = [&](const std::string& words) {
    const std::string line = "cd " + here.folder.string() + " && bash ask.bash " + words + " >said";
    CHECK(std::system(line.c_str()) == 0);
    return here.text("said");
  };
  CHECK(offered("--ste") == "--steps\n");
  CHECK(offered("--type f") == "f64 f32\n");
  CHECK(offered("--picture compl") == "complete.bash\n");
  CHECK(offered("--steps ''") == "\n");
}

TEST_CASE("solve_main: what is wrong with a solver is one sentence") {
  if (!shell::has_command(rod)) return;
  const shell here(rod);
  const struct {
    const char* fault;
    int status;
    const char* message;
  } golden[] = {
      {"throws", 1, "rod: the solver could not be made: no file 'bedrock.npy'"},
      {"throws_error", 2, "rod: the rod is too short"},
      {"throws_number", 1,
       "rod: the solver could not be made: what was thrown is no std::exception"},
      {"shape", 1, "rod: the shape is 9, but that of its first field, T, is 7"},
      {"no_label", 1, "rod: a solver's field 1 of 2: expected a name as its array's label, got ''"},
      {"twice", 1, "rod: a solver's field 2: another one has the label 'T'"},
      {"types", 1, "rod: a solver's fields are of one type, but T is f64 and mask i32"},
      {"negative_dt", 1, "rod: a solver's dt: expected 0 or more, got -1"},
      {"no_dt", 1, "rod: the solver's dt is 0; where time has no meaning say .has_dt = false"},
      {"led_by_none", 2, "rod: unknown leading field 'Q': expected one of T, K"},
      {"spacings", 1, "rod: a solver's spacings: expected 1, as T has dims, got 2"},
      {"name", 1, "a rod: a solver's name: expected letters, digits, _ and -, got 'a rod'"},
      {"default", 1, "rod: the default k=-1: expected a number above 0"},
      {"two_numbers", 1, "rod: two numbers have the name 'k'"},
      {"unknown_type", 1, "rod: .types: expected f64, f32 or both"},
      {"no_make", 1, "rod: there is no .make, which makes the solver"},
  };
  for (const auto& [kind, status, message] : golden) {
    const std::string fault = kind;
    CAPTURE(fault);
    const outcome found = here.run("", "TEFF_TEST_FAULT=" + fault);
    CHECK(found.status == status);
    CHECK(found.err == std::string(message) + "\n");
    CHECK(found.out.empty());
  }
  const outcome other_type = here.run("--type f32", "TEFF_TEST_FAULT=f64_only");
  CHECK(other_type.status == 2);
  CHECK(other_type.err == "rod: --type f32: rod has fields of f64\n");
  const outcome other_dt = here.run("--dt 0.2", "TEFF_TEST_FAULT=dt");
  CHECK(other_dt.status == 2);
  CHECK(other_dt.err == "rod: --dt 0.2: rod takes 0.1\n");
  CHECK(here.run("", "TEFF_TEST_FAULT=not_finite").status == 6);
}

TEST_CASE("solve_main: a solver of one type runs in it, and offers no other") {
  if (!shell::has_command(rod)) return;
  const shell here(rod);
  const std::string alone = "TEFF_TEST_FAULT=f32_alone";
  CHECK(here.run("--save T.npy", alone).status == 0);
  CHECK(here.text("T.npy").find("'<f4'") != std::string::npos);
  CHECK(here.run("--type f32", alone).status == 0);
  const outcome other = here.run("--type f64", alone);
  CHECK(other.status == 2);
  CHECK(other.err == "rod: unknown type of rod 'f64': expected one of f32\n");
  for (const char* words : {"--help", "--completion bash", "--typo"}) {
    const outcome found = here.run(words, alone);
    CHECK((found.out + found.err).find("--type") == std::string::npos);
    const outcome both = here.run(words);
    CHECK((both.out + both.err).find("--type") != std::string::npos);
  }
}

TEST_CASE("solve_main: a solver without a shape, limits and a quantity") {
  if (!shell::has_command(rod)) return;
  const shell here(rod);
  const outcome found = here.run("--set n=9 --checkpoint a --show --picture T.svg");
  CHECK(found.status == 0);
  CHECK(found.out.find("rod f64 9 on cpu") != std::string::npos);
  CHECK(here.run("--resume a --steps 30 --checkpoint b").status == 0);
  CHECK(here.run("--set n=9 --steps 30 --checkpoint c").status == 0);
  CHECK(teff::io::read_checkpoint((here.folder / "b").string()).fields[0].cells ==
        teff::io::read_checkpoint((here.folder / "c").string()).fields[0].cells);
  CHECK(here.run("--shape 9").status == 2);
  CHECK(here.run("--dt 0.1 --type f32 --steps 2 --checkpoint d").status == 0);
  CHECK(here.run("--resume d --dt 0.1 --steps 3").status == 0);
  CHECK(here.run("--dt 0.125 --steps 3 --json -").out.find("\"dt\": 0.125") != std::string::npos);
}

TEST_CASE("solve_main: with a tolerance a run ends at the same step, however it is cut") {
  if (!shell::has_command(rod)) return;
  const shell here(rod);
  const std::string kind = "TEFF_TEST_FAULT=tolerance";
  const auto step_of = [](const outcome& found) {
    REQUIRE(found.status == 0);
    const auto said = nlohmann::json::parse(found.out);
    CHECK(said["dt"].is_null());
    CHECK(said["residual"] <= 1e-4);
    return said["step"].get<int>();
  };
  const int whole = step_of(here.run("--set n=17 --json -", kind));
  CHECK(whole > 100);
  CHECK(whole < 5000);
  CHECK(here.run("--set n=17 --steps 50 --checkpoint a", kind).status == 0);
  CHECK(step_of(here.run("--resume a --steps 5000 --json -", kind)) == whole);
  CHECK(here.run("--dt 1", kind).status == 2);
}

TEST_CASE("solve_main: another field than the first may lead") {
  if (!shell::has_command(rod)) return;
  const shell here(rod);
  const std::string led = "TEFF_TEST_FAULT=led_by_K";
  const outcome found = here.run("--steps 12 --save K.npy --checkpoint a", led);
  CHECK(found.status == 0);
  CHECK(found.out.find("\nK         1.00000 to 1.00000\n") != std::string::npos);
  CHECK(here.run("--resume a --steps 20 --checkpoint b", led).status == 0);
  CHECK(here.run("--steps 20 --checkpoint c").status == 0);
  const auto of_both = teff::io::read_checkpoint((here.folder / "b").string());
  const auto usual = teff::io::read_checkpoint((here.folder / "c").string());
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(of_both.fields[i].name == usual.fields[1 - i].name);
    CHECK(of_both.fields[i].cells == usual.fields[1 - i].cells);
  }
}

TEST_CASE("solve_main: a dt above the solver's own limit needs --force-dt") {
  if (!shell::has_command(rod)) return;
  const shell here(rod);
  const std::string limited = "TEFF_TEST_FAULT=dt_limit";
  const outcome refused = here.run("--set k=2 --dt 0.3", limited);
  CHECK(refused.status == 2);
  CHECK(refused.err ==
        "rod: --dt 0.3 is above the stability limit of rod, 0.25; take a smaller one, none (the "
        "solver then chooses), or add --force-dt\n");
  CHECK(here.run("--set k=2 --dt 0.25 --steps 3", limited).status == 0);
  CHECK(here.run("--set k=2 --dt 0.3 --force-dt --steps 3 --checkpoint a", limited).status == 0);
  CHECK(here.run("--resume a --steps 4", limited).status == 0);
  CHECK(here.run("--force-dt", limited).err == "rod: --force-dt: needs --dt\n");
  CHECK(here.run("--help", limited).out.find("--force-dt") != std::string::npos);
  CHECK(here.run("--help").out.find("--force-dt") == std::string::npos);
}

TEST_CASE("solve_main: a dt that follows the flow is kept in checkpoints") {
  if (!shell::has_command(rod)) return;
  const shell here(rod);
  const std::string follows = "TEFF_TEST_FAULT=follows";
  for (const char* type : {"f64", "f32"}) {
    CAPTURE(type);
    const std::string how = std::string("--set n=33 --type ") + type;
    const outcome whole = here.run(how + " --steps 40 --save whole.npy", follows);
    CHECK(whole.status == 0);
    CHECK(whole.out.find(" at the end: it follows the flow") != std::string::npos);
    // 13 is no multiple of 5: the step is then made with the dt of step 10.
    CHECK(here.run(how + " --steps 13 --checkpoint part", follows).status == 0);
    CHECK(here.run("--resume part --steps 40 --save rest.npy", follows).status == 0);
    CHECK(here.text("rest.npy") == here.text("whole.npy"));
    fs::remove(here.folder / "part");
  }
  // The program's step was another one when the checkpoint was written.
  CHECK(here.run("--steps 2 --checkpoint fixed").status == 0);
  CHECK(here.run("--steps 2 --checkpoint following", follows).status == 0);
  CHECK(here.run("--resume fixed", follows)
            .err.find("it has a time step; the solver in this version has none, or one that") !=
        std::string::npos);
  CHECK(here.run("--resume following")
            .err.find("it has no time step, or one that followed the flow; the solver in this") !=
        std::string::npos);
  CHECK(here.run("--dt 0.1", follows).err ==
        "rod: --dt: rod takes none: it iterates to a steady state, or its time step follows the "
        "flow\n");
  CHECK(here.run("--help", follows).out.find("--dt ") == std::string::npos);
  const auto said = nlohmann::json::parse(here.run("--steps 4 --json -", follows).out);
  CHECK(said["dt"] == 0.125);
  CHECK(said["dt_follows_flow"] == true);
  CHECK(said["t"].is_null());
  CHECK(nlohmann::json::parse(here.run("--steps 4 --json -").out)["t"] == 1.0);
  CHECK(here.run("", follows + " TEFF_TEST_HAS_DT=1").err ==
        "rod: the solver's dt follows the flow; say .has_dt = false\n");
}

TEST_CASE("solve_main: a checkpoint of another solver is refused by name") {
  if (!shell::has_command(rod) || !shell::has_command(gray_scott)) return;
  const shell here(rod), there(gray_scott);
  REQUIRE(here.run("--steps 1 --checkpoint a").status == 0);
  const outcome found = there.run("--resume " + (here.folder / "a").string());
  CHECK(found.status == 2);
  CHECK(found.err == "gray_scott: checkpoint '" + (here.folder / "a").string() +
                         "' is of rod, and this is gray_scott\n");
}
