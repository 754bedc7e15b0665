# SPDX-License-Identifier: MIT
"""teff.poisson on a GPU: the bits, iterations and lines of the CPU's, with coefficients that jump between
boxes, sides of several kinds and every method.
"""

import random

import numpy as np
import pytest
from frameworks import framework, same_bits  # noqa: F401

import teff

SIDES = [teff.periodic, (teff.fixed(0.5), teff.fixed(-1.0)), (teff.fixed(1.0), teff.gradient(0.5))]


def system_of(seed):
    """A right side, a coefficient, and how to solve it."""
    chance, values = random.Random(seed), np.random.default_rng(seed)
    kind, rank = chance.choice(["f8", "f4"]), chance.choice([2, 2, 3])
    shape = tuple(chance.randint(2, 200 if rank == 2 else 40) for _ in range(rank))
    k = np.ones(shape, kind)
    jump = chance.choice([1e3, 1e-3])
    for _ in range(chance.randint(0, 3)):
        k[tuple(slice(*sorted((chance.randint(0, n), chance.randint(0, n)))) for n in shape)] = jump
    sides = {dim: chance.choice(SIDES) for dim in "xyz"[:rank] if chance.random() < 0.75}
    return values.standard_normal(shape).astype(kind), k, {
        "sides": teff.boundary(**sides) if sides else None, "tolerance": 1e-4, "project": True,
        "method": chance.choice(["automatic", "multigrid", "preconditioned"])}


@pytest.mark.parametrize("seed", range(12))
def test_bits_of_the_cpu(seed, framework):
    f, k, how = system_of(seed)
    u = np.zeros_like(f)
    there = framework.array(u)
    found = teff.poisson(there, framework.array(f), coefficient=framework.array(k), **how)
    assert str(found) == str(teff.poisson(u, f, coefficient=k, **how))
    assert same_bits(framework.host(there), u)
