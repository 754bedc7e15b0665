# SPDX-License-Identifier: MIT
"""CuPy, JAX, PyTorch and NumPy behind one face: what each does in a way of its own."""

import functools
import importlib
import os


class NumpyLike:
    """NumPy: fields are changed in place. CuPy differs in where they are."""

    def __init__(self, name):
        self.xp = importlib.import_module(name)
        self.version = self.xp.__version__
        self.device = "CPU"
        self.sync = lambda of: None
        if name == "cupy":
            properties = self.xp.cuda.runtime.getDeviceProperties(0)
            self.device = properties["name"].decode()
            self.sync = lambda of: self.xp.cuda.Device().synchronize()

    def type_of(self, name):
        return {"f64": self.xp.float64, "f32": self.xp.float32}[name]

    def from_numpy(self, a):
        return self.xp.asarray(a).copy()

    def to_numpy(self, a):
        return a.get() if hasattr(a, "get") else a

    def random(self, shape, dtype):
        if self.xp.__name__ == "cupy":
            return self.xp.random.rand(*shape, dtype=dtype)
        return self.xp.random.default_rng(1).random(shape, dtype=dtype)

    def compiled(self, step, evolve):
        return step

    def ready(self, step, shapes, dtype):
        """The step, all of it compiled for fields of these shapes; none of their memory is kept."""
        return step

    def copier(self, a):
        to = self.xp.empty_like(a)

        def copy():
            to[...] = a
            return to
        return copy

    def put(self, a, index, value):
        a[index] = value
        return a

    def add(self, a, index, value):
        a[index] += value
        return a

    def not_negative(self, a):
        return self.xp.maximum(a, 0)

    def roll(self, a, by, axis):
        return self.xp.roll(a, by, axis)

    def with_border_beside(self, a, inner):
        """The field `a` of these inner cells, its border cells those beside them."""
        a[1:-1, 1:-1, 1:-1] = inner
        a[0] = a[1]
        a[-1] = a[-2]
        a[:, 0] = a[:, 1]
        a[:, -1] = a[:, -2]
        a[:, :, 0] = a[:, :, 1]
        a[:, :, -1] = a[:, :, -2]
        return a


class Jax:
    """JAX: fields are values; a step gives new ones, in the memory of the old ones where it can."""

    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax
        jax.config.update("jax_enable_x64", True)
        self.jax, self.xp = jax, jax.numpy
        self.version = jax.__version__
        self.device = jax.devices()[0].device_kind
        self.sync = jax.block_until_ready

    def type_of(self, name):
        return {"f64": self.xp.float64, "f32": self.xp.float32}[name]

    def from_numpy(self, a):
        return self.xp.array(a)

    def to_numpy(self, a):
        return a.__array__()

    @functools.cache
    def filler(self, shape, dtype):
        fill = self.jax.jit(lambda key: self.jax.random.uniform(key, shape, dtype=dtype))
        return fill.lower(self.jax.random.key(1)).compile()

    def random(self, shape, dtype):
        return self.filler(shape, dtype)(self.jax.random.key(1))

    def compiled(self, step, evolve):
        return self.jax.jit(step, donate_argnums=tuple(range(evolve)))

    def ready(self, step, shapes, dtype):
        for shape in shapes:
            self.filler(shape, dtype)
        return step.lower(*(self.jax.ShapeDtypeStruct(s, dtype) for s in shapes)).compile()

    def copier(self, a):
        return lambda: self.xp.copy(a)

    def put(self, a, index, value):
        return a.at[index].set(value)

    def add(self, a, index, value):
        return a.at[index].set(a[index] + value)

    def not_negative(self, a):
        return self.xp.maximum(a, 0)

    def roll(self, a, by, axis):
        return self.xp.roll(a, by, axis)

    def with_border_beside(self, a, inner):
        return self.xp.pad(inner, 1, mode="edge")


class Torch(NumpyLike):
    """PyTorch: fields are changed in place, in functions that torch.compile sees as a whole."""

    def __init__(self):
        import torch
        self.xp = torch
        self.version = torch.__version__
        self.where = "cuda" if torch.cuda.is_available() else "cpu"
        self.device = torch.cuda.get_device_name(0) if self.where == "cuda" else "CPU"
        self.sync = lambda of: torch.cuda.synchronize() if self.where == "cuda" else None
        torch.set_grad_enabled(False)

    def from_numpy(self, a):
        return self.xp.from_numpy(a).clone().to(self.where)

    def to_numpy(self, a):
        return a.cpu().numpy()

    def random(self, shape, dtype):
        return self.xp.rand(shape, dtype=dtype, device=self.where)

    def compiled(self, step, evolve):
        return self.xp.compile(step, dynamic=False)

    def ready(self, step, shapes, dtype):
        step(*(self.xp.ones(s, dtype=dtype, device=self.where) for s in shapes))
        self.sync(None)
        self.xp.cuda.empty_cache()
        return step

    def copier(self, a):
        to = self.xp.empty_like(a)
        return lambda: to.copy_(a)

    def not_negative(self, a):
        return self.xp.clamp(a, min=0)


def library_named(name):
    return {"jax": Jax, "torch": Torch}[name]() if name in ("jax", "torch") else NumpyLike(name)
