# SPDX-License-Identifier: MIT
"""Kernels as text: C++ that is called once for each cell, or for each thread of blocks.

The text is compiled as formulas are. On a CPU an index kernel is a parallel loop; a block kernel
runs in Teff's emulator, which finds what a GPU would leave undefined.
"""

import ctypes
import functools
import keyword
import linecache
import os
import re
import sys
from ctypes import c_void_p

from . import build, interop, kernel_text, library, looks
from .errors import STOPPED, CompileError, Error, KernelError
from .kernel_call import Call, integer_of
from .kernel_launch import Options
from .library import BOOL, F32, F64, NAMES

INDICES = ("i", "j", "k")
THREADS = ((256, 1, 1), (32, 8, 1), (32, 8, 1))  # of a block, by the number of dims
MOST_CALLS = 4  # that a kernel keeps: as of T and T2 in turns
SHARED_BYTES = 48 * 1024  # what every GPU gives a block
# Warnings that are errors, by whether a kernel is of blocks: of what a thread's variables may take,
# of the emulator's stacks of 128 KB or as on a GPU; of print, which would end the program by "%s" of a
# number.
REFUSED = {is_of_blocks: (f"-Werror=frame-larger-than={kb * 1024}", "-Werror=vla", "-Wformat",
                          "-Werror=format") for is_of_blocks, kb in ((True, 96), (False, 512))}
# The same of nvcc; and a * b + c is not rounded once, so that a kernel has the CPU's bits (fma() is there).
NVCC_FLAGS = ("-fmad=false", "-diag-error=181")


class _Written:
    """A kernel's text for arguments of these types, as build.py takes it."""

    file = "kernel_text"

    def __init__(self, text, name, places, device, flags):
        self.text, self.name, self.places, self.device = text, name, places, device
        self.flags = flags


class Kernel:
    """C++ text over named arguments; see teff.kernel."""

    def __init__(self, text, arguments, check, place):
        self._text, self._names, self._check = text, arguments, check
        self._lines = text.split("\n")
        self._file, self._first_line = place
        bare = re.sub(r'"(\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', "", text, flags=re.S)
        self._is_of_blocks = re.search(r"\bblk\b", bare) is not None
        self._shares = re.search(r"\bshared\s*<", bare) is not None
        self._prints = re.search(r"\b(print|TEFF_PRINT|printf)\b", bare) is not None
        self._functions, self._calls = {}, []

    def __call__(self, *values, cells=None, threads=None, blocks=None, shared_bytes=None, seed=1,
                 all_resident=False):
        """Runs the kernel on values of its arguments; gives a Launch.

        cells: the extents over which an index kernel runs, as a shape (x last); those of the last
        array if left out. blocks, threads: along x, y, z; without them one thread for each cell of
        the last array. shared_bytes: 48 KB where the text shares memory. seed: of the order in which
        the emulator runs threads.

        Raises KernelError for what goes wrong within it, CompileError, TypeError. On a CPU Ctrl-C
        ends its loops, if they are checked; what the arrays hold is undefined then.
        """
        launch = (tuple(map(type, values)), None if cells is None else _extents(cells, "cells"),
                  None if threads is None else _three(threads, "threads"),
                  None if blocks is None else _three(blocks, "blocks"),
                  None if shared_bytes is None else library.whole(shared_bytes, "shared_bytes"),
                  bool(all_resident))
        seed = library.whole(seed, "teff.kernel: seed", 64, False)
        seen = looks.looks_at([v for v, kind in zip(values, launch[0]) if _number_of(kind) is None])
        call = self._call_of_late(seen, launch) or self._new_call(values, *launch)
        caller = sys._getframe(1)
        call.options.file = _short(caller.f_code.co_filename)
        call.options.line, call.options.seed = caller.f_lineno, seed
        if self._prints and sys.stdout:
            sys.stdout.flush()
        try:
            status = call.run(values, self._prints)
            if status == STOPPED:
                self._raise_stopped()
            if status:
                library.raise_status(status)
        except KeyboardInterrupt:  # by Python's own handler, as soon as C has returned
            self._raise_stopped()
        except Error as error:
            self._raise(error)
        told = call.told(self._is_of_blocks)
        if seen is not None:
            call.seen, call.launch, call.arrays = seen, launch, None
            self._calls.insert(0, call)
            del self._calls[MOST_CALLS:]
        return told

    def _call_of_late(self, seen, launch):
        """The one that was over the same, which is this thread's until it is back."""
        for call in self._calls if seen is not None else ():
            if call.launch == launch and call.seen == seen:
                try:
                    self._calls.remove(call)
                    return call
                except ValueError:  # it is another thread's
                    pass
        return None

    def _new_call(self, values, _types, cells, threads, blocks, shared_bytes, all_resident):
        arrays, kinds = self._sorted(values)
        for value, name, kind in zip(values, self._names, kinds):
            if kind in ("integer", "bool"):
                integer_of(value, name, kind)  # is refused before anything is compiled
        shape = cells if cells is not None else arrays[-1].shape[::-1]
        rank = max(1, len(shape))
        shape = tuple(shape) + (1,) * (3 - len(shape))
        if self._is_of_blocks and cells is not None:
            raise TypeError("teff.kernel: cells=... is of index kernels; this text uses blk, so its "
                            "launch is blocks=... and threads=...")
        if not self._is_of_blocks and (blocks is not None or shared_bytes is not None):
            raise TypeError("teff.kernel: blocks and shared_bytes are of block kernels, whose text "
                            "uses blk; an index kernel's launch is cells=... and threads=...")
        options = Options()
        options.cells[:] = shape
        options.all_resident = all_resident
        if threads is not None:
            options.threads[:] = threads
        if self._is_of_blocks:
            if threads is None:
                options.threads[:] = THREADS[rank - 1]
            options.blocks[:] = blocks if blocks is not None else [
                -(-n // max(1, t)) for n, t in zip(shape, options.threads)]
            options.shared_bytes = (SHARED_BYTES if self._shares else 0) if shared_bytes is None \
                else shared_bytes
        kinds_of = list(zip(range(len(kinds)), self._names, kinds))
        return Call(self._function(kinds, rank, arrays), arrays,
                    [name for _, name, kind in kinds_of if type(kind) is tuple],
                    [of for of in kinds_of if type(of[2]) is not tuple], options)

    def source(self, *values):
        """The whole C++ text for arguments of such types."""
        arrays, kinds = self._sorted(values)
        return self._written(kinds, max(1, len(arrays[-1].shape)), arrays).text

    def __reduce__(self):
        return Kernel, (self._text, self._names, self._check, (self._file, self._first_line))

    def __repr__(self):
        kind = "block" if self._is_of_blocks else "index"
        return f"<{kind} kernel of {', '.join(self._names)}>"

    # ---- arguments

    def _sorted(self, values):
        """The arrays, and of which kind each argument is."""
        if len(values) != len(self._names):
            raise TypeError(f"the kernel has {len(self._names)} arguments "
                            f"({', '.join(self._names)}), got {len(values)}")
        arrays, kinds = [], []
        for name, value in zip(self._names, values):
            kind = _number_of(type(value))
            if kind is None:
                cells = interop.cells_of(value, f"argument '{name}'")
                cells.check_axes(f"argument '{name}'")
                is_constant = cells.is_read_only or cells.type == BOOL or 0 in cells.strides and any(
                    s == 0 and e > 1 for e, s in zip(cells.shape, cells.strides))
                arrays.append(cells)
                kind = (cells.type, max(1, len(cells.shape)), is_constant)
            kinds.append(kind)
        if not arrays:
            raise TypeError("the kernel has no array among its arguments, so it could write nothing")
        for cells in arrays[1:]:
            if cells.device != arrays[0].device:
                raise ValueError(f"the kernel's arrays are on {arrays[0].device} and on "
                                 f"{cells.device}: bring them to one device")
        return arrays, tuple(kinds)

    # ---- text

    def _function(self, kinds, rank, arrays):
        known_as = kinds, 0 if self._is_of_blocks else rank, arrays[0].device
        known = self._functions.get(known_as)
        if known is None:
            try:
                known = build.function_of(self._written(kinds, rank, arrays), "teff_kernel_run")
            except CompileError as error:
                self._refuse_large_frame(str(error))
                raise CompileError(self._mapped(str(error)) + _advice(str(error))) from None
            known.restype = ctypes.c_int
            known.argtypes = 6 * [c_void_p]
            self._functions[known_as] = known
        return known

    def _written(self, kinds, rank, arrays):
        has_f64 = any(kind[0] == F64 for kind in kinds if type(kind) is tuple)
        has_f32 = any(kind[0] == F32 for kind in kinds if type(kind) is tuple)
        real = "f32" if has_f32 and not has_f64 else "f64"
        members, values, counts = [], [], {"a": 0, "x": 0, "n": 0}
        for name, kind in zip(self._names, kinds):
            if type(kind) is tuple:
                cell_type, dims, is_constant = kind
                text = "u8" if cell_type == BOOL else NAMES[cell_type]
                members.append(f"  kernel_cells<{'const ' * is_constant}{text}, {dims}, "
                               f"{str(self._check).lower()}> {name};")
                values.append(f'{{a[{counts["a"]}], "{name}"}}')
                counts["a"] += 1
            elif kind == "real":
                members.append(f"  {real} {name};")
                values.append(f'static_cast<{real}>(x[{counts["x"]}])')
                counts["x"] += 1
            else:
                members.append(f"  {'bool' if kind == 'bool' else 'index_t'} {name};")
                number = f'n[{counts["n"]}]'
                values.append(f"{number} != 0" if kind == "bool" else number)
                counts["n"] += 1
        parameters, run = "block& blk", "run_block_kernel"
        if not self._is_of_blocks:
            parameters = ", ".join(f"[[maybe_unused]] index_t {i}" for i in INDICES[:rank])
            run = f"run_index_kernel<{rank}>"
        checks, begin, text = "", "", self._text
        if self._check and arrays[0].device == "cpu":
            (checks, begin), text = kernel_text.around(text), kernel_text.checked(text)
        text = kernel_text.TEXT.format(checks=checks, members="\n".join(members), begin=begin, text=text,
                                       run=run, parameters=parameters, values=", ".join(values))
        places = {n + 1: (_named(self._file), self._first_line + n) for n in range(len(self._lines))} \
            if self._first_line else {}
        flags = REFUSED[self._is_of_blocks] if arrays[0].device == "cpu" else NVCC_FLAGS
        return _Written(text, "the kernel", places, arrays[0].device, flags)

    # ---- messages

    def _mapped(self, message):
        """The message with lines of the text where the compiler or the emulator names them."""
        def line(found):
            number = int(found[1])
            if not 1 <= number <= len(self._lines):
                return "the kernel's end"
            words = " ".join(self._lines[number - 1].split())
            return f"line {number} of the kernel (`{words}`)"
        message = kernel_text.as_written(message)
        message = re.sub(r"\bat \S*kernel_text:(\d+)", lambda found: "in " + line(found), message)
        return re.sub(r"\S*kernel_text[:(](\d+)\)?", line, message)

    def _refuse_large_frame(self, message):
        """Says it, where that is what the compiler has found."""
        found = re.search(r"frame size of (\d+) bytes is larger than (\d+) bytes", message)
        if not found:
            return
        sizes = [max(map(int, re.findall(r"\w\s*\[\s*(\d+)", line)), default=0)
                 for line in self._lines]
        line = sizes.index(max(sizes)) + 1
        where = self._mapped(f", the largest array at kernel_text:{line}") if max(sizes) else ""
        raise CompileError(
            f"the variables of one thread take {found[1]} bytes of its stack{where}; a kernel on a CPU "
            f"may have {found[2]}: make them smaller, or let an array be an argument with a part for "
            "each thread, or blk.shared<f64>(n)") from None

    def _raise_stopped(self):
        said = library.lib().teff_message().decode(errors="replace")
        if "Ctrl-C" not in said:  # of an earlier call: this one has ended
            said = "interrupted by Ctrl-C; what its arrays hold is undefined"
        raise KeyboardInterrupt(self._mapped(f"teff.kernel: {said}")) from None

    def _raise(self, error):
        kind, said = KernelError if type(error) is Error else type(error), self._mapped(str(error))
        if "compute-sanitizer" in said:
            said += ("; over arrays on a CPU the kernel's mistakes are found with their line. This "
                     "process can not use the GPU any more: start it again")
        raise kind(said) from None


def _advice(message):
    if "[-Werror=vla]" in message or "must have a constant value" in message:  # g++, nvcc
        return ". A kernel's own arrays are of constant length, as a GPU takes no others"
    if "read-only" in message or "modifiable lvalue" in message:  # likewise
        return (". Arrays that can not be written to (read-only, of JAX, or broadcast) are constant "
                "in a kernel: give a copy, as np.array(x); so are those of bool, which would hold "
                "other bytes than 0 and 1: give x.view('u1')")
    return ""


@functools.lru_cache(maxsize=None)
def _number_of(kind):
    """"bool", "integer", "real", or None of a type that is no number's."""
    for base, number in ((bool, "bool"), (int, "integer"), (float, "real")):
        if issubclass(kind, base):
            return number
    numpy = sys.modules.get("numpy")
    if numpy and issubclass(kind, numpy.generic):
        return {"b": "bool", "i": "integer", "u": "integer", "f": "real"}.get(numpy.dtype(kind).kind)
    return None


def _extents(value, what):
    given = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(given) <= 3 or not all(hasattr(n, "__index__") for n in given):
        raise TypeError(f"teff.kernel: {what} is a whole number, or one to three of them, got "
                        f"{value!r}")
    return tuple(library.whole(n, f"teff.kernel: {what}") for n in given)[::-1]


def _three(value, what):
    given = _extents(value, what)[::-1]
    return given + (1,) * (3 - len(given))


_TAKEN = {*INDICES, "blk", "print", "assert", "auto", "const", "constexpr", "void", "int", "long",
          "float", "double", "bool", "char", "unsigned", "signed", "short", "struct", "template",
          "typename", "this", "switch", "case", "default", "do", "static", "new", "delete", "using",
          "namespace", "operator", "public", "private", "true", "false", "f64", "f32", "i64", "i32",
          "u8", "index_t"}


def kernel(text, arguments, check=True):
    """A kernel of C++ text over arguments that are named, as in "a, x, y, c".

    `teff.kernel("c(i) = a * x(i) + y(i);", "a, x, y, c")` is called once for each cell; i, j, k count
    from x, the last axis: T(i, j) is NumPy's T[j, i]. The calls are made in parallel, in no order. A
    text that uses blk is a block kernel: teff/kernel/thread_block.hpp says what there is, as
    blk.index(), thread(), sync(), shared<f64>(n), warp(), atomic_add(y(0), v). assert(condition) and
    print("format", ...) work in both. The kernel is then called with arrays and numbers:
    saxpy(2.0, x, y, c).

    check: on a CPU indices beyond an array and integer divisions by zero are errors, and Ctrl-C ends
    loops; without it they are as in C++, which makes index kernels faster. On a GPU nothing is checked.
    """
    if not isinstance(text, str) or not text.strip():
        raise TypeError(f"teff.kernel(text, arguments): the text is C++, as \"c(i) = x(i);\", got "
                        f"{text!r}")
    names = [n.strip() for n in arguments.split(",")] if isinstance(arguments, str) else \
        list(arguments)
    for name in names:
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_]\w*", name, re.A) or \
                name in _TAKEN or keyword.iskeyword(name) or name.startswith(("teff", "TEFF", "__")):
            raise ValueError(f"teff.kernel(text, arguments): {name!r} can not name an argument: names "
                             "are separated by commas, as \"a, x, y\"; i, j, k, blk and words of C++ "
                             "are taken")
    if len(set(names)) != len(names):
        raise ValueError(f"teff.kernel(text, arguments): a name stands twice in {arguments!r}")
    return Kernel(text, names, bool(check), _place_of(text, sys._getframe(1)))


@functools.lru_cache(maxsize=64)
def _short(file):
    return os.path.basename(_named(file)).encode()


def _named(file):
    """A program's file; of a notebook "cell", as its files have numbers for names."""
    return "cell" if "ipykernel_" in file else file


def _place_of(text, frame):
    """The file and the line where the text begins, if it stands there as it is."""
    file = frame.f_code.co_filename
    lines, wanted = linecache.getlines(file), text.split("\n")
    at = next((n for n, line in enumerate(wanted) if line.strip()), 0)
    if not lines:
        return file, 0
    first = min(frame.f_lineno, len(lines))
    for number in [*range(first, len(lines) + 1), *range(first - 1, 0, -1)]:
        if wanted[at].strip() in lines[number - 1]:
            return file, number - at
    return file, 0
