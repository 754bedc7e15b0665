# SPDX-License-Identifier: MIT
"""Formulas that chance writes have the same bits by all ways (compare_formulas.py)."""

import hashlib
import os

import compare_formulas
import numpy as np
import pytest
from compare_formulas import Wrong, all_compared, compared
from conftest import IS_LONG
from random_formulas import RandomFormula

SEEDS = range(400 if IS_LONG else 8)
IN_CPP = (0,) if not IS_LONG else (11, *range(0, 400, 25))


@pytest.mark.parametrize("seed", IN_CPP)
def test_rows_and_every_schedule_of_cpp(seed):
    facts = compared(seed, ["rows", "C++"])
    assert "wrong" not in facts, f"{facts['wrong']}\n{facts['text']}"
    assert len(facts["ways"]) == 5


def test_rows_interpreted_and_compiled():
    processes = len(os.sched_getaffinity(0)) if IS_LONG else 1
    wrong = [f"seed {facts['seed']}: {facts['wrong']}\n{facts['text']}"
             for facts in all_compared(SEEDS, [["rows"]] * len(SEEDS), processes=processes)
             if "wrong" in facts]
    assert not wrong, "\n".join(wrong)


def test_a_seed_is_one_formula():
    """Anywhere, also in another version: published counts are of seeds."""
    texts = "".join(f"{f.text}{f.shapes}{f.options}" for f in map(RandomFormula, range(40)))
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == "2dcd8b9416c2d1b6"


def test_what_is_wrong_is_seen(monkeypatch):
    """Another bit, a cell outside of a field, a value that no formula makes."""
    def run(*_, **_more):
        return [b"1"] * 9, "compiled as, interpreted", "stepwise"

    def said(way):
        monkeypatch.setitem(compare_formulas.WAYS, "rows", way)
        return compared(3, ["rows"])["wrong"]
    assert "other bits of B; " in said(lambda _: {"one": ([b"1", b"1"], ""), "two": ([b"1", b"2"], "")})

    def beside(step, _steps, *fields, **_options):
        fields[0].base[1, 1] = 0
    monkeypatch.setattr(compare_formulas.teff, "iterate", beside)
    assert "cells around a field were written" in said(compare_formulas.by_rows)
    with pytest.raises(Wrong, match="A holds nan"):
        compare_formulas.bits_of(RandomFormula(3), [np.full((2, 2), np.nan)], None)
