# SPDX-License-Identifier: MIT
"""Formulas that chance writes, as one text that is both Python and C++: they have the same bits."""

import random
import subprocess

import numpy as np
import pytest
from conftest import build_flags

import teff
from teff.fd import *  # noqa: F403

pytestmark = pytest.mark.long
COUNT, STEPS, NX, NY = 6, 5, 41, 37
NUMBERS = {"a": 0.3, "b": -1.7, "c": 0.011, "n": 3}
PROGRAM = """
#include <fstream>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>
using namespace teff;
using namespace teff::fd2;
const double a = 0.3, b = -1.7, c = 0.011;
const int n = 3;
template <class Step>
void run(const Step& step, const char* path, const char* to, schedule how) {
  array<REAL, 2> T(device::cpu(), {NX, NY}), K(device::cpu(), {NX, NY});
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char*>(T.data()), bytes(T));
  in.read(reinterpret_cast<char*>(K.data()), bytes(K));
  iterate(step, {.steps = STEPS, .schedule = how, .depth = 3}, T, K);
  std::ofstream(to, std::ios::binary).write(reinterpret_cast<const char*>(T.data()), bytes(T));
}
int main(int, char** argv) {
  const auto step = timestep([](auto T, auto K) { return update(inn(T), EXPRESSION); });
  run(step, argv[1], argv[2], schedule::stepwise);
  run(step, argv[1], argv[3], schedule::temporal);
}
"""


def inner(chance, depth):
    """An expression of the inner cells of a field of 2 dims."""
    if depth == 0:
        return chance.choice(["inn(T)", "inn(K)", "d2_xi(T)", "d2_yi(T)", "d_xa(d_xi(T))",
                              "av_xa(av_xi(T))", "maxloc(T)",
                              "at<1, -1>(around<1>(T))", "inn(T * K)"])
    one, other = inner(chance, depth - 1), inner(chance, chance.randrange(depth))
    number = chance.choice(["a", "b", "c", "n", "0.5", "2"])
    return chance.choice([
        f"({one} + {other})", f"({one} - {other})", f"{one} * {other}", f"{number} * {one}",
        f"({one} + {number} * {other})", f"({number} * {one} - {other} * {number})",
        f"-{one}", f"sq({one})", f"({one} - {number})", f"maximum({one}, {other})",
        f"minimum({number}, {one})", f"{one} / (sq({other}) + 1.5)", f"abs({one})",
        f"where({one} < {other}, {one}, {other} * {number})",
        f"once({one} * {number})", f"tanh({one})"])


def as_python(text):
    """at<1, -1>(around<1>(T)) is all that C++ writes in another way."""
    return text.replace("at<1, -1>(around<1>(T))", "at(around(T, 1), 1, -1)")


@pytest.mark.parametrize("real", ["f8", "f4"])
@pytest.mark.parametrize("seed", range(COUNT // 2))
def test_a_random_formula(seed, real, tmp_path):
    chance = random.Random(f"{seed} {real}")
    expression = f"inn(T) + c * tanh({inner(chance, 4)})"
    code = compile(as_python(expression), "expression", "eval")

    @teff.timestep
    def step(T, K):
        return teff.update(inn(T), eval(code, {**globals(), **NUMBERS, "T": T, "K": K}))
    rng = np.random.default_rng(seed)
    start, known = (rng.random((NY, NX)).astype(real) for _ in range(2))
    (tmp_path / "in").write_bytes(start.tobytes() + known.tobytes())
    source = tmp_path / "formula.cpp"
    source.write_text(PROGRAM.replace("EXPRESSION", expression))
    words = build_flags()
    subprocess.run([words[0], str(source), *words[1:], f"-DREAL={'double' if real == 'f8' else 'float'}",
                    f"-DNX={NX}", f"-DNY={NY}", f"-DSTEPS={STEPS}", "-o", str(tmp_path / "program")],
                   check=True)
    subprocess.run([str(tmp_path / "program"), *(str(tmp_path / n) for n in ("in", "one", "deep"))],
                   check=True)
    for schedule, name in (("stepwise", "one"), ("temporal", "deep")):
        T = start.copy()
        teff.iterate(step, STEPS, T, known, schedule=schedule, depth=3)
        assert T.tobytes() == (tmp_path / name).read_bytes(), expression
        assert not np.array_equal(T, start) and np.isfinite(T).all()
