# SPDX-License-Identifier: MIT
"""What the tests on a GPU share: the frameworks that are there, arrays of each, and streams whose work
is late, so that whoever does not wait sees old cells.

By a Python that has the frameworks, on a machine with a GPU, nvcc and g++:
TEFF_TEST_PACKAGE=PREFIX TEFF_TEST_CACHE=FOLDER python3 -m pytest test/python/gpu
"""

import os
from concurrent.futures import ThreadPoolExecutor

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX leaves memory to the others

import numpy as np
import pytest

import teff
from teff import build, compilers, emit, interop, library, tracer
from teff.array import Array

if "cuda:0" not in teff.info():
    pytest.skip("no GPU here, or a Teff without CUDA", allow_module_level=True)

LATE_CYCLES = 1_000_000_000  # some 0.5 s: the host enqueues far sooner
LATE = r"""
extern "C" __global__ void late(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {}
}
"""


class Torch:
    name = "torch"

    def __init__(self):
        self.module = pytest.importorskip("torch")

    def array(self, host):
        return self.module.from_numpy(np.ascontiguousarray(host)).cuda()

    def turned(self, x):
        """With the axes in reverse, without a copy."""
        return x.permute(*range(x.ndim)[::-1])

    def stream(self):
        return self.module.cuda.Stream()

    def on(self, stream):
        return self.module.cuda.stream(stream)

    def late(self):
        self.module.cuda._sleep(LATE_CYCLES)

    def is_done(self, stream):
        return stream.query()

    def is_own(self, x):
        return isinstance(x, self.module.Tensor) and x.is_cuda

    def host(self, x):
        return x.cpu().numpy()


class Cupy:
    name = "cupy"

    def __init__(self):
        self.module = pytest.importorskip("cupy")
        self.kernel = self.module.RawKernel(LATE, "late")

    def array(self, host):
        return self.module.asarray(host)

    def turned(self, x):
        return x.T

    def stream(self):
        return self.module.cuda.Stream(non_blocking=True)

    def on(self, stream):
        return stream

    def late(self):
        self.kernel((1,), (1,), (np.int64(LATE_CYCLES),))

    def is_done(self, stream):
        return stream.done

    def is_own(self, x):
        return isinstance(x, self.module.ndarray)

    def host(self, x):
        return self.module.asnumpy(x)


class Own:
    """Teff's own arrays, on its default stream."""

    name = "teff"

    def array(self, host):
        cells = interop.cells_of(np.ascontiguousarray(host))
        made = Array.empty(cells.shape, cells.type, "cuda:0")
        library.lib().teff_copy(made._handle, cells.handle())
        return made

    def host(self, x):
        return np.array(x.tolist(), x.__cuda_array_interface__["typestr"])


_made = {}


@pytest.fixture(params=[Torch, Cupy], ids=["torch", "cupy"])
def framework(request):
    """Each framework whose arrays are written, in turn."""
    if request.param not in _made:
        _made[request.param] = request.param()
    return _made[request.param]


def torch():
    return _made.setdefault(Torch, Torch())


def compile_all(runs):
    """Compiles the steps over such fields at once, as many as there are cores: (step, fields) each.

    In the tests themselves they are then found in the cache.
    """
    jobs = []
    for step, fields in runs:
        traced = emit.traced(step._function, tracer.fields_of(fields, step._name))
        jobs.append((traced, compilers.architecture_of(traced.device)))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: build._load(*job), jobs))


def compile_kernels(calls):
    """The same of kernels, on a GPU and on the CPU: (kernel, values, launch) each."""
    jobs = {}
    for kernel, values, launch in calls:
        arrays, kinds = kernel._sorted(values)
        cells = launch.get("cells", arrays[-1].shape)
        written = kernel._written(kinds, len(cells) if isinstance(cells, tuple) else 1, arrays)
        jobs[written.text, written.device] = written
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: build._load(job, compilers.architecture_of(job.device)),
                      jobs.values()))


def same_bits(a, b):
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()
