# SPDX-License-Identifier: MIT
"""Formulas on a GPU, compiled by nvcc: every schedule has the bits of single steps, and these have the
bits of the CPU."""

import numpy as np
import pytest
from formulas import ALL
from frameworks import compile_all, same_bits, torch
from random_formulas import RandomFormula

import teff

KINDS = ("f8", "f4")
COUNT, STEPS = 12, 23
SIZES = ((83, 61), (517, 301), (15, 14))  # one block makes a small step
SCHEDULES = (("stepwise", 0), ("temporal", 4), ("temporal", 7), ("automatic", 0))


def fields_of(larger, kind, size):
    rng = np.random.default_rng(7)
    return [rng.random((size[1] + y, size[0] + x)).astype(kind) for x, y in larger]


# Without exp and its like, which may differ between devices in a bit; short ones, for nvcc's sake,
# which takes minutes where operators are nested: compare_formulas.py has the others, by NVRTC.
RANDOM = [f for f in (RandomFormula(seed, 2, functions=False, integers=False) for seed in range(60))
          if len(f.text) < 300][:COUNT]


@pytest.fixture(scope="module")
def all_compiled():
    runs = []
    for kind in KINDS:
        for step, larger in ALL.values():
            host = fields_of(larger, kind, SIZES[0])
            runs += [(step, [torch().array(a) for a in host]), (step, host)]
    for formula in RANDOM:
        step, host = formula.step(), formula.start()
        runs += [(step, [torch().array(a) for a in host]), (step, host)]
    compile_all(runs)


def check(step, start):
    """All schedules on the GPU against single steps on the CPU."""
    expected = [a.copy() for a in start]
    teff.iterate(step, STEPS, *expected, schedule="stepwise")
    assert not all(same_bits(a, b) for a, b in zip(expected, start))
    for schedule, depth in SCHEDULES:
        fields = [torch().array(a) for a in start]
        run = teff.iterate(step, STEPS, *fields, schedule=schedule, depth=depth)
        assert run.steps == STEPS
        for slot, (found, single) in enumerate(zip(fields, expected)):
            assert same_bits(torch().host(found), single), \
                (schedule, depth, run.schedule, run.steps_per_pass, slot, start[0].shape)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("formula", ALL)
def test_bits_of_the_cpu(formula, kind, size, all_compiled):
    step, larger = ALL[formula]
    check(step, fields_of(larger, kind, size))


@pytest.mark.parametrize("formula", RANDOM, ids=lambda formula: formula.seed)
def test_a_random_formula(formula, all_compiled):
    check(formula.step(), formula.start())


def test_a_bit_would_be_seen(all_compiled):
    step, larger = ALL["heat"]
    start = fields_of(larger, "f8", SIZES[0])
    one, other = ([torch().array(a) for a in start] for _ in range(2))
    other[0][30, 30] *= 1 + 2e-16
    for fields in (one, other):
        teff.iterate(step, STEPS, *fields)
    assert not same_bits(torch().host(one[0]), torch().host(other[0]))


def test_nothing_is_compiled_for_a_number(all_compiled, capfd):
    import formulas
    step, larger = ALL["heat"]
    fields = [torch().array(a) for a in fields_of(larger, "f8", SIZES[0])]
    before = formulas.lam
    try:
        formulas.lam = 0.5
        teff.iterate(step, 1, *fields)
    finally:
        formulas.lam = before
    assert "compiling" not in capfd.readouterr().err
