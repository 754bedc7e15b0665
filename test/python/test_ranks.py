# SPDX-License-Identifier: MIT
"""Processes that mpirun starts, with one cold cache, under each MPI that is here. This file is their
program, too."""

import hashlib
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from formulas import heat

import teff

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from test_mpi import KINDS, PACKAGES, launcher_of, run  # noqa: E402

RANKS = 3
COMPILER = """\
#!/bin/sh
case "$*" in *-shared*) echo once >>{folder}/compilations.txt; sleep 1 ;; esac
exec {compiler} "$@"
"""


def hash_of_heat():
    T = np.random.default_rng(3).random((20, 30))
    teff.iterate(heat, 5, T, np.full_like(T, 0.5))
    return hashlib.sha256(T).hexdigest()


@pytest.mark.parametrize("kind", KINDS)
def test_ranks_compile_once(kind, tmp_path):
    """The others wait for the one that compiles; all have the bits of a process without MPI."""
    mpirun, gcc = launcher_of(kind), shutil.which("gcc")
    if mpirun is None or gcc is None:
        pytest.skip(f"{KINDS[kind]} or gcc is not here (Debian: {PACKAGES[kind]} gcc)")
    compiler = tmp_path / "gcc"
    compiler.write_text(COMPILER.format(folder=tmp_path, compiler=gcc))
    compiler.chmod(0o755)
    status, said, _ = run([mpirun, "-n", str(RANKS), sys.executable, __file__],
                          {"TEFF_CACHE": str(tmp_path / "cache"), "TEFF_CC": str(compiler),
                           "TEFF_ROWS": "only"}, limit_s=100)
    assert status == 0 and said.count(hash_of_heat()) == RANKS, said
    assert (tmp_path / "compilations.txt").read_text() == "once\n"


if __name__ == "__main__":
    print(hash_of_heat())
