# SPDX-License-Identifier: MIT
"""Whether a formula's function would write down again what it wrote before, so that it need not be
called: where all that it can see is the same.

That is known where it sees only numbers, texts, Teff, NumPy, math, and functions of which the same
is known. Numbers are compared by identity: they do not change, names are bound to others. Whatever
else a function sees (an object's attributes, a list, another module) may change unseen, and then it
is called at each run.
"""

import math
import opcode
import operator
import sys
import types

from . import fd
from .formula import Side, boundary
from .trace import UFUNCS, Value

_MODULES = {"teff", "numpy", "math"}
_BUILTINS = {"abs", "min", "max", "range", "len", "float", "int", "sum", "zip", "enumerate", "tuple",
             "round", "pow", "bool", "isinstance", "reversed", "TypeError", "ValueError"}
# Of these modules (teff.random, np.random and such give other numbers at each call).
_ATTRIBUTES = {*fd.__all__, *UFUNCS, *dir(math), "where", "float64", "float32", "int64", "int32",
               "update", "stages", "together", "residual", "rate", "rates", "boundary", "fixed",
               "periodic", "gradient", "robin", "max_abs", "norm2"}
# What leaves a trace of its own, or brings in what is not seen here.
_UNSEEN = {opcode.opmap[name] for name in
           ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR",
            "DELETE_SUBSCR", "STORE_DEREF", "DELETE_DEREF", "IMPORT_NAME", "IMPORT_STAR",
            "STORE_NAME", "YIELD_VALUE")
           if name in opcode.opmap}
_MISSING = object()


def guards_of(function):
    """Functions that say whether what the function sees is as it was, for still_hold(); None where it
    can not be known."""
    found = []
    if not _look(function, found, set()):
        return None
    guards, by_names = [], {}
    for place, name, seen in found:
        if type(place) is dict:
            by_names.setdefault(id(place), (place, {}))[1][name] = seen
        else:
            guards.append(_guard_of_cell(place, seen) if name else _guard_of_function(place, *seen))
    return guards + [_guard_of_names(place, seen) for place, seen in by_names.values()]


# (They are asked at each run: each way is the fastest that was found.)
def _guard_of_function(function, code, defaults, kwdefaults):
    return lambda: function.__code__ is code and function.__defaults__ is defaults and \
        function.__kwdefaults__ is kwdefaults


def _guard_of_cell(cell, seen):
    return lambda: cell.cell_contents is seen


def _guard_of_names(names, seen):
    there = {name: value for name, value in seen.items() if value is not _MISSING}
    values, missing = list(there.values()), seen.keys() - there.keys()
    there, look, none_of = list(there), names.__getitem__, names.keys().isdisjoint
    return lambda: all(map(operator.is_, map(look, there), values)) and none_of(missing)


def still_hold(guards):
    """Whether the same is there."""
    try:
        for holds in guards:
            if not holds():
                return False
    except (KeyError, ValueError):  # a name was deleted, one of an outer function likewise
        return False
    return True


def _look(function, found, known):
    if type(function) is not types.FunctionType:
        return False
    if function in known:
        return True
    known.add(function)
    for value in (function.__defaults__ or ()) + tuple((function.__kwdefaults__ or {}).values()):
        if not _is_known(value, found, known):
            return False
    if function.__dict__:  # attributes of its own may change unseen
        return False
    found.append((function, None,  # what IPython's %autoreload replaces
                  (function.__code__, function.__defaults__, function.__kwdefaults__)))
    for cell in function.__closure__ or ():
        try:
            seen = cell.cell_contents
        except ValueError:
            return False
        found.append((cell, "cell_contents", seen))
        if not _is_known(seen, found, known):
            return False
    return _look_at_code(function.__code__, function.__globals__, found, known)


def _look_at_code(code, names, found, known):
    if any(op in _UNSEEN for op in code.co_code[::2]):
        return False
    for name in code.co_names:  # attributes are among them, which a global name may have, too
        seen = names.get(name, _MISSING)
        found.append((names, name, seen))
        if seen is _MISSING:
            if name not in _ATTRIBUTES and name not in _BUILTINS:
                return False
        elif not _is_known(seen, found, known):
            return False
    return all(_look_at_code(constant, names, found, known) for constant in code.co_consts
               if isinstance(constant, types.CodeType))


def _is_known(value, found, known):
    kind = type(value)
    if kind in (float, int, bool, str, complex, type(None)) or kind in (Value, boundary):
        return True
    if isinstance(value, Side):
        return True
    if kind is types.ModuleType:
        return value.__name__ in _MODULES
    if kind is tuple:
        return all(_is_known(one, found, known) for one in value)
    module = getattr(value, "__module__", None) or ""
    if kind is types.FunctionType:
        return module.partition(".")[0] == "teff" or _look(value, found, known)
    if kind is types.BuiltinFunctionType:
        return module == "math"
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, (numpy.ufunc, numpy.number, numpy.bool_))
