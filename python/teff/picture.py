# SPDX-License-Identifier: MIT
"""Pictures of arrays in a notebook, a terminal or a file: PNG, by zlib alone."""

import ctypes
import os
import shutil
import struct
import sys
import zlib
from ctypes import byref, c_int64, c_uint8, c_void_p

from . import interop, library
from .library import HeatMapOptions
from .progress import in_notebook

PIXELS = (400, 800)  # small arrays are magnified to the first, large ones reduced to the second


class _Frame:
    """Rows of numbers of colours, from the top."""

    def __init__(self, width, height, colours, pixels, clim):
        self.width, self.height, self.colours, self.pixels = width, height, colours, pixels
        self.clim = clim


def _frame(x, colours, clim, size=PIXELS):
    cells = interop.cells_of(x, "the picture's array")
    if len(cells.shape) != 2:
        raise ValueError(f"teff.show(A): a picture has two axes, this array {len(cells.shape)} "
                         f"({'x'.join(map(str, cells.shape)) or 'one cell'}): give a part, as A[0]")
    if 0 in cells.shape:
        raise ValueError("teff.show(A): the array has no cells")
    if cells.device != "cpu":
        raise ValueError(f"teff.show(A): the array is on {cells.device}: bring it to the CPU, as "
                         "A.get() of CuPy or A.cpu() of torch")
    array = cells.handle("the picture's array")
    options = HeatMapOptions(colours.encode() if colours else None, *(clim or (0.0, 0.0)), *size)
    width, height, pixels = c_int64(), c_int64(), c_void_p()
    palette = (c_uint8 * 768)()
    library.lib().teff_heat_map(array, byref(options), byref(width), byref(height), palette,
                                byref(pixels))
    try:
        rows = ctypes.string_at(pixels, width.value * height.value)
    finally:
        library.lib().teff_text_free(pixels)
    return _Frame(width.value, height.value, bytes(palette), rows, (options.lower, options.upper))


def _limits(clim):
    if clim is None:
        return None
    try:
        low, high = (float(c) for c in clim)
    except (TypeError, ValueError):
        raise TypeError(f"teff.show(A, clim=(low, high)): a pair of numbers, got {clim!r}") from None
    if not low < high:
        raise ValueError(f"teff.show(A, clim=(low, high)): low is below high, got {clim!r}")
    return low, high


# ---- PNG

def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _deflated(frame):
    width = frame.width
    return zlib.compress(b"".join(b"\0" + frame.pixels[at:at + width]
                                  for at in range(0, len(frame.pixels), width)), 6)


def _png(frames, seconds):
    """One picture, or several as an animated PNG, which begins again at its end."""
    first = frames[0]
    out = [b"\x89PNG\r\n\x1a\n",
           _chunk(b"IHDR", struct.pack(">IIBBBBB", first.width, first.height, 8, 3, 0, 0, 0))]
    if len(frames) > 1:
        out.append(_chunk(b"acTL", struct.pack(">II", len(frames), 0)))
    out.append(_chunk(b"PLTE", first.colours))
    number = 0
    for frame in frames:
        if len(frames) > 1:
            out.append(_chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, first.width, first.height,
                                                   0, 0, int(1000 * seconds), 1000, 0, 0)))
            number += 1
        if frame is first:
            out.append(_chunk(b"IDAT", _deflated(frame)))
        else:
            out.append(_chunk(b"fdAT", struct.pack(">I", number) + _deflated(frame)))
            number += 1
    return b"".join([*out, _chunk(b"IEND", b"")])


class Picture:
    """A picture, or an animation; `save(path)` writes a .png file, `clim` are the values of the first
    and the last colour."""

    def __init__(self, frames, seconds=0.05):
        self._frames, self._seconds = frames, seconds
        self._shown_in = None

    @property
    def clim(self):
        return self._frames[0].clim

    def save(self, path):
        """Writes the file; an animation plays in browsers, elsewhere it is its first picture."""
        if not os.fspath(path).endswith(".png"):
            raise ValueError(f"a picture is written to a .png file, got {os.fspath(path)!r}")
        with open(path, "wb") as file:
            file.write(self.png())

    def png(self):
        """The bytes of a PNG file."""
        return _png(self._frames, self._seconds)

    def _repr_png_(self):
        # As the result of the cell in which show() has shown it, it is not shown again.
        return None if self._shown_in == _cell() else self.png()

    def show(self):
        """Shows it in a notebook at once."""
        if in_notebook():
            from IPython.display import display
            display(self)
            self._shown_in = _cell()
        return self

    def __repr__(self):
        first = self._frames[0]
        kind = f"animation of {len(self._frames)} frames" if len(self._frames) > 1 else "picture"
        return (f"<{kind}, {first.width}x{first.height} pixels, from {first.clim[0]:.6g} to "
                f"{first.clim[1]:.6g}>")


def _cell():
    """The number of the notebook's cell that runs; 0 elsewhere."""
    return sys.modules["IPython"].get_ipython().execution_count if in_notebook() else 0


def _terminal_text(frame):
    """Half blocks in 24-bit colours: two rows of pixels in a line."""
    def colour(at):
        return ";".join(str(c) for c in frame.colours[3 * at:3 * at + 3])
    lines = []
    for y in range(0, frame.height - 1, 2):
        line = []
        for x in range(frame.width):
            at = y * frame.width + x
            line.append(f"\033[38;2;{colour(frame.pixels[at])}m"
                        f"\033[48;2;{colour(frame.pixels[at + frame.width])}m\u2580")
        lines.append("".join(line) + "\033[0m")
    return "\n".join(lines)


def show(A, map=None, clim=None, seconds=0.05):
    """Shows an array of two axes as a picture: x to the right, y up, no numbers in magenta.

    A: an array of any library, of any type; a list of several is an animation, each frame of which
    stays for so many `seconds`. map: "violet_teal_yellow", "blue_white_orange" or "davos"; left out,
    the second for limits as far from 0 to either side, else the first. clim: the values of the first
    and the last colour, which make pictures comparable; left out, those of the (first) array.

    A notebook shows it at once, a terminal that has colours in its lines. Gives the Picture, which
    can be saved.
    """
    clim = _limits(clim)
    arrays = A if isinstance(A, (list, tuple)) else [A]
    if not arrays or any(isinstance(a, (int, float, list)) for a in arrays):
        raise TypeError("teff.show(A) takes an array of two axes, or a list of such arrays; of lists "
                        "of numbers make one, as np.array(x)")
    frames = []
    for array in arrays:
        frames.append(_frame(array, map, clim or (frames and frames[0].clim) or None))
        if (frames[-1].width, frames[-1].height) != (frames[0].width, frames[0].height):
            raise ValueError("teff.show([A, B, ...]): the arrays of an animation have one shape")
    picture = Picture(frames, seconds).show()
    if not in_notebook() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        columns, lines = shutil.get_terminal_size()
        most = max(8, min(columns - 1, 2 * lines - 4))
        print(_terminal_text(_frame(arrays[-1], map, frames[0].clim, (1, most))))
    return picture


class Animation:
    """Frames of an array as a run goes on: `film = teff.animation(T, clim=(0, 10))`, then
    `teff.iterate(step, 1000, T, on_step=(20, film))`, then `film.show()`."""

    def __init__(self, A, map=None, clim=None, seconds=0.05):
        self._array, self._map, self._seconds = A, map, seconds
        self._frames = [_frame(A, map, _limits(clim))]

    def __call__(self, _done=None):
        """Adds a frame of what the array holds now."""
        self._frames.append(_frame(self._array, self._map, self._frames[0].clim))

    def __len__(self):
        return len(self._frames)

    def show(self):
        """The animation, as teff.show gives it."""
        return Picture(list(self._frames), self._seconds).show()

    def __repr__(self):
        return f"<teff.animation of {len(self)} frames>"


def animation(A, map=None, clim=None, seconds=0.05):
    """Makes an animation of an array that a run advances; its limits stay those of the first frame.

    The result is a function for on_step: `teff.iterate(step, 1000, T, on_step=(20, film))`;
    `film.show()` gives the Picture, an animated PNG.
    """
    return Animation(A, map, clim, seconds)
