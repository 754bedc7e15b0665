// A program outside of Teff, as its users write it: heat in a rod, as a command.
#include <teff/solve.hpp>
#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd1;

template <class R>
solve::solver make(const solve::setup& s) {
  const R dx = s.number("lx") / static_cast<double>(s.shape[0] - 1), lam = s.number("lam");
  const R dt = s.dt_or(dx * dx / lam / 2.1);
  array<R, 1> T(s.dev, {s.shape[0]}, "T");
  T = exp(-sq(ix * dx - s.number("lx") / 2));
  const auto step =
      timestep([=](auto T) { return update(inn(T), inn(T) + dt * lam * d2(T) / (dx * dx)); });
  return solve::solver(step, dt, T).spaced({dx});
}

int main(int argc, char** argv) {
  return solve::solve_main(argc, argv,
                           {.name = "rod",
                            .about = "Heat in a rod.",
                            .shape = {101},
                            .steps = 200,
                            .numbers = {{"lx", 10, "length"}, {"lam", 1, "conductivity"}},
                            .make = [](const solve::setup& s) {
                              return s.type == "f32" ? make<float>(s) : make<double>(s);
                            }});
}
