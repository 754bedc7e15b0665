# SPDX-License-Identifier: MIT
"""Arrays in memory of Teff's own, for results of what comes from no framework."""

import ctypes
import html
from ctypes import c_void_p, pythonapi

from . import interop, library
from .library import NAMES

TYPESTRS = {number: text for text, number in interop.TYPESTRS.items()}
SHOWN_CELLS = 64  # of an array that is shown with its values


class Array:
    """An array that Teff owns. NumPy, torch, CuPy and JAX take it without a copy, by DLPack."""

    __slots__ = ("_handle", "_pointer", "_shape", "_type", "_device", "__weakref__")

    def __init__(self, handle, shape, cell_type, device):
        self._handle, self._shape, self._type, self._device = handle, shape, cell_type, device
        self._pointer = library.lib().teff_array_data(handle) or 0

    @classmethod
    def empty(cls, shape, cell_type, device="cpu"):
        made = c_void_p()
        shape = tuple(library.whole(n, "an extent of an array") for n in shape)
        if len(shape) > 3:
            raise ValueError(f"an array of {len(shape)} axes: Teff's arrays have one to three")
        extents = interop.DIMS[len(shape)](*reversed(shape))
        library.lib().teff_array_new(library.stream(device), cell_type, len(shape), extents, None,
                                     ctypes.byref(made))
        return cls(made, shape, cell_type, device)

    def __del__(self):
        made = getattr(self, "_handle", None)
        if made is not None and library is not None and library._lib is not None:
            library._lib.teff_array_free(made)

    def __copy__(self):
        from .algorithms import copy
        return copy(self)

    def __deepcopy__(self, _memo):
        return self.__copy__()

    def __reduce_ex__(self, _protocol):
        raise TypeError("an array of Teff is not pickled: give np.asarray(x)")

    @property
    def shape(self):
        """Extents, x last."""
        return self._shape

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def dtype(self):
        """"f64", "f32", "i64", "i32", "u8" or "bool"."""
        return NAMES[self._type]

    @property
    def size(self):
        total = 1
        for extent in self.shape:
            total *= extent
        return total

    def __len__(self):
        if not self.shape:
            raise TypeError("an array of no axes has no length")
        return self.shape[0]

    # ---- for others

    def _teff_cells(self):
        return interop.Cells(self._pointer, self._type, self._shape, None, False, self._device, self,
                             self)

    def _look(self):
        return self._pointer, self._shape, self._type, self._device

    @property
    def __array_interface__(self):
        if self._device != "cpu":
            raise AttributeError(f"the array is on {self._device}; it goes by DLPack")
        return {"version": 3, "shape": self.shape, "typestr": TYPESTRS[self._type],
                "data": (self._pointer, False), "strides": None}

    @property
    def __cuda_array_interface__(self):
        if self._device == "cpu":
            raise AttributeError("the array is on the CPU")
        return {"version": 3, "shape": self.shape, "typestr": TYPESTRS[self._type],
                "data": (self._pointer, False), "strides": None, "stream": None}

    def __array__(self, dtype=None, copy=None):
        import numpy as np
        if copy is False and dtype is not None and np.dtype(dtype) != np.dtype(TYPESTRS[self._type]):
            raise ValueError("another type of cells takes a copy")
        holder = np.asarray(_Holder(self))
        return np.array(holder, dtype=dtype) if copy or dtype is not None else holder

    def __dlpack_device__(self):
        return (1, 0) if self._device == "cpu" else (2, int(self._device.partition(":")[2] or 0))

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy:
            raise BufferError("Teff's arrays are handed on without a copy; copy what comes of it")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the array is on {self._device}, and is handed on only there")
        is_versioned = max_version is not None and max_version[0] >= 1
        made = c_void_p()
        loaded = library.lib()
        loaded.teff_array_dlpack(self._handle, int(is_versioned), 0, ctypes.byref(made))
        name = interop.VERSIONED if is_versioned else interop.LEGACY
        return pythonapi.PyCapsule_New(
            made, name, ctypes.cast(loaded.teff_dlpack_capsule_destructor, c_void_p))

    # ---- for people

    def item(self):
        """The number of an array of one cell."""
        if self.size != 1:
            raise ValueError(f"item() is of one cell; this array has {self.size}")
        return self._values()[0]

    def _values(self):
        if self._device != "cpu":
            here = Array.empty(self.shape, self._type)
            library.lib().teff_copy(here._handle, self._handle)
            library.lib().teff_stream_synchronize(library.stream(self._device))
            return list(here._values())
        kinds = (ctypes.c_double, ctypes.c_float, ctypes.c_int64, ctypes.c_int32, ctypes.c_uint8,
                 ctypes.c_bool)
        return (kinds[self._type] * self.size).from_address(self._pointer)

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def tolist(self):
        """All cells, as nested lists."""
        cells = list(self._values()) if self.size else []
        for extent in reversed(self.shape[1:]):
            cells = [cells[i:i + extent] for i in range(0, len(cells), extent)] if extent else []
        return cells if self.shape else cells[0]

    def __repr__(self):
        extents = "x".join(map(str, self.shape)) or "one cell"
        text = f"teff.Array {extents} {NAMES[self._type]} on {self._device}"
        if self._device != "cpu" or not 0 < self.size <= SHOWN_CELLS:
            return f"<{text}>"
        return f"<{text}: {self.tolist()}>"

    def _repr_html_(self):
        """A small array as a table; of others what the text says, and of two axes a picture."""
        if len(self.shape) == 2 and self.size > SHOWN_CELLS and self._device == "cpu":
            from .notebook import part_html
            from .picture import Picture, _frame
            return f"{html.escape(repr(self))}{part_html(Picture([_frame(self, None, None)]))}"
        if len(self.shape) not in (1, 2) or self._device != "cpu" or not 0 < self.size:
            return html.escape(repr(self))
        if self.size > SHOWN_CELLS:
            return html.escape(repr(self))
        from .notebook import table_html
        cells = self.tolist()
        rows = cells if len(self.shape) == 2 else [cells]
        return table_html([[f"{v:.6g}" for v in row] for row in rows])


class _Holder:
    """Keeps the array as long as NumPy's view of it lives."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__
