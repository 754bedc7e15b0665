# SPDX-License-Identifier: MIT
"""Arrays of other libraries, without a copy: what they are, and handles of them.

They come by `__array_interface__` (NumPy), by DLPack (torch, CuPy, JAX ...), by
`__cuda_array_interface__`, or as buffers. Whoever is given `Cells` keeps them as long as the memory
is used: they hold the object, and the capsule that it made.
"""

import ctypes
import sys
from ctypes import c_int64, c_void_p, pythonapi

from . import library
from .library import BOOL, BYTES, F32, F64, I32, I64, NAMES, U8

TYPESTRS = {"<f8": F64, "<f4": F32, "<i8": I64, "<i4": I32, "|u1": U8, "|b1": BOOL}
DLPACK_TYPES = {(2, 64): F64, (2, 32): F32, (0, 64): I64, (0, 32): I32, (1, 8): U8, (6, 8): BOOL}
NUMPY_NAMES = ("float64", "float32", "int64", "int32", "uint8", "bool")
TYPES_TEXT = "f64, f32, i64, i32, u8 and bool"
DIMS = tuple(c_int64 * n for n in range(4))
CPU_DEVICES = (1, 3, 11)  # of DLPack: host memory, pinned by CUDA, by ROCm


class Cells:
    """Where the cells of an array are; shape and strides (in cells) in the order of C, x last."""

    __slots__ = ("pointer", "type", "shape", "strides", "is_read_only", "device", "stream",
                 "keeper", "source")

    def __init__(self, pointer, cell_type, shape, strides, is_read_only, device, keeper, source):
        self.pointer, self.type, self.shape = pointer, cell_type, shape
        self.is_read_only, self.device, self.keeper, self.source = \
            is_read_only, device, keeper, source
        self.stream = None  # a foreign one, on a GPU
        if strides is None:
            strides, step = [], 1
            for extent in reversed(shape):
                strides.append(step)
                step *= extent
            strides = tuple(reversed(strides))
        self.strides = strides

    def viewed(self, shape, strides=None):
        """The same memory on the same stream, in another shape; without strides side by side."""
        made = Cells(self.pointer, self.type, shape, strides, self.is_read_only, self.device,
                     self.keeper, self.source)
        made.stream = self.stream
        return made

    def text(self):
        """"2x3 f64", x first as in the messages of the library."""
        return "x".join(str(n) for n in reversed(self.shape)) + " " + NAMES[self.type]

    def handle(self, what="", order=None):
        """A handle of the array; its dims are the axes from the last one on, or as `order` says.

        Handles of the arrays of late are kept, for calls that take the same again: they say where
        cells are, and hold no memory.
        """
        key = (self.pointer, self.type, self.shape, self.strides, self.device, self.stream, what,
               order)
        made = _handles.get(key)
        if made is None:
            if len(_handles) >= MOST_HANDLES:
                _handles.clear()
            made = _handles[key] = self._new_handle(what, order)
        return made

    def check_axes(self, what):
        """Raises ValueError where there are more than Teff's arrays have."""
        if len(self.shape) > 3:
            raise ValueError(f"{what or 'an array'} has {len(self.shape)} axes, {self.shape}: Teff's "
                             "arrays have one to three; take them apart or reshape, as a.reshape(-1, n)")

    def _new_handle(self, what, order):
        self.check_axes(what)
        rank = len(self.shape)
        if order is None:
            order = range(rank - 1, -1, -1)
        dims = DIMS[rank]
        return Handle(self, dims(*(self.shape[a] for a in order)),
                      dims(*(self.strides[a] for a in order)), what)


MOST_HANDLES = 256
_handles = {}


class Handle:
    """A teff_array, freed with this object. It holds no memory: whoever has the array does."""

    __slots__ = ("value", "_as_parameter_")

    def __init__(self, cells, extents, strides, label):
        made = c_void_p()
        library.lib().teff_array_wrap(
            library.stream(cells.device, cells.stream), cells.pointer, cells.type,
            len(extents), extents, strides, label.encode() if label else None, None, None,
            ctypes.byref(made))
        self.value = self._as_parameter_ = made

    def __del__(self):
        made = getattr(self, "value", None)
        if made is not None and library is not None and library._lib is not None:
            library._lib.teff_array_free(made)


# ---- what an array is

def framework_of(x):
    """"numpy", "torch", "cupy", "jax", "teff", or the name of another package."""
    kind = type(x)
    name = _frameworks.get(kind)
    if name is None:
        root = next((package for package, base in (("numpy", "ndarray"), ("torch", "Tensor"))
                     if issubclass(kind, getattr(sys.modules.get(package), base, ()))),  # a user's
                    kind.__module__.partition(".")[0])
        name = _frameworks[kind] = "jax" if root == "jaxlib" else root
    return name


_frameworks = {}


def cells_of(x, what="the array"):
    """What is known of an array of any library.

    Raises TypeError for what is no array, or has cells that Teff does not know.
    """
    if framework_of(x) == "torch" and hasattr(x, "data_ptr"):
        return _of_torch(x, what)
    if framework_of(x) == "cupy" and hasattr(x, "data"):
        return _of_cupy(x, what)
    if hasattr(x, "_teff_cells"):
        return x._teff_cells()
    given = getattr(x, "__array_interface__", None)
    if type(given) is dict:
        return _of_array_interface(x, given, what)
    if hasattr(x, "__dlpack__"):
        return _of_dlpack(x, what)
    given = getattr(x, "__cuda_array_interface__", None)
    if type(given) is dict:
        cells = _of_interface(x, given, what, "cuda:0")
        _take_stream(cells, given.get("stream"))
        return cells
    if isinstance(x, (bytearray, memoryview, bytes)) or type(x).__module__ == "array":
        return _of_buffer(x, what)
    if framework_of(x) == "teff":
        raise TypeError(f"{what} is {x!r}, which has no cells before the run: algorithms are for arrays, "
                        "outside of the function; in it there are teff.residual(teff.max_abs(T)), teff.maximum(a, b)")
    if hasattr(x, "__array__"):
        raise TypeError(f"{what} is a {type(x).__name__}, which only makes copies as an array: "
                        "give its array itself, as x.values or x.to_numpy()")
    raise TypeError(f"{what} is {_named(x)}, expected an array of NumPy, torch, CuPy or JAX, or of "
                    "Teff: make one, as np.asarray(x, dtype=float)")


def _named(x):
    return f"a {type(x).__name__}" if not isinstance(x, type) else f"the class {x.__name__}"


def _of_array_interface(x, given, what):
    if framework_of(x) == "numpy" and hasattr(x, "mask"):
        raise TypeError(f"{what} is a masked array, whose mask Teff would not see: give "
                        "x.filled(value), or x.data if no cell is masked")
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.generic):  # whose cell lies in an array of the moment
        array = numpy.asarray(x)
        cells = _of_interface(array, array.__array_interface__, what, "cpu")
        cells.is_read_only, cells.source = True, x
        return cells
    return _of_interface(x, given, what, "cpu")


def _of_interface(x, given, what, device):
    if not isinstance(given.get("typestr"), str) or not isinstance(given.get("shape"), tuple) or \
            given.get("mask") is not None:
        raise TypeError(f"{what} is a {type(x).__name__} whose interface has no typestr, no shape, or a "
                        "mask, which Teff would not see: give np.asarray(x)")
    typestr = given["typestr"]
    cell_type = TYPESTRS.get(typestr)
    if cell_type is None:
        raise TypeError(f"{what} has cells of {_type_name(x, typestr)}; Teff knows {TYPES_TEXT}"
                        + _type_advice(typestr))
    data = given.get("data")
    if type(data) is not tuple or len(data) != 2 or type(data[0]) is not int:
        raise TypeError(f"{what} is a {type(x).__name__}, which does not say where its cells are: give "
                        "np.asarray(x)")
    pointer, is_read_only = data
    strides = given.get("strides")
    if strides is not None:
        if len(strides) != len(given["shape"]):
            raise TypeError(f"{what} has {len(given['shape'])} axes and {len(strides)} strides")
        size = BYTES[cell_type]
        if any(s % size for s in strides):
            raise TypeError(f"{what} lies {strides} bytes apart, no whole cells of {size} bytes (a "
                            "field of a structured array?): copy it, by np.ascontiguousarray(x)")
        strides = tuple(s // size for s in strides)
    cells = Cells(pointer, cell_type, given["shape"], strides, is_read_only, device, x, x)
    is_numpys = type(x).__module__ == "numpy" and not pointer % BYTES[cell_type]
    return cells if is_numpys else _checked(cells, what)


def _checked(cells, what):
    """The same, if cells can lie so: C would cut off what is beyond 64 bits without a word."""
    size, last = BYTES[cells.type], cells.pointer
    if cells.pointer % size:
        raise TypeError(f"{what} begins at an address that is no multiple of its cells' "
                        f"{size} bytes: copy it, by np.array(x)")
    if min(cells.shape, default=1) < 0 or max(cells.shape, default=0) >= 2**63:
        raise ValueError(f"{what} has shape {cells.shape}: extents are 0 to {2**63 - 1}")
    if 0 in cells.shape:
        return cells
    steps = [(n - 1) * s * size for n, s in zip(cells.shape, cells.strides)]
    first = last + sum(s for s in steps if s < 0)
    last += sum(s for s in steps if s > 0)
    if first <= 0 or last >= 2**63 or any(abs(s) >= 2**63 for s in cells.strides):
        raise ValueError(f"{what} has cells at the addresses {first} to {last}, where no memory is: its "
                         f"shape is {cells.shape}, its strides are {cells.strides} cells")
    return cells


def _type_name(x, typestr):
    return str(getattr(x, "dtype", typestr))


def _type_advice(typestr):
    if typestr[:1] == ">":
        return "; these are big-endian: x.astype(x.dtype.newbyteorder('='))"
    if typestr[1:2] == "f":
        return ": x.astype('f4') or x.astype('f8')"
    if typestr[1:2] in "iu":
        return ": x.astype('i4') or x.astype('i8')"
    if typestr[1:2] == "c":
        return ": take x.real and x.imag as arrays of their own (copied)"
    return ""


def _of_buffer(x, what):
    view = memoryview(x)
    typestr = {"d": "<f8", "f": "<f4", "l": "<i8", "q": "<i8", "i": "<i4", "B": "|u1",
               "?": "|b1"}.get(view.format, view.format)
    cell_type = TYPESTRS.get(typestr)
    if cell_type is None or sys.byteorder != "little":
        raise TypeError(f"{what} is a buffer of format {view.format!r}; Teff knows {TYPES_TEXT}")
    if not view.c_contiguous:
        raise TypeError(f"{what} is a buffer whose cells are not side by side: copy it")
    buffer = _Buffer()
    if pythonapi.PyObject_GetBuffer(ctypes.py_object(x), ctypes.byref(buffer), 0):
        raise TypeError(f"{what} gives no buffer")
    pointer = buffer.buf
    pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return Cells(pointer or 0, cell_type, tuple(view.shape), None, view.readonly, "cpu", view, x)


class _Buffer(ctypes.Structure):
    _fields_ = [("buf", c_void_p), ("obj", c_void_p), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int),
                ("ndim", ctypes.c_int), ("format", ctypes.c_char_p), ("shape", c_void_p),
                ("strides", c_void_p), ("suboffsets", c_void_p), ("internal", c_void_p)]


_torch_types, _torch_devices = {}, {}


def _of_torch(x, what):
    """A tensor of torch, by its own methods: a third of the time that DLPack takes."""
    torch = sys.modules["torch"]
    if not _torch_types:
        _torch_types.update({getattr(torch, name): i for i, name in enumerate(NUMPY_NAMES)})
    cell_type = _torch_types.get(x.dtype)
    if cell_type is None:
        raise TypeError(f"{what} has cells of {x.dtype}; Teff knows {TYPES_TEXT}: convert it, as "
                        "x.to(torch.float32)")
    if x.layout is not torch.strided or x.is_neg():
        raise TypeError(f"{what} is a tensor of layout {x.layout}, or one whose sign is not stored: "
                        "give x.to_dense(), or x.resolve_neg()")
    if x.requires_grad:
        raise TypeError(f"{what} requires its gradient, which Teff would not record: give x.detach()")
    where = x.device
    known = _torch_devices.get(where)
    if known is None:
        known = _torch_devices[where] = "cpu" if where.type == "cpu" else str(where), where.index
    device, gpu = known
    cells = Cells(x.data_ptr(), cell_type, tuple(x.shape), x.stride(), False, device, x, x)
    if device != "cpu":
        _take_stream(cells, stream_of_torch(gpu))
    return cells


def _of_cupy(x, what):
    """An array of CuPy, by its own words: its DLPack has no negative strides."""
    given = {"typestr": x.dtype.str, "shape": x.shape, "strides": x.strides,
             "data": (x.data.ptr, False)}
    cells = _of_interface(x, given, what, f"cuda:{x.data.device_id}")
    _take_stream(cells, current_stream(x))
    return cells


# ---- DLPack

class _Tensor(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("device", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(c_int64)),
                ("strides", ctypes.POINTER(c_int64)), ("byte_offset", ctypes.c_uint64)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", c_void_p),
                ("deleter", c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


pythonapi.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
pythonapi.PyCapsule_IsValid.restype = ctypes.c_int
pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
pythonapi.PyCapsule_GetPointer.restype = c_void_p
pythonapi.PyCapsule_New.argtypes = [c_void_p, ctypes.c_char_p, c_void_p]
pythonapi.PyCapsule_New.restype = ctypes.py_object
LEGACY, VERSIONED = b"dltensor", b"dltensor_versioned"  # kept: capsules point to them


def _of_dlpack(x, what):
    """The capsule is only looked at, and kept: unused it frees itself, by its own destructor."""
    kind, number = x.__dlpack_device__()
    kind = int(kind)
    if kind not in CPU_DEVICES and kind not in (2, 13):
        raise TypeError(f"{what} is on a device of kind {kind}; Teff runs on CPUs and NVIDIA GPUs")
    is_jax = framework_of(x) == "jax"
    stream = None if kind in CPU_DEVICES else current_stream(x)
    if is_jax and kind not in CPU_DEVICES:
        x.block_until_ready()  # JAX has streams of its own, which nobody is told
    try:
        capsule = x.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:  # a producer from before version 1
        capsule = x.__dlpack__() if stream is None else x.__dlpack__(stream=stream)
    is_read_only = is_jax  # immutable, whatever its capsule says
    if pythonapi.PyCapsule_IsValid(capsule, VERSIONED):
        managed = _Versioned.from_address(pythonapi.PyCapsule_GetPointer(capsule, VERSIONED))
        if managed.major != 1:
            raise TypeError(f"{what} comes by DLPack {managed.major}.{managed.minor}; Teff knows "
                            "version 1: update Teff, or give np.asarray(x)")
        is_read_only |= bool(managed.flags & 1)
        tensor = managed.tensor
    elif pythonapi.PyCapsule_IsValid(capsule, LEGACY):
        tensor = _Tensor.from_address(pythonapi.PyCapsule_GetPointer(capsule, LEGACY))
    else:
        raise TypeError(f"{what}: its __dlpack__ gave {capsule!r}, no capsule of DLPack")
    cell_type = DLPACK_TYPES.get((tensor.code, tensor.bits))
    if cell_type is None or tensor.lanes != 1:
        raise TypeError(f"{what} has cells of {getattr(x, 'dtype', 'another type')}; Teff knows "
                        f"{TYPES_TEXT}: convert it to one of them")
    if not 0 <= tensor.ndim <= 64:
        raise TypeError(f"{what} comes by DLPack with {tensor.ndim} axes: give np.asarray(x)")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
    device = "cpu" if kind in CPU_DEVICES else f"cuda:{number}"
    cells = _checked(Cells((tensor.data or 0) + tensor.byte_offset, cell_type, shape, strides,
                           is_read_only, device, capsule, x), what)
    if device != "cpu":
        _take_stream(cells, stream)
    return cells


def current_stream(x):
    """The number of the framework's current stream, for an array on a GPU; else None."""
    name = framework_of(x)
    if name == "torch":
        return stream_of_torch(x.device.index)
    if name == "cupy":
        return sys.modules["cupy"].cuda.get_current_stream(x.device.id).ptr or 1
    return None


def stream_of_torch(gpu):
    """Of this thread; asked for as compilers for torch do where it can be, in a tenth of the time."""
    torch = sys.modules["torch"]
    asked = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return (asked(gpu) if asked else torch.cuda.current_stream(gpu).cuda_stream) or 1


def _take_stream(cells, stream):
    """Work goes to this stream: 1 is CUDA's legacy default one, 2 that of the thread."""
    if stream is not None:
        cells.stream = 0 if stream == 1 else stream
