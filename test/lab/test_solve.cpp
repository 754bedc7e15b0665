// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <teff/io/checkpoint.hpp>

#include "shell.hpp"

/// `teff solve` as a user meets it: usage, files. Grids are small: the tests also run without an
/// optimizer. What fails: test_solve_failures.cpp. How a run is cut: test_solve_resume.cpp.
using namespace teff::test;

namespace fs = std::filesystem;

TEST_CASE("solve: wrong usage is one sentence, with the nearest name, and status 2") {
  if (!shell::has_command()) return;
  const shell here;
  const struct {
    const char* arguments;
    const char* message;
  } golden[] = {
      {"difusion2d", "unknown solver 'difusion2d'; did you mean 'diffusion2d'?"},
      {"--picture a.png", "solve: expected a solver: teff solve NAME (teff solve lists them)"},
      {"wave2d 3", "teff solve does not take '3' (teff solve --help)"},
      {"wave2d --stepps 3",
       "unknown option '--stepps'; did you mean '--steps'? (teff solve --help)"},
      {"wave2d --shape 5", "shape '5': wave2d takes a shape of two extents"},
      {"wave2d --shape 5x", "shape '5x': expected one to three extents >= 1 such as 512x512x512"},
      {"wave2d --type i32", "unknown type of wave2d 'i32'; did you mean 'f32'?"},
      {"diffusion2d --set lamm=1", "unknown number of diffusion2d 'lamm'; did you mean 'lam'?"},
      {"diffusion2d --set lam", "--set: expected NAME=NUMBER, got 'lam'"},
      {"diffusion2d --set lam=1x", "--set: 'lam=1x': expected a number above 0"},
      {"diffusion2d --set lam=inf", "--set: 'lam=inf': expected a number above 0"},
      {"diffusion2d --set lx=10,lam=-1", "--set: 'lam=-1': expected a number above 0"},
      {"diffusion2d --set lam=1,lam=2", "--set: 'lam' is given twice"},
      {"diffusion2d --type f32 --dt 1e-60",
       "diffusion2d: dt = 1e-60 is outside of the range of f32, 1.17549435e-38 to 3.40282347e+38; "
       "choose other units, or a wider type"},
      {"wave2d --depth 0", "--depth: expected 1 to 64, got 0"},
      {"diffusion2d --shape 2x9", "diffusion2d needs at least 3 points along each dim, got 2x9"},
      {"diffusion2d --tolerance 1e-6",
       "--tolerance: diffusion2d has no residual; it makes all of its steps"},
      {"pressure2d --dt 1",
       "--dt: pressure2d takes none: it iterates to a steady state, or its time step follows the "
       "flow"},
      {"wave2d --dt 0", "--dt: expected a time step above 0"},
      {"wave2d --force-dt", "--force-dt: needs --dt"},
      {"pressure2d --force-cfl", "--force-cfl: needs --set cfl=X"},
      {"wave2d --steps -1", "--steps: expected 0 to 2^53"},
      {"wave2d --steps 9223372036854775807", "--steps: expected 0 to 2^53"},
      {"--steps 5", "solve: expected a solver: teff solve NAME (teff solve lists them)"},
      {"--device cpu", "solve: expected a solver: teff solve NAME (teff solve lists them)"},
      {"wave2d --check-every -1", "--check-every: expected 0 to 2^53"},
      {"wave2d --schedule temporel", "unknown schedule 'temporel'; did you mean 'temporal'?"},
      {"wave2d --depth 4 --schedule resident", "--depth: is for --schedule temporal, got resident"},
      {"pressure2d --tolerance inf", "--tolerance: expected a finite number, 0 or more"},
      {"pressure2d --check-every 0",
       "--check-every 0: without checks no tolerance is met; give --tolerance 0, too"},
      {"wave2d --resume ''", "--resume: expected a name, got an empty one"},
      {"wave2d --checkpoint ''", "--checkpoint: expected a name, got an empty one"},
      {"wave2d --picture ''", "--picture: expected a name, got an empty one"},
      {"wave2d --frames ''", "--frames: expected a name, got an empty one"},
      {"wave2d --animation ''", "--animation: expected a name, got an empty one"},
      {"wave2d --save ''", "--save: expected a name, got an empty one"},
      {"wave2d --json ''", "--json: expected a name, got an empty one"},
      {"wave2d --picture a.png --json ./a.png",
       "--picture and --json name the same file, './a.png'"},
      {"wave2d --save a.npy,a.npy", "--save and --save name the same file, 'a.npy'"},
      {"wave2d --save link.npy,b.npy", "--save and --save name the same file, 'b.npy'"},
      {"wave2d --checkpoint a --json a", "--checkpoint and --json name the same file, 'a'"},
      {"--resume a --json a", "--resume and --json name the same file, 'a'"},
      {"wave2d --frames f --picture f_000030.png",
       "--frames and --picture name the same file: frames are f_000000.png and so on, got "
       "--picture 'f_000030.png'; give one of them another name"},
      {"wave2d --checkpoint ./f_1000000.png --frames nowhere/../f",
       "--frames and --checkpoint name the same file: frames are nowhere/../f_000000.png and so "
       "on, got --checkpoint './f_1000000.png'; give one of them another name"},
      {"wave2d --frames f_ --picture f_000030.png",
       "--frames and --picture name the same file: frames are f_000000.png and so on, got "
       "--picture 'f_000030.png'; give one of them another name"},
      {"--resume f_000000.png --frames f",
       "--frames and --resume name the same file: frames are f_000000.png and so on, got --resume "
       "'f_000000.png'; give one of them another name"},
      {"wave2d --frames f --json f_000010.png",
       "--frames and --json name the same file: frames are f_000000.png and so on, got --json "
       "'f_000010.png'; give one of them another name"},
      {"wave2d --checkpoint notes", "--checkpoint: 'notes' is there and is no checkpoint"},
      {"wave2d --steps 5000 --every 1 --animation a.gif",
       "--animation: expected at most 1000 frames, got 5001; a larger --every makes fewer"},
      {"wave2d --depth 99", "--depth: expected 1 to 64, got 99"},
      {"wave2d --every 5", "--every: needs --frames PREFIX or --animation FILE"},
      {"wave2d --limits 1",
       "--limits: expected two finite numbers, the lower one first: --limits 0,10"},
      {"wave2d --limits 1,0",
       "--limits: expected two finite numbers, the lower one first: --limits 0,10"},
      {"wave2d --limits=-inf,inf",
       "--limits: expected two finite numbers, the lower one first: --limits 0,10"},
      {"wave2d --limits=-1e308,1e308",
       "--limits: expected two finite numbers, the lower one first: --limits 0,10"},
      {"wave2d --picture a.svg", "--picture: a heat map's file must end in .png, got 'a.svg'"},
      {"wave2d --animation a.webm", "an animation's file must end in .gif or .mp4, got 'a.webm'"},
      {"wave2d --save a.h5", "--save: a file must end in .npy or .vti, got 'a.h5'"},
      {"wave2d --checkpoint-every 5", "--checkpoint-every: needs --checkpoint FILE"},
      {"wave2d --checkpoint a --checkpoint-every 0",
       "--checkpoint-every: expected seconds above 0"},
      {"wave2d --json - --show", "--json -, --show: only one of them can have stdout"},
  };
  std::ofstream(here.folder / "notes") << "of someone";
  fs::create_symlink("b.npy", here.folder / "link.npy");  // which is not there
  for (const auto& [arguments, message] : golden) {
    CAPTURE(arguments);
    const outcome found = here.run("solve " + std::string(arguments));
    CHECK(found.status == 2);
    CHECK(found.err == std::string("teff: ") + message + "\n");
    CHECK(found.out.empty());
  }
  CHECK(here.text("notes") == "of someone");
  CHECK(here.run("solve wave2d --shape 9x8 --steps 2 --frames f --picture f_30.png --json "
                 "g_000000.png "
                 "--checkpoint f_00000x.png --save f_000000.png.npy")
            .status == 0);
  const outcome unstable = here.run("solve diffusion2d --dt 1");
  CHECK(unstable.status == 2);
  CHECK(says(unstable, "diffusion2d: dt = 1 is above the stability limit"));
  CHECK(here.run("solve wave2d --picture nowhere/a.png").status == 1);
  CHECK(here.run("solve wave2d --checkpoint nowhere/a").status == 1);
  CHECK(here.run("solve wave2d --resume nowhere").status == 1);
}

TEST_CASE("solve: without a name it lists the solvers and their numbers") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome found = here.run("solve");
  CHECK(found.status == 0);
  for (const std::string name :
       {"diffusion1d", "diffusion2d", "diffusion3d", "nonlinear_diffusion2d", "pressure2d",
        "poisson2d", "poisson2d_cg", "wave2d", "wave3d"})
    CHECK(found.out.find("\n" + name + " ") != std::string::npos);
  CHECK(found.out.find("lam=1 ") != std::string::npos);
}

TEST_CASE("solve: poisson2d's potential solves the equation, as plain loops see it") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome run =
      here.run("solve poisson2d --shape 33x29 --set ly=2,charge=3 --checkpoint a --json -");
  REQUIRE(run.status == 0);
  const auto facts = nlohmann::json::parse(run.out);
  CHECK(facts["residual"] <= 1e-10);
  const auto state = teff::io::read_checkpoint((here.folder / "a").string());
  REQUIRE(state.fields.size() == 2);
  const std::size_t nx = 33, ny = 29;
  std::vector<double> u(nx * ny), f(nx * ny);
  std::memcpy(u.data(), state.fields[0].cells.data(), sizeof(double) * u.size());
  std::memcpy(f.data(), state.fields[1].cells.data(), sizeof(double) * f.size());
  const double dx = 1.0 / 32, dy = 2.0 / 28;
  double left = 0, given = 0, charge = 0;
  for (std::size_t j = 1; j + 1 < ny; ++j)
    for (std::size_t i = 1; i + 1 < nx; ++i) {
      const std::size_t c = i + nx * j;
      const double laplacian = (u[c - 1] - 2 * u[c] + u[c + 1]) / (dx * dx) +
                               (u[c - nx] - 2 * u[c] + u[c + nx]) / (dy * dy);
      left += (f[c] + laplacian) * (f[c] + laplacian);
      given += f[c] * f[c];
      if (i < nx / 2) charge += f[c] * dx * dy;
      CHECK(u[c] == doctest::Approx(-u[nx - 1 - i + nx * j]).epsilon(1e-9));
    }
  CHECK(std::sqrt(left / given) == doctest::Approx(facts["residual"]).epsilon(1e-3));
  CHECK(charge == doctest::Approx(3).epsilon(0.05));  // the points are wider than the charge
  const double most = *std::ranges::max_element(u);
  CHECK(most == facts["max"]);
  CHECK(u[8 + nx * 14] == most);  // at lx / 4, ly / 2
  // Between two poles of a single point the potential is 0, and there is nothing to iterate.
  const outcome none = here.run("solve poisson2d --shape 3x3 --steps 20 --tolerance 0");
  CHECK(none.status == 0);
  for (const char* name : {"poisson2d", "poisson2d_cg"}) {
    const outcome huge = here.run(std::string("solve ") + name + " --shape 9x9 --set charge=1e200");
    CHECK(huge.status == 2);
    CHECK(says(huge,
               "poisson2d: the right-hand side is at most 1.27e+202, and its squares are too "
               "large to be summed; scale the equation"));
  }
  // Another method, the same potential; and far fewer steps.
  const outcome slow = here.run("solve poisson2d_cg --shape 33x29 --set ly=2,charge=3 --json -");
  REQUIRE(slow.status == 0);
  const auto other = nlohmann::json::parse(slow.out);
  CHECK(other["max"] == doctest::Approx(most).epsilon(1e-9));
  CHECK(facts["step"] < 15);
  CHECK(other["step"] > 2 * facts["step"].get<int>());
}

TEST_CASE("solve: a cfl above its limit needs --force-cfl, and goes on from a checkpoint") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string run = "solve pressure2d --shape 33x33 --set cfl=0.9 --tolerance 0 --steps 4";
  const outcome refused = here.run(run);
  CHECK(refused.status == 2);
  CHECK(says(refused, "take a smaller cfl, or set force_cfl (--force-cfl)"));
  CHECK(here.run(run + " --force-cfl --checkpoint a").status == 0);
  CHECK(here.run("solve --resume a --steps 8").status == 0);
}

TEST_CASE("solve: a schedule that was asked for and not taken is said, with the reason") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome found = here.run("solve wave2d --shape 9x8 --steps 10 --schedule resident");
  CHECK(found.status == 0);
  CHECK(found.out.find("\nschedule  stepwise, 1.00 steps per pass; resident is for GPUs\n") !=
        std::string::npos);
  const outcome taken = here.run("solve wave2d --shape 9x8 --steps 10 --schedule fused");
  CHECK(taken.status == 0);
  CHECK(taken.out.find("\nschedule  fused, 1.00 steps per pass\n") != std::string::npos);
  const outcome untold = here.run("solve pressure2d --shape 15x13 --steps 30 --tolerance 0");
  CHECK(untold.status == 0);
  CHECK(untold.out.find("above the tolerance") == std::string::npos);
  CHECK(untold.err.empty());
  const outcome exhausted = here.run("solve pressure2d --shape 15x13 --steps 30 --tolerance 1e-9");
  CHECK(exhausted.status == 0);
  CHECK(exhausted.err == "teff: the residual is above the tolerance, and all 30 steps are made\n");
}

TEST_CASE("solve: pictures, frames, an animation, files, and a summary to search in") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome flat = here.run(
      "solve wave2d --shape 20x10 --steps 30 --picture p.png --frames f --every 10 "
      "--animation a.gif --save u.vti,u.npy --show --checkpoint c --json j");
  REQUIRE(flat.status == 0);
  for (const char* line :
       {"\nsolver    wave2d f64 20x10 on cpu\n", "\nsteps     30\n", "\ndt        ", "\ntime      ",
        "\nT_eff     ", "\nGcells/s  ", "\nP         ",
        "\nwrote     u.vti, u_Vx.vti, u_Vy.vti, u.npy, p.png, f_000000.png to f_000030.png, "
        "a.gif, c, j\n"}) {
    CAPTURE(line);
    CHECK(flat.out.find(line) != std::string::npos);
  }
  CHECK(flat.out.find('\033') == std::string::npos);  // no colours in a file
  CHECK(flat.err.empty());                            // no progress either
  CHECK(here.text("f_000030.png") == here.text("p.png"));
  CHECK(here.text("f_000000.png") != here.text("p.png"));
  for (const char* file : {"f_000010.png", "f_000020.png"}) CHECK(fs::exists(here.folder / file));
  CHECK(here.text("a.gif").starts_with("GIF89a"));
  CHECK(here.text("u.vti").find("WholeExtent=\"0 19 0 9 0 0\" Origin=\"0.25 0.5 0\"") !=
        std::string::npos);
  CHECK(here.text("u_Vx.vti").find("WholeExtent=\"0 20 0 9 0 0\" Origin=\"0 0.5 0\"") !=
        std::string::npos);
  const auto facts = nlohmann::json::parse(here.text("j"));
  CHECK(facts["shape"] == std::vector<int>{20, 10});
  CHECK(facts["numbers"]["rho"] == 1.0);
  CHECK(facts["files"].size() == 8);

  fs::create_directory(here.folder / "frames");
  for (const auto& [prefix, file] :
       {std::pair("fr_", "fr_000002.png"), {"frames/", "frames/000002.png"}}) {
    CAPTURE(prefix);
    CHECK(here.run("solve wave2d --shape 9x8 --steps 2 --every 1 --frames " + std::string(prefix))
              .status == 0);
    CHECK(fs::exists(here.folder / file));
  }

  const outcome box = here.run(
      "solve diffusion3d --shape 9x8x7 --steps 5 --picture b.png "
      "--save b.vti --limits 0,5");
  CHECK(box.status == 0);
  REQUIRE(here.run("solve diffusion3d --shape 9x8x7 --steps 5 --picture axes.png --axes").status ==
          0);
  CHECK(here.text("axes.png").size() > here.text("b.png").size());
  CHECK(here.text("b.png").starts_with("\x89PNG"));
  CHECK(here.text("b.vti").find("Name=\"Ci\"") != std::string::npos);
  const outcome line = here.run("solve diffusion1d --shape 31 --steps 9 --picture l.svg --show");
  CHECK(line.status == 0);
  for (const char* text : {"step 9", "temperature T [unit of height]", "x [unit of lx]"})
    CHECK(here.text("l.svg").find(text) != std::string::npos);
}
