# SPDX-License-Identifier: MIT
"""Arrays of torch, CuPy and JAX on a GPU: on the framework's stream, without a copy, held as long as
they are used."""

import gc
import sys

import numpy as np
import pytest
from frameworks import compile_all, framework, torch  # noqa: F401

import teff
from teff.array import Array

N = 1 << 20
ONES = np.ones(N)


@teff.timestep
def grow(T):
    return teff.update(T, T + T)


@teff.timestep
def add(T, A):
    return teff.update(T, T + A)


@teff.timestep
def spread(T):
    return teff.update(teff.inn(T), teff.inn(T) + 0.125 * (teff.d2_xi(T) + teff.d2_yi(T)))


@pytest.fixture(scope="module", autouse=True)
def all_compiled():
    flat, wide, single = (torch().array(np.ones(shape, kind))
                          for shape, kind in ((4, "f8"), ((2, 2), "f8"), ((2, 2), "f4")))
    compile_all([(grow, [flat]), (grow, [wide]), (grow, [single]), (add, [single, single]),
                 (spread, [wide])])


def test_a_late_array_is_waited_for(framework):
    """The framework's kernel writes the cells long after the call of Teff, on the same stream."""
    stream = framework.stream()

    def work(is_late):
        x = framework.array(np.zeros(N))
        if is_late:
            framework.late()
        x += 1
        scan, total = teff.cumsum(x), teff.sum(x)
        teff.iterate(grow, 3, x, schedule="stepwise")
        after = x + 1  # the framework's next kernel sees Teff's cells
        x += 100  # and what Teff has enqueued is not disturbed
        return x, scan, total, after
    with framework.on(stream):
        work(False)  # all kernels are loaded, which may wait
        framework.late()
        stream.synchronize()
        x, scan, total, after = work(True)
        was_done = framework.is_done(stream)
    stream.synchronize()
    assert not was_done, "all was done at once: nothing was late, so nothing was tested"
    assert framework.is_own(scan) and framework.is_own(total)
    assert (framework.host(scan) == np.arange(1, N + 1)).all()
    assert float(total) == N
    assert (framework.host(after) == 9).all() and (framework.host(x) == 108).all()


def test_a_late_array_would_be_seen(framework):
    """The test above can fail: on another stream the cells are still old."""
    x = framework.array(np.zeros(N))
    x += 0
    framework.host(teff.sum(x))
    one, other = framework.stream(), framework.stream()
    with framework.on(one):
        framework.late()
        x += 1
    with framework.on(other):
        early = teff.sum(x)
        other.synchronize()
    one.synchronize()
    assert float(early) == 0 and float(teff.sum(x)) == N


def test_a_run_goes_to_the_stream_that_is_current_now(framework):
    """Though all else is as it was at the call before."""
    x = framework.array(np.ones(N))
    teff.iterate(grow, 1, x, schedule="stepwise")
    framework.host(x)
    other = framework.stream()
    with framework.on(other):
        framework.late()
        x += 1
        teff.iterate(grow, 1, x, schedule="stepwise")
    other.synchronize()
    assert (framework.host(x) == 6).all()


def test_a_run_in_a_graph_has_memory_of_its_own():
    """Not that which calls before it left, and none that it leaves to calls after it."""
    cuda = torch().module.cuda
    stream = cuda.Stream()
    start = torch().array(np.random.default_rng(2).random((64, 64)))  # too many cells for one block
    x, y = start.clone(), start.clone()
    stream.synchronize()
    with cuda.stream(stream):
        for _ in range(3):
            teff.iterate(spread, 1, x)
        (call,) = spread._last.spare
        kept = call.block.kept
        graph = cuda.CUDAGraph()
        with cuda.graph(graph, stream=stream):
            teff.iterate(spread, 1, x)
        in_graph = call.block.kept
        for _ in range(4):
            graph.replay()
        for _ in range(7):
            teff.iterate(spread, 1, y)
    stream.synchronize()
    assert kept and in_graph is None and call.block.kept
    assert not (x == start).all() and (x == y).all()


def test_default_streams(framework):
    x = framework.array(np.zeros(N))
    framework.late()
    x += 1
    assert float(teff.sum(x)) == N and float(teff.cumsum(x)[-1]) == N


def test_many_axes_and_rows_stay_on_the_stream(framework):
    """Arrays that are taken in another shape (merged axes, a flat view) keep their stream."""
    stream = framework.stream()
    with framework.on(stream):
        x = framework.array(np.zeros((8, 16, 32, 64)))
        framework.late()
        x += 1
        by_axis, flat = teff.sum(x, axis=1), teff.cumsum(x)
        kept = teff.sum(x, axis=(0, 1, 2), keepdims=True)
        bags = teff.segmented_sum(x.reshape(-1)[:100], framework.array(np.array([0, 50, 100])))
    stream.synchronize()
    assert (framework.host(by_axis) == 16).all()
    assert framework.host(flat).reshape(-1)[-1] == x.size if framework.name == "cupy" else True
    assert framework.host(kept).shape == (1, 1, 1, 64) and (framework.host(kept) == 4096).all()
    assert framework.host(bags).tolist() == [50, 50]


def test_results_and_targets(framework):
    a = framework.array(np.arange(12.0).reshape(3, 4))
    out = framework.array(np.zeros((3, 4)))
    assert teff.cumsum(a, axis=1, out=out) is out
    assert framework.host(out)[2].tolist() == [8, 17, 27, 38]
    assert framework.is_own(teff.sum(a)) and teff.sum(a).shape == ()
    part = a[:, ::2]
    assert framework.host(teff.sum(part, axis=0)).tolist() == [12, 18]
    teff.iterate(grow, 1, part[1])
    assert framework.host(a)[1].tolist() == [8, 5, 12, 7]
    like = teff.random((3, 4), seed=7, like=a)
    assert framework.is_own(like)
    assert framework.host(like).tobytes() == np.asarray(teff.random((3, 4), seed=7)).tobytes()


def test_what_is_enqueued_outlives_its_names(framework):
    """Names go while the work waits; memory that is given out again on the stream is another's then."""
    stream = framework.stream()
    with framework.on(stream):
        x = framework.array(ONES)
        framework.late()
        y = teff.cumsum(x)
        del x
        gc.collect()
        others = [framework.array(np.full(N, -1.0)) for _ in range(4)]
    stream.synchronize()
    assert (framework.host(y) == np.arange(1, N + 1)).all() and len(others) == 4


def test_nothing_is_kept(framework):
    x = framework.array(ONES)
    teff.sum(x)
    before = sys.getrefcount(x)
    for _ in range(200):
        teff.sum(x)
        teff.iterate(grow, 0, x)
    run = teff.iterate(grow, 1, x)
    assert sys.getrefcount(x) == before and run.steps == 1
    with pytest.raises(ValueError, match="out has shape"):
        teff.cumsum(x, out=framework.array(np.zeros(3)))
    assert sys.getrefcount(x) == before


@pytest.mark.parametrize("take", ["torch", "cupy", "legacy", "interface"])
def test_arrays_of_teff(take):
    """An array of Teff's own on a GPU, taken by others without a copy, outlives its name."""
    made = Array.empty((3, 5), 0, "cuda:0")
    teff.random(seed=3, out=made)
    expected = np.asarray(teff.random((3, 5), seed=3))
    pointer = made._pointer
    if take in ("torch", "legacy"):
        module = pytest.importorskip("torch")
        taken = module.from_dlpack(made if take == "torch" else made.__dlpack__())
        assert taken.data_ptr() == pointer
        get = lambda: taken.cpu().numpy()
    else:
        module = pytest.importorskip("cupy")
        taken = module.from_dlpack(made) if take == "cupy" else module.asarray(made)
        assert taken.data.ptr == pointer
        get = taken.get
    del made
    gc.collect()
    others = [Array.empty((3, 5), 0, "cuda:0") for _ in range(50)]
    for other in others:
        teff.random(seed=4, out=other)
    assert get().tobytes() == expected.tobytes()


class Interface:
    """An array that comes by __cuda_array_interface__ alone."""

    def __init__(self, x, stream):
        self.x, self.__cuda_array_interface__ = x, {**x.__cuda_array_interface__, "stream": stream}


def test_the_cuda_array_interface():
    cupy = pytest.importorskip("cupy")
    x = cupy.arange(6.0).reshape(2, 3)
    for stream in (None, 1, 2):
        cupy.cuda.Device().synchronize()
        total = teff.sum(Interface(x, stream))
        cupy.cuda.Device().synchronize()
        assert float(total) == 15
    own = cupy.cuda.Stream(non_blocking=True)
    with own:
        y = cupy.ones(N)
        teff.iterate(grow, 2, Interface(y, own.ptr))
    own.synchronize()
    assert (y == 4).all()


def test_arrays_of_jax():
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("a JAX without GPUs")
    x = jax.numpy.arange(12, dtype="float32").reshape(3, 4)
    big = jax.random.normal(jax.random.key(0), (4096, 4096))
    late = (big @ big @ big @ big).sum() * 0 + x  # is computed while Teff is called
    y = teff.cumsum(late, axis=1)
    assert isinstance(y, jax.Array) and y.devices() == x.devices()
    assert np.asarray(y).tolist() == np.cumsum(np.arange(12.0).reshape(3, 4), axis=1).tolist()
    assert float(teff.max(x)) == 11 and isinstance(teff.sum(x, axis=0), jax.Array)
    with pytest.raises(ValueError, match="JAX"):
        teff.cumsum(x, axis=0, out=x)
    with pytest.raises(ValueError, match="JAX"):
        teff.iterate(grow, 1, x)
    T = torch().array(np.zeros((3, 4), "f4"))
    teff.iterate(add, 2, T, x)  # read beside a field of torch
    assert torch().host(T).tolist() == (2 * np.arange(12.0).reshape(3, 4)).tolist()


def test_devices_that_are_mixed(framework):
    x = framework.array(ONES)
    with pytest.raises(ValueError, match="cuda:0.*cpu|cpu.*cuda:0"):
        teff.cumsum(x, out=np.zeros(N))
    with pytest.raises(ValueError, match="is on cpu, field 0 on cuda:0"):
        teff.iterate(add, 1, x, ONES)


def test_what_is_for_nvcc_without_it(monkeypatch):
    x = torch().array(np.ones(4))

    integrated = teff.rk2(lambda T: teff.rate(T, -T), 0.1)
    monkeypatch.setenv("TEFF_NVCC", "/nowhere/nvcc")
    with pytest.raises(teff.CompileError, match="/nowhere/nvcc.*install the CUDA toolkit"):
        teff.iterate(integrated, 1, x)


def test_what_is_known_of_a_gpu(framework, capfd):
    assert "cuda:0" in teff.info() and "multiprocessors" in teff.info()
    assert 500 < teff.peak("cuda:0") < 20000
    x = framework.array(ONES)
    with teff.profile("on a GPU") as profile:
        teff.cumsum(x)
        run = teff.iterate(grow, 5, x)
        assert "scan" in profile.table() or "cumsum" in profile.table()
    assert "on a GPU" in capfd.readouterr().err
    assert run.seconds > 0 and run.t_eff > 0 and "f64" in str(run)
    assert "cuda" in teff.explain(grow, x) or "GPU" in teff.explain(grow, x)


def test_values_that_are_not_finite(framework):
    x = framework.array(np.full(8, 1e300))
    with pytest.raises(teff.NonFiniteError) as raised:
        teff.iterate(grow, 1000, x, check_every=10)
    assert np.isfinite(framework.host(x)).all() and raised.value.good_step == 27


def test_cells_of_an_array_of_teff():
    made = Array.empty((2, 2), 0, "cuda:0")
    teff.random(seed=1, out=made)
    assert made.tolist() == teff.random((2, 2), seed=1).tolist()
    assert float(teff.sum(made)) == float(teff.sum(teff.random((2, 2), seed=1)))
    grown = np.array(made.tolist()) * 2
    teff.iterate(grow, 1, made)
    assert (np.array(made.tolist()) == grown).all()


def test_on_step(framework):
    x, told = framework.array(np.ones(8)), []
    teff.iterate(grow, 7, x, on_step=(3, lambda done: told.append((done, float(x[0])))))
    assert told == [(3, 8), (6, 64)] and float(x[0]) == 128
