# SPDX-License-Identifier: MIT
"""Several steps per pass, all stages at once, and blocks that stay, on a GPU by NVRTC, without nvcc and
g++: the bits of single steps of rows, and the run that goes over to them.

As frameworks.py says, with NVRTC alone, in some two minutes:
TEFF_TEST_PACKAGE=PREFIX TEFF_TEST_CACHE=FOLDER python3 -m pytest test/python/gpu/test_gpu_passes.py
"""

import numpy as np
import pytest
from formulas import ALL
from frameworks import same_bits, torch

import teff
from teff import compiled, fd, nvrtc

if nvrtc.found() is None:
    pytest.skip("no NVRTC here: " + nvrtc.INSTALL, allow_module_level=True)

KINDS, SIZES, STEPS = ("f8", "f4"), ((1031, 517), (83, 61)), 27


@teff.timestep
def in_space(T, C):
    return teff.update(fd.inn(T), fd.inn(T) + 0.1 * fd.inn(C) * (fd.d2_xi(T) + fd.d2_yi(T) +
                                                                 fd.d2_zi(T)))


@teff.timestep
def sound(P, Vx, Vy, Vz):
    return teff.stages(
        teff.together(teff.update(fd.inn_x(Vx), fd.inn_x(Vx) - 0.1 * fd.d_xa(P)),
                      teff.update(fd.inn_y(Vy), fd.inn_y(Vy) - 0.1 * fd.d_ya(P)),
                      teff.update(fd.inn_z(Vz), fd.inn_z(Vz) - 0.1 * fd.d_za(P))),
        teff.update(P, P - 0.2 * (fd.d_xa(Vx) + fd.d_ya(Vy) + fd.d_za(Vz))))


@teff.timestep
def travelling(T, C):
    """Formulas of position and step at the sides."""
    return teff.update(fd.inn(T), fd.inn(T) + 0.2 * fd.inn(C) * (fd.d2_xi(T) + fd.d2_yi(T)),
                       teff.boundary(x=(teff.fixed(0.1 * fd.iy + fd.step_index), teff.gradient(0.1)),
                                     y=teff.gradient(0)))


@teff.timestep
def closed(T, C):
    return teff.update(fd.inn(T), fd.inn(T) + 0.2 * fd.inn(C) * (fd.d2_xi(T) + fd.d2_yi(T)),
                       teff.boundary(x=teff.gradient(0), y=(teff.fixed(0.5), teff.robin(1, 2, 0.25))))


@teff.timestep
def round_trip(T):
    return teff.update(fd.inn(T), fd.inn(T) + 0.2 * (fd.d2_xi(T) + fd.d2_yi(T)),
                       teff.boundary(x=teff.fixed(0.1 * fd.iy), y=teff.periodic))


@pytest.fixture(scope="module", autouse=True)
def without_nvcc():
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("TEFF_NVCC", "no-such-nvcc"), ("TEFF_CXX", "no-such-g++"),
                            ("TEFF_NVRTC", nvrtc.path())):
            patch.setenv(name, value)
        patch.setattr(compiled, "_known", {})
        yield


def run_of(step, steps, host, **options):
    step._last = None
    fields = [torch().array(a) for a in host]
    run = teff.iterate(step, steps, *fields, **options)
    said = str(run)
    return [torch().host(f) for f in fields], run, said


def check(step, host, depth=0):
    found, run, said = run_of(step, STEPS, host, schedule="temporal", depth=depth)
    assert run.schedule == "temporal" and run.steps_per_pass > 1, said
    expected, _, _ = run_of(step, STEPS, host, schedule="stepwise")
    assert all(same_bits(a, b) for a, b in zip(found, expected))
    assert not all(same_bits(a, b) for a, b in zip(found, host))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ALL)
def test_bits_of_single_steps(name, kind, size):
    rng = np.random.default_rng(7)
    host = [rng.random((size[1] + y, size[0] + x)).astype(kind) for x, y in ALL[name][1]]
    check(ALL[name][0], host)
    check(ALL[name][0], host, depth=3)


@pytest.mark.parametrize("kind", KINDS)
def test_formulas_in_conditions_and_three_dims(kind):
    rng = np.random.default_rng(3)
    check(travelling, [rng.random((90, 133)).astype(kind) for _ in range(2)])
    check(in_space, [rng.random((33, 41, 130)).astype(kind) for _ in range(2)])


def check_stages(step, host):
    for steps in (1, STEPS):
        found, run, said = run_of(step, steps, host, schedule="fused")
        assert run.schedule == "fused" and "all stages at once" in said, said
        expected, _, _ = run_of(step, steps, host, schedule="stepwise")
        assert all(same_bits(a, b) for a, b in zip(found, expected))
        assert not all(same_bits(a, b) for a, b in zip(found, host))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ("pressure", "wave"))
def test_all_stages_at_once_have_the_bits_of_single_steps(name, kind, size):
    step, more = ALL[name]
    rng = np.random.default_rng(5)
    check_stages(step, [rng.random((size[1] + y, size[0] + x)).astype(kind) for x, y in more])


@pytest.mark.parametrize("size", ((131, 43, 37), (35, 9, 7)), ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_all_stages_at_once_in_three_dims(kind, size):
    rng = np.random.default_rng(6)
    longer = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0))
    host = [rng.random([n + more for n, more in zip(reversed(size), by)]).astype(kind) for by in longer]
    check_stages(sound, host)
    said = str(teff.explain(sound, *map(torch().array, host)))
    assert "with all stages at once" in said, said


def test_what_all_stages_at_once_refuse_goes_stage_by_stage():
    """One stage, and conditions."""
    for name in ("heat", "gray_scott"):
        host = [np.random.default_rng(4).random((90, 133)) for _ in range(2)]
        _, run, said = run_of(ALL[name][0], STEPS, host, schedule="fused")
        assert run.schedule == "stepwise" and "NVRTC makes no kernel of it for this formula" in said, said


@pytest.mark.parametrize("size", ((63, 63), (127, 127), (255, 200)), ids=str)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ("heat", "closed", "pressure", "wave"))
def test_blocks_that_stay_have_the_bits_of_single_steps(name, kind, size):
    step, more = {**ALL, "closed": (closed, ((0, 0), (0, 0)))}[name]
    rng = np.random.default_rng(9)
    host = [rng.random((size[1] + y, size[0] + x)).astype(kind) for x, y in more]
    for steps in (1, 37, 301):
        found, run, said = run_of(step, steps, host, schedule="resident")
        assert run.schedule == "resident", said
        expected, _, _ = run_of(step, steps, host, schedule="stepwise")
        assert all(same_bits(a, b) for a, b in zip(found, expected))


def test_what_blocks_that_stay_refuse_goes_step_by_step():
    host = [np.random.default_rng(4).random((90, 133))]
    found, run, said = run_of(round_trip, STEPS, host, schedule="resident")
    assert run.schedule == "stepwise", said
    assert same_bits(found[0], run_of(round_trip, STEPS, host, schedule="stepwise")[0][0])


def test_fields_beyond_the_chip_have_no_blocks_that_stay():
    host = [np.random.default_rng(4).random((2900, 3100)) for _ in range(2)]
    _, run, said = run_of(ALL["heat"][0], STEPS, host, schedule="resident")
    assert run.schedule == "stepwise" and "do not fit in the GPU's shared memory" in said, said


def test_what_passes_refuse_goes_step_by_step():
    host = [np.random.default_rng(4).random((90, 133))]
    found, run, said = run_of(round_trip, STEPS, host, schedule="temporal")
    assert run.schedule == "stepwise" and "periodic have no formulas" in said, said
    assert same_bits(found[0], run_of(round_trip, STEPS, host, schedule="stepwise")[0][0])


def test_a_run_goes_over(tmp_path, monkeypatch):
    monkeypatch.setenv("TEFF_CACHE", str(tmp_path))
    monkeypatch.setattr(compiled, "_known", {})
    host = [np.random.default_rng(1).random((2048, 2048)) for _ in range(2)]
    found, run, said = run_of(ALL["heat"][0], 200_000, host)  # some 10 s by single steps
    assert run.schedule == "temporal", said
    assert "before, " in said and "compiled as rows by NVRTC" in said, said
