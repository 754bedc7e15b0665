# SPDX-License-Identifier: MIT
"""Kernels as text on a GPU: the bits of the CPU's, on the framework's stream, what a launch tells, what
is refused, and what is left after one that failed.
"""

import re
import sys
from pathlib import Path

import kernel_cases
import numpy as np
import pytest
from frameworks import Own, compile_kernels, framework, same_bits, torch  # noqa: F401
from kernel_cases import beyond, crowded, fails, neighbours, reverse, saxpy, total

import teff

N = 1 << 20
CASES = kernel_cases.cases()


def compile_all_kernels():
    x = torch().array(np.ones(4))
    negative = "reversed"  # which torch has no views of
    calls = [(case.kernel, case.placed(make)[1], case.launch) for name, case in CASES.items()
             for make in (np.copy, torch().array) if name != negative]
    calls += [(fails, [x], {}), (beyond, [1, x], {}), (crowded, [1, x], {})]
    compile_kernels(calls)


@pytest.fixture(scope="module", autouse=True)
def all_compiled():
    compile_all_kernels()


def same_as_on_cpu(name, of):
    case = CASES[name]
    wholes, values = case.placed(of.array)
    said = case.kernel(*values, **case.launch)
    expected = kernel_cases.on_cpu(case)
    for k, (found, one) in enumerate(zip(wholes, expected)):
        assert same_bits(of.host(found), one), f"array {k}"
    assert not said.is_emulated and said.registers > 0
    is_changed = not same_bits(expected[-1], case.placed(np.copy)[0][-1])
    assert is_changed == (expected[-1].size > 0)


@pytest.mark.parametrize("name", CASES)
def test_bits_of_the_cpu(name, framework):
    if name == "reversed" and framework.name == "torch":
        pytest.skip("torch has no negative strides")
    same_as_on_cpu(name, framework)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.has_parts])
def test_bits_over_arrays_of_teff(name):
    same_as_on_cpu(name, Own())


# ---- streams

def test_a_late_array_is_waited_for(framework):
    stream = framework.stream()

    def work(is_late):
        x, c = (framework.array(np.zeros(N)) for _ in range(2))
        if is_late:
            framework.late()
        x += 1
        saxpy(2.0, x, x, c)
        after = c + 1  # the framework's next kernel sees what Teff's wrote
        x += 100  # and what is enqueued is not disturbed
        return c, after
    with framework.on(stream):
        work(False)  # all kernels are loaded, which may wait
        framework.late()
        stream.synchronize()
        c, after = work(True)
        was_done = framework.is_done(stream)
    stream.synchronize()
    assert not was_done, "all was done at once: nothing was late, so nothing was tested"
    assert (framework.host(c) == 3).all() and (framework.host(after) == 4).all()


def test_a_call_goes_to_the_stream_that_is_current_now(framework):
    """Though all else is as it was at the call before."""
    x, c = (framework.array(np.zeros(N)) for _ in range(2))
    x += 0
    before = sys.getrefcount(x), sys.getrefcount(c)
    for _ in range(2):
        said = saxpy(2.0, x, x, c)
    assert (sys.getrefcount(x), sys.getrefcount(c)) == before, "nothing is held"
    assert saxpy(3.0, x, x, c) is said
    framework.host(x)
    other = framework.stream()
    with framework.on(other):
        framework.late()
        x += 1
        saxpy(2.0, x, x, c)
    other.synchronize()
    assert (framework.host(c) == 3).all()


def test_arrays_of_teff_beside_others(framework):
    """The stream of the framework is waited for, and what the call wrote is there when it returns."""
    x, mine = framework.array(np.zeros(N)), Own().array(np.zeros(N))
    x += 0
    saxpy(2.0, x, x, mine)
    stream = framework.stream()
    framework.late()
    framework.host(x)
    for values in ((x, x, mine), (mine, x, mine)):  # by the first one's stream
        with framework.on(stream):
            framework.late()
            x += 1
            saxpy(2.0, *values)
    assert mine.tolist() == [2 * 3.0 + 2] * N


def test_arrays_of_torch_and_cupy():
    """Each on a stream of its own: both are ordered with the kernel."""
    cupy = pytest.importorskip("cupy")
    x, y = (torch().array(np.zeros(N)) for _ in range(2))
    c = cupy.zeros(N)
    saxpy(2.0, x, y, c)
    assert (c * 2 == 0).all()  # all kernels are loaded
    one, other = torch().stream(), cupy.cuda.Stream(non_blocking=True)
    torch().module.cuda.synchronize()
    with torch().on(one), other:
        torch().late()
        x += 1
        saxpy(2.0, x, y, c)
        twice = c * 2  # on CuPy's stream
        was_done = one.query()
        other.synchronize()
        assert not was_done and (twice == 4).all()


def test_a_kernel_in_a_graph():
    cuda = torch().module.cuda
    x, y, c = (torch().array(np.full(N, n)) for n in (1.0, 2.0, 0.0))
    saxpy(2.0, x, y, c)
    stream, graph = cuda.Stream(), cuda.CUDAGraph()
    cuda.synchronize()
    with cuda.graph(graph, stream=stream):
        said = saxpy(2.0, x, y, y)
    assert (y == 2).all() and said.registers > 0
    for _ in range(3):
        graph.replay()
    assert (y == 8).all() and (c == 4).all()


# ---- what a launch tells

def test_what_a_launch_tells(framework):
    x, s = framework.array(np.arange(1000.0)), framework.array(np.zeros(1000))
    with teff.profile("kernels") as profile:
        said = saxpy(2.0, x, x, s)
        assert f"{said.registers} registers, occupancy {said.occupancy:.2f}" in profile.table()
    assert (said.blocks, said.threads, said.shared_bytes) == ((4, 1, 1), (256, 1, 1), 0)
    assert said.local_bytes == 0 and 8 <= said.registers <= 64 and 0.4 < said.occupancy <= 1
    assert repr(said) == (f"<launch over 1000 cells by 4 blocks of 256 threads: {said.registers} registers "
                          "a thread, 0 bytes of shared memory a block, occupancy "
                          f"{said.occupancy:.2f}>")
    said = saxpy(2.0, x, x, s, cells=100, threads=32)
    assert (said.blocks, said.threads) == ((4, 1, 1), (32, 1, 1))
    said = total(x, s)
    assert (said.blocks, said.threads) == ((4, 1, 1), (256, 1, 1)) and said.barriers == 0
    assert repr(said).startswith(f"<launch of 4 blocks of 256 threads: {said.registers} registers a ")


def test_shared_memory_lowers_the_occupancy(framework):
    x, y = framework.array(np.arange(128.0)), framework.array(np.zeros(128))
    chosen = reverse(x, y, threads=64, blocks=2)
    few = reverse(x, y, threads=64, blocks=2, shared_bytes=512)
    assert (chosen.shared_bytes, few.shared_bytes) == (48 * 1024, 512)
    assert chosen.occupancy < few.occupancy <= 1


def test_memory_of_a_thread(framework):
    _, values = CASES["own"].placed(framework.array)
    said = kernel_cases.own(*values)
    assert said.local_bytes >= 512 and f"{said.local_bytes} bytes of it in memory" in repr(said)


def test_print(framework, capfd):
    """Is there when the call returns, as on a CPU."""
    stream = framework.stream()
    x, y = framework.array(np.arange(128.0)), framework.array(np.zeros(128))
    framework.host(x)  # it is there for all streams
    with framework.on(stream):
        framework.late()
        reverse(x, y, threads=64, blocks=2, shared_bytes=512)
    lines = capfd.readouterr().out.splitlines()
    assert sorted(lines) == ["block 0,0,0 thread 5,0,0: 0 of 64", "block 1,0,0 thread 5,0,0: 64 of 64"]


# ---- what is refused

def test_launches_that_are_refused(framework):
    x, y = framework.array(np.ones(64)), framework.array(np.zeros(64))
    with pytest.raises(teff.Error, match="2000 .*at most 1024 threads.*nearest legal shape is 1024"):
        saxpy(1.0, x, x, y, threads=2000)
    with pytest.raises(teff.Error, match="asked for 307200 bytes of shared memory a block; the limit of "
                       r"cuda:0 is \d+, the nearest legal number is \d+"):
        reverse(x, y, threads=64, blocks=1, shared_bytes=300 * 1024)
    counter, cells = framework.array(np.zeros(1, "i8")), framework.array(np.zeros(30, "i8"))
    with pytest.raises(teff.Error, match="all resident must fit on the device together: launch fewer"):
        neighbours(counter, cells, cells, threads=1024, blocks=60_000, all_resident=True)
    with pytest.raises(teff.Error, match="more registers than there are: launch fewer threads a block"):
        crowded(1, x, threads=1024)
    assert crowded(1, y, threads=128).registers > 64
    with pytest.raises(ValueError, match="on cuda:0 and on cpu: bring them to one device"):
        saxpy(1.0, x, np.ones(64), y)
    saxpy(2.0, x, x, y)  # and nothing is lost
    assert (framework.host(y) == 3).all()


def test_arrays_on_two_gpus():
    module = torch().module
    if module.cuda.device_count() < 2:
        pytest.skip("one GPU")
    x, y = (module.ones(3, device=f"cuda:{n}", dtype=module.float64) for n in range(2))
    with pytest.raises(ValueError, match="on cuda:0 and on cuda:1: bring them to one device"):
        saxpy(1.0, x, x, y)


def test_what_can_not_be_written_to():
    x = torch().array(np.ones(4))
    with pytest.raises(teff.CompileError, match=r"kernel_cases.py, line \d+\).*give a copy"):
        saxpy(2.0, x, x, x[:1].expand(4))


def test_arrays_of_jax():
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("a JAX without GPUs")
    x = jax.numpy.arange(1000, dtype="float32")
    c = torch().array(np.zeros(1000, "f4"))
    saxpy(2.0, x, c, c)
    assert (torch().host(c) == 2 * np.arange(1000.0)).all()
    with pytest.raises(teff.CompileError, match=r"kernel_cases.py, line \d+\).*give a copy"):
        saxpy(2.0, c, c, x)


def test_what_does_not_compile():
    x = torch().array(np.ones(3))
    with pytest.raises(teff.CompileError, match=r'the kernel \(.*test_gpu_kernels.py, line \d+\) could not be '
                       'compiled: identifier "w" is undefined'):
        teff.kernel("x(i) = w;", "x")(x)
    with pytest.raises(teff.CompileError, match="argument has type .int"):
        teff.kernel('print("%s", 5); x(i) = 0;', "x")(x)


def test_where_no_nvcc_is(monkeypatch):
    x = torch().array(np.ones(4))
    monkeypatch.setenv("TEFF_NVCC", "/nowhere/nvcc")
    with pytest.raises(teff.CompileError, match="kernels of arrays on a GPU.*/nowhere/nvcc.*install the "
                       "CUDA toolkit"):
        teff.kernel("x(i) = 5;", "x")(x)


# ---- what is left after a failure, in processes of their own

FAILED = """
import sys
sys.path.insert(0, {folder!r})
import torch, teff
from kernel_cases import beyond, fails, saxpy
x = torch.arange(8, dtype=torch.float64, device="cuda")
{call}
for again in range(2):
    try:
        torch.cuda.synchronize()
    except Exception:
        pass
    try:
        saxpy(1.0, x, x, x)
        print("no error")
    except teff.KernelError as error:
        print(error)
"""


@pytest.mark.parametrize("call", ["fails(x)", "beyond(1 << 40, x)"])
def test_after_a_failure(call, run_python):
    done = run_python(FAILED.format(folder=str(Path(__file__).parent), call=call), check=False)
    print(done.stdout, done.stderr, file=sys.stderr)
    said = done.stdout.splitlines()
    assert done.returncode == 0 and len(said) == 2, done
    for line in said:
        assert "his process can not use the GPU any more: start it again" in line
    if call.startswith("fails"):
        assert "an assertion of a kernel failed" in said[0]
        assert re.search(r"kernel_text:2: .*thread: \[3,0,0\] Assertion `\(?x\(i\) != 3\)?` failed",
                         done.stderr)
    else:
        assert "over arrays on a CPU the kernel's mistakes are found with their line" in said[0]


def test_a_failure_over_arrays_of_teff(run_python):
    """Is said by the call itself, which waits."""
    done = run_python(FAILED.replace("{call}", """
from teff.array import Array
y = Array.empty((8,), 0, "cuda:0")
saxpy(0.0, x, x, y)
try:
    fails(y)
except teff.KernelError as error:
    print(error)
""").format(folder=str(Path(__file__).parent)), check=False)
    assert "an assertion of a kernel failed" in done.stdout.splitlines()[0], done
