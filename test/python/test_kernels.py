# SPDX-License-Identifier: MIT
"""Kernels as text: over cells and over blocks, what the emulator finds, and what compilers say."""

import pickle
import shutil
import subprocess
import sys
import threading
import time
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kernel_cases
import numpy as np
import pytest
from kernel_cases import total

import teff
from teff import compilers, interop, kernel_launch, kernels

GOLDEN = Path(__file__).resolve().parent / "golden"

saxpy = teff.kernel("c(i) = a * x(i) + y(i);", "a, x, y, c")

# With two mistakes that an argument asks for.
reverse = teff.kernel("""
auto tile = blk.shared<f64>(64);
const int t = blk.thread(0);
const index_t first = 64 * blk.index(0);
tile[t] = x(first + t);
if (way == 0) blk.sync();
if (way == 1 && t < 7) blk.sync();
y(first + t) = tile[63 - t];
if (t == 5) print("%g of %d\\n", x(first), 64);
assert(y(first + t) >= 0);
""", "way, x, y")


def test_an_index_kernel():
    x, y, c = np.arange(10.0), np.ones(10), np.zeros(10)
    said = saxpy(2, x, y, c)
    assert c.tolist() == (2 * x + 1).tolist() and "over 10 cells" in repr(said)
    saxpy(np.float64(0.5), x[::-1], y, c)  # any strides; numbers compile nothing
    assert c.tolist() == (0.5 * x[::-1] + 1).tolist()
    saxpy(3.0, x, y, c, cells=4)
    assert c.tolist()[:5] == [1, 4, 7, 10, 0.5 * 5 + 1]
    saxpy(1.0, x[:0], y[:0], c[:0])
    assert said.threads is said.blocks is said.registers is said.occupancy is None  # of GPUs


def test_calls_over_the_same_arrays():
    """What was bound is taken again, of arrays in turns, too, with the numbers of the call; no array is
    held, and of one that is no longer as it was nothing is taken."""
    x, y, c = np.ones(10), np.arange(10.0), np.zeros(10)
    before = [sys.getrefcount(a) for a in (x, y, c)]
    saxpy(2.0, x, y, c)
    (call,) = saxpy._calls[:1]
    saxpy(2.0, c, y, x)
    saxpy(3.0, x, y, c)
    assert saxpy._calls[0] is call and len(saxpy._calls) <= kernels.MOST_CALLS
    assert c.tolist() == (3 * (2 * (2 + y) + y) + y).tolist()
    assert [sys.getrefcount(a) for a in (x, y, c)] == before
    saxpy(3.0, x, y, c, cells=2)
    assert saxpy._calls[0] is not call
    c.flags.writeable = False
    with pytest.raises(teff.CompileError, match="give a copy"):
        saxpy(3.0, x, y, c)


def test_calls_of_many_threads():
    def work(seed):
        x, y, c = np.full(2000, float(seed)), np.arange(2000.0), np.zeros(2000)
        for n in range(100):
            saxpy(float(n), x, y, c)
            assert (c == n * x + y).all()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(8)))


def test_types_and_dims():
    """x is the last axis; numbers take the real type of the arrays; a bool array is of u8."""
    turn = teff.kernel("B(j, i) = A(i, j) + a * is_far(i); n(i, j) = i + 10 * j + by;",
                       "A, B, a, is_far, by, n")
    A = np.arange(6, dtype=np.float32).reshape(2, 3)
    B, n = np.zeros((3, 2), np.float32), np.zeros((2, 3), np.int32)
    turn(A, B, 0.5, np.array([False, False, True]), 100, n)
    assert B.tolist() == [[0, 3], [1, 4], [2.5, 5.5]]
    assert n.tolist() == [[100, 101, 102], [110, 111, 112]]
    assert "f32 a;" in turn.source(A, B, 0.5, np.ones(3, bool), 100, n)


def test_the_text_that_is_compiled():
    x = np.ones(3)
    written = saxpy.source(1.0, x, x, x)
    assert written == (GOLDEN / "saxpy.txt").read_text(encoding="utf-8")


NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


class OnGpu:
    """An array that says that it is on a GPU, for the text of kernels."""

    def __init__(self, array):
        self.array = array

    def __getitem__(self, index):
        return OnGpu(self.array[index])

    @property
    def T(self):
        return OnGpu(self.array.T)

    def _teff_cells(self):
        cells = interop.cells_of(self.array)
        cells.device = "cuda:0"
        return cells


def compiled_by_nvcc(text, folder):
    (folder / "kernel.cu").write_text(text)
    include = Path(teff.__file__).parent / "library" / "include"
    done = subprocess.run([NVCC, "-std=c++20", "--extended-lambda", "--expt-relaxed-constexpr",
                           "-arch=sm_90", "-c", *kernels.NVCC_FLAGS, f"-I{include}",
                           str(folder / "kernel.cu"), "-o", str(folder / "kernel.o")],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr


@pytest.mark.skipif(NVCC is None, reason="no nvcc")
def test_nvcc_takes_the_same_text(tmp_path):
    compiled_by_nvcc(reverse.source(1, *(OnGpu(np.ones(3)) for _ in range(2))), tmp_path)


@pytest.mark.long
@pytest.mark.skipif(NVCC is None, reason="no nvcc")
@pytest.mark.parametrize("name", kernel_cases.cases())
def test_nvcc_takes_the_texts_of_the_tests_on_a_gpu(name, tmp_path):
    case = kernel_cases.cases()[name]
    compiled_by_nvcc(case.kernel.source(*case.placed(OnGpu)[1]), tmp_path)


def test_where_no_nvcc_is(monkeypatch):
    monkeypatch.setenv("TEFF_NVCC", "/nowhere/nvcc")
    monkeypatch.setattr(compilers, "architecture_of", lambda device: "90")
    arrays, kinds = saxpy._sorted((2.0, *(OnGpu(np.ones(3)) for _ in range(3))))
    with pytest.raises(teff.CompileError, match="kernels of arrays on a GPU .*'/nowhere/nvcc'.*install "
                       "the CUDA toolkit"):
        saxpy._function(kinds, 1, arrays)


def test_what_a_launch_on_a_gpu_tells():
    options, facts = kernel_launch.Options(), kernel_launch.Facts()
    options.cells[:], options.blocks[:] = (1000, 9, 1), (2, 3, 1)
    facts.block_threads[:] = 32, 8, 1
    facts.registers, facts.shared_bytes, facts.occupancy = 40, 512, 0.625
    over_cells = kernel_launch.Launch(False, "cuda:0", options, facts)
    assert (over_cells.blocks, over_cells.threads) == ((32, 2, 1), (32, 8, 1))
    assert repr(over_cells) == (
        "<launch over 1000x9 cells by 32x2 blocks of 32x8 threads: 40 registers a thread, 512 bytes of "
        "shared memory a block, occupancy 0.62>")
    facts.local_bytes = 16
    of_blocks = kernel_launch.Launch(True, "cuda:0", options, facts)
    assert of_blocks.blocks == (2, 3, 1) and not of_blocks.is_emulated
    assert repr(of_blocks).startswith("<launch of 2x3 blocks of 32x8 threads: 40 registers a thread, 16 "
                                      "bytes of it in memory, 512 bytes")


def test_indices_beyond_an_array():
    x, c = np.arange(5.0), np.zeros(10)
    with pytest.raises(teff.KernelError, match=r"cell \(5\): x\(5\) is outside of x, which has 5 "
                       r"cells.*line 1 of the kernel \(`c\(i\) = a"):
        saxpy(1.0, x, c, c)


def test_a_block_kernel(capfd):
    x, y = np.arange(128.0), np.zeros(128)
    said = reverse(0, x, y, threads=64, blocks=2)
    assert y.tolist() == x.reshape(2, 64)[:, ::-1].ravel().tolist()
    assert said.is_emulated and said.barriers == 2 and said.bank_conflicts == 0
    assert "2 blocks of 64 threads" in repr(said)
    # A warp reads x, writes y and reads it again, 8 sectors each; the thread that prints, 1 more.
    assert said.sectors_needed == 2 * (2 * 3 * 8 + 1)
    assert said.sectors_asked >= said.sectors_needed  # NumPy's arrays may begin within a sector
    assert f"{said.sectors_asked} sectors asked for, 98 needed" in repr(said)
    assert "block 1,0,0 thread 5,0,0: 64 of 64" in capfd.readouterr().out
    s = np.zeros(1)
    total(x, s, blocks=1, threads=128, seed=7)
    assert s[0] == x.sum()
    one_cell = np.zeros(())
    total(x, one_cell, blocks=1, threads=128)
    assert one_cell == x.sum()
    chosen = total(x, s)  # a thread for each cell of the last array
    assert "1 blocks of 256 threads" in repr(chosen) and s[0] == 2 * x.sum()


def test_what_the_emulator_finds():
    x, y = np.arange(64.0), np.zeros(64)
    with pytest.raises(teff.KernelError, match=r"test_kernels.py:\d+: block 0, thread .*reads "
                       r"element .*line 8 of the kernel \(`y\(first \+ t\) = tile"):
        reverse(2, x, y, threads=64)
    with pytest.raises(teff.KernelError, match="57 threads returned before a barrier.*line 7|"
                       "barrier.*line 7|which no thread"):
        reverse(1, x, y, threads=64)
    x[3] = -1
    with pytest.raises(teff.KernelError, match="assertion failed.*line 10 of the kernel"):
        reverse(0, x, y, threads=64)
    with pytest.raises(teff.Error, match="shared"):
        reverse(0, abs(x), y, threads=64, shared_bytes=8)
    with pytest.raises(teff.Error, match="1024"):
        total(x, np.zeros(1), threads=2000)


def test_what_can_not_be_written_to():
    c = np.zeros(3)
    c.flags.writeable = False
    with pytest.raises(teff.CompileError, match=r"test_kernels.py, line 24\) could not.*np.array"):
        saxpy(1.0, np.ones(3), np.ones(3), c)


def test_what_does_not_compile():
    """The error is at the line of the text where it stands in the program."""
    wrong = teff.kernel("""
        const f64 v = x(i);
        x(i) = w;  // here
    """, "x")
    with pytest.raises(teff.CompileError, match=r"the kernel \(.*test_kernels.py, line (\d+)\) "
                       "could not be compiled: .w. was not declared") as raised:
        wrong(np.ones(3))
    number = int(str(raised.value).split("line ")[1].split(")")[0])
    line = Path(__file__).read_text(encoding="utf-8").split("\n")[number - 1]
    assert line.endswith("// here")
    with pytest.raises(teff.CompileError, match="as many indices as it has dims"):
        teff.kernel("T(i, j) = 0;", "T")(np.ones((2, 2, 2)), cells=(2, 2))


def test_arguments_that_are_refused():
    x = np.ones(3)
    for names in ("a, a", "i, x", "x, 2y", "double", ""):
        with pytest.raises(ValueError, match="teff.kernel"):
            teff.kernel("x(i) = 1;", names)
    with pytest.raises(TypeError, match="the text is C"):
        teff.kernel(3, "x")
    with pytest.raises(TypeError, match=r"4 arguments \(a, x, y, c\), got 2"):
        saxpy(x, x)
    with pytest.raises(TypeError, match="no array"):
        saxpy(1, 2, 3, 4)
    with pytest.raises(ValueError, match="argument 'n' is 9223372036854775808, expected"):
        teff.kernel("x(i) = n;", "x, n")(x, 2**63)
    with pytest.raises(ValueError, match="cells is 1180591620717411303424, expected"):
        saxpy(1.0, x, x, x, cells=2**70)
    with pytest.raises(TypeError, match="argument 'y' is a str"):
        saxpy(1.0, x, "y", x)
    with pytest.raises(TypeError, match="of block kernels"):
        saxpy(1.0, x, x, x, blocks=3)
    with pytest.raises(TypeError, match="of index kernels"):
        reverse(0, x, x, cells=3)
    with pytest.raises(TypeError, match="threads is a whole number"):
        saxpy(1.0, x, x, x, threads=1.5)
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match=f"seed is {seed}, expected 0 to"):
            saxpy(1.0, x, x, x, seed=seed)
    never_compiled = teff.kernel("#error", "x")
    with pytest.raises(ValueError, match=r"argument 'x' has 4 axes, \(1, 1, 1, 3\): .*reshape"):
        never_compiled(x.reshape(1, 1, 1, 3))


class Made:
    """Whose memory is made for who asks, and goes with what it gave."""

    def __init__(self, cells):
        self._cells = cells

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **asked):
        return np.full(self._cells, 7.0).__dlpack__()


def test_memory_is_held_while_a_kernel_runs():
    copy = teff.kernel("c(i) = x(i);", "x, c")
    for cells in (1000, 1000000):
        c = np.zeros(cells)
        copy(Made(cells), c)
        assert (c == 7).all()
    slow = teff.kernel("f64 s = 0; for (index_t n = 0; n < m; ++n) s += 1e-9 * n; x(i) = s;", "m, x")
    x = array("d", [0.0] * 64)
    slow(1, x)
    runs = threading.Thread(target=slow, args=(10**7, x))
    runs.start()
    time.sleep(0.1)
    assert runs.is_alive(), "it ended before it was looked at"
    with pytest.raises(BufferError):
        x.extend([1.0] * 1000)
    runs.join()
    assert min(x) > 0
    x.append(1.0)  # and is let go then


def test_numbers_of_numpy_and_copies_of_a_kernel():
    x, c = np.arange(3.0), np.zeros(3)
    choose = teff.kernel("c(i) = is_there ? x(i) : n;", "is_there, n, x, c")
    for there in (np.True_, np.False_, True):
        choose(there, np.int8(5), x, c)
        assert c.tolist() == (x.tolist() if there else [5, 5, 5])
    again = pickle.loads(pickle.dumps(choose))
    again(False, 4, x, c)
    assert c.tolist() == [4, 4, 4]
