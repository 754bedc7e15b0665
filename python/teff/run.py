# SPDX-License-Identifier: MIT
"""Time steps and their runs."""

import functools
import warnings
import weakref
from ctypes import addressof, byref, c_double, c_int64

from . import compiled, emit, equation, interop, library, looks, memo
from .call import Bound, Call
from .notebook import run_html, text_html
from .progress import UNWATCHED_STEPS, Watch
from .errors import STOPPED, CompileError
from .library import RunFacts, RunOptions, lib, text_of
from .solver import real
from .tracer import cells_of_all, check_fields, fields_of

SCHEDULES = ("automatic", "stepwise", "fused", "temporal", "resident")


class TimeStep:
    """A formula over fields: `@teff.timestep` before a function that returns teff.update(...).

    The function is called at a run, with placeholders, unless all that it can see is as it was at the
    run before (memo.py): so a run always takes numbers as they are. Only another structure is
    compiled anew.
    """

    def __init__(self, function, method=None, dt=None):
        functools.update_wrapper(self, function)
        self._function, self._method, self._dt = function, method, dt
        self._last = None  # what it was traced to, and what it saw then
        self._name = getattr(function, "__name__", "the formula")
        code = getattr(function, "__code__", None)  # its parameters name the fields in messages
        self._labels = code.co_varnames[:code.co_argcount] if code else ()

    def __call__(self, *_arguments):
        raise TypeError(f"{self._name} is a time step, which runs by teff.iterate({self._name}, "
                        "steps, T, ...); as a plain function it has no meaning")

    def _traced(self, arrays):
        return emit.traced(self._function, fields_of(arrays, self._name), self._method, self._dt)

    def _ready(self, fields):
        """The formula over the fields, with its numbers."""
        last = self._last
        if last is not None and last.is_as_now(fields):
            return last
        guards = memo.guards_of(self._function)
        traced = emit.traced(self._function, fields, self._method, self._dt)
        ready = _Ready(traced, guards)
        self._last = ready if guards is not None else None
        return ready

    def source(self, *fields):
        """The C++ text of the formula over such fields."""
        return self._traced(fields).text

    def __repr__(self):
        return f"<time step {self._name}>"


class _Ready:
    """A formula with its numbers."""

    __slots__ = ("numbers", "written", "bound", "compiled", "_of", "guards", "spare", "_kept")

    def __init__(self, traced, guards):
        self.compiled, self.written, self.guards = compiled.of(traced), traced.written, guards
        self._kept = ((c_double * len(traced.reals))(*traced.reals),
                      (c_int64 * len(traced.integers))(*traced.integers))
        self.numbers = tuple(map(addressof, self._kept))
        self.bound = None  # to the fields of the run before
        self.spare = []  # calls that were made, for those to come
        self._of = [(c.type, c.shape, c.device) for c in traced.fields]

    def call(self):
        """One that is spare, or a new one; to be spare again once it was made."""
        try:
            return self.spare.pop()
        except IndexError:  # (To look before is no use: other threads take them, too.)
            return Call()

    def is_as_now(self, fields):
        """Whether tracing the function over these fields would give the same."""
        if len(fields) != len(self._of):
            return False
        for cells, (cell_type, shape, device) in zip(fields, self._of):
            if cells.type != cell_type or cells.shape != shape or cells.device != device:
                return False
        return memo.still_hold(self.guards)


def timestep(function=None, **options):
    """Makes a time step of a function of fields: `@teff.timestep`."""
    if options:
        raise TypeError(f"teff.timestep takes no option {', '.join(options)}")
    if not callable(function):
        raise TypeError("@teff.timestep stands before a function of fields, without parentheses; got "
                        f"{function!r}")
    return TimeStep(function)


def _integrator(name, words):
    def make(function, dt):
        if not callable(function) or isinstance(function, TimeStep):
            raise TypeError(f"teff.{name}(f, dt): f is a plain function that returns teff.rate(...) "
                            f"or an expression, got {function!r}")
        return TimeStep(function, name, real(f"teff.{name}(f, dt)", "dt", dt))
    make.__name__ = make.__qualname__ = name
    make.__doc__ = words
    return make


euler = _integrator("euler", "A time step u + dt f(u), of first order.")
rk2 = _integrator("rk2", "The midpoint rule, of second order, as a time step.")
ssp_rk3 = _integrator("ssp_rk3", "Shu and Osher's method of third order, as a time step.")
rk4 = _integrator("rk4", "The classical Runge-Kutta method of fourth order, as a time step.")


# ---- runs

class Run:
    """What a run did; prints as the report's line."""

    __slots__ = ("_made", "_note", "_facts_", "_text_")

    def __init__(self, made, note=""):
        self._made, self._note, self._facts_, self._text_ = made, note, None, None

    def __del__(self):
        if library is not None and library._lib is not None:
            library._lib.teff_report_free(self._made)

    def __reduce_ex__(self, _protocol):
        raise TypeError("a run's report is neither copied nor pickled: keep str(run), or its "
                        "attributes")

    @property
    def _facts(self):
        if self._facts_ is None:
            self._facts_ = RunFacts()
            lib().teff_report_facts(self._made, byref(self._facts_))
        return self._facts_

    steps = property(lambda self: self._facts.steps, doc="Steps that were made.")
    seconds = property(lambda self: self._facts.time_s, doc="Of the steps: checks included; on_step not, nor what is made "
                                                          "ready before the first one.")
    t_eff = property(lambda self: self._facts.t_eff_gb_per_s,
                     doc="Effective memory throughput, GB/s.")
    steps_per_pass = property(lambda self: self._facts.depth, doc="Through memory.")
    schedule = property(lambda self: SCHEDULES[self._facts.schedule], doc="How the steps were made.")
    passes = property(lambda self: self._facts.passes, doc="Through memory.")
    scratch_bytes = property(lambda self: self._facts.scratch_bytes,
                             doc="Memory taken besides the fields.")
    residual = property(lambda self: self._facts.residual if self._facts.has_residual else None,
                        doc="Of the last check, if there was one.")
    has_converged = property(lambda self: bool(self._facts.has_converged),
                             doc="The residual came down to the tolerance.")

    def __str__(self):
        if self._text_ is None:
            self._text_ = text_of(lib().teff_report_text, self._made) + \
                (f"; {self._note}" if self._note else "")
        return self._text_

    __repr__ = __str__

    def _repr_html_(self):
        return run_html(str(self))


def _whole(value, name, bits=64):
    if type(value) is int and 0 <= value < 2**31:
        return value
    return library.whole(value, f"teff.iterate: {name}", bits)


def _options(steps, schedule, depth, check_every, tolerance, first_step, on_step):
    options = RunOptions()
    options.steps = _whole(steps, "steps")
    if schedule is not None:
        if schedule not in SCHEDULES:
            raise ValueError(f"teff.iterate: schedule={schedule!r}, expected one of "
                             f"{', '.join(SCHEDULES)}")
        options.schedule = SCHEDULES.index(schedule)
    if depth:
        options.depth = _whole(depth, "depth", 32)
    if check_every:
        options.check_every = _whole(check_every, "check_every")
    if tolerance:
        options.tolerance = real("teff.iterate", "tolerance", tolerance)
    if first_step:
        options.first_step = _whole(first_step, "first_step")
    raised = []
    if on_step is not None:
        try:
            every, function = on_step
        except (TypeError, ValueError):
            raise TypeError("teff.iterate: on_step is a pair, (every, function): function(done) is "
                            f"called after every so many steps; got {on_step!r}") from None
        if not callable(function):
            raise TypeError(f"teff.iterate: on_step=({every!r}, function): {function!r} can not be "
                            "called")

        def call(done, _context):
            try:
                function(done)
                return 0
            except BaseException as error:  # pylint: disable=broad-except
                raised.append(error)  # and raised again when the run has ended
                return 1
        options.on_step_every = _whole(every, "on_step's every")
        options.on_step = library.OnStep(call)
    return options, raised


def _check_step(step, call):
    if not isinstance(step, TimeStep):
        raise TypeError(f"teff.{call}: the step is a function with @teff.timestep before it, got "
                        f"{step!r}")


def _bound(step, arrays):
    """The compiled formula, its fields, and these as C takes them: those of the run before, if all
    is as it was and where it was."""
    _check_step(step, "iterate(step, steps, T, ...)")
    fields, seen = None, looks.looks_at(arrays)
    if seen is None:
        fields = cells_of_all(arrays, step._name)
        seen = [(c.pointer, c.type, c.shape, c.strides, c.device, c.stream, c.is_read_only)
                for c in fields]
    ready = step._last
    if ready is not None:
        bound = ready.bound
        if bound is not None and bound.seen == seen and memo.still_hold(ready.guards):
            return ready, fields or bound.fields, bound
    if fields is None:
        fields = cells_of_all(arrays, step._name)
    check_fields(fields, step._name)
    ready = step._ready(fields)
    for slot in ready.written:
        _check_target(fields[slot], slot, step)
    labels = step._labels if len(step._labels) == len(fields) else ("",) * len(fields)
    bound = ready.bound = Bound(seen, fields, labels)
    return ready, fields, bound


_warned = set()


def _check_target(cells, slot, step):
    if cells.is_read_only:
        raise ValueError(f"field {slot} of {step._name} evolves, and can not be written to (read-only, or an array of JAX, "
                         "which are immutable): give a copy, as np.array(x)")
    for extent, stride in zip(cells.shape, cells.strides):
        if stride == 0 and extent > 1 and 0 not in cells.shape:
            raise ValueError(f"field {slot} of {step._name} evolves, and its cells are one and the same (strides of 0, as "
                             "of np.broadcast_to): give a copy, as np.array(x)")
    if len(cells.shape) > 1 and cells.shape[-1] > 1 and abs(cells.strides[-1]) != 1 and \
            (slot, step._name) not in _warned:
        _warned.add((slot, step._name))
        warnings.warn(f"teff: field {slot} of {step._name} does not lie side by side along its last axis, x (Fortran "
                      "order, or a part of an array?): that is slow, one step per pass; "
                      "np.ascontiguousarray(x) makes a copy that does", RuntimeWarning, stacklevel=4)


def iterate(step, steps, *fields, schedule=None, depth=0, check_every=0, tolerance=0.0,
            first_step=0, on_step=None, progress=None):
    """Advances the evolving fields by so many steps, in place; gives the run's report.

    schedule: "automatic", "stepwise", "fused", "temporal" or "resident", with `depth` steps per
    pass; no schedule changes a bit. check_every: steps between looks for values that are not finite,
    and at the residual, which ends the run at `tolerance`. on_step=(every, function): function(done)
    may read and change the fields. progress: whether it is shown; left out, in a notebook and on a
    terminal, of a run of more than a second. Whatever goes wrong, the fields hold the state of one
    step, also after Ctrl-C.

    Raises NonFiniteError with the last good state in the fields, CompileError, UsageError.
    """
    is_plain = schedule is None and on_step is None and type(steps) is int and \
        0 <= steps <= UNWATCHED_STEPS and not (depth or check_every or tolerance or first_step)
    options = raised = None
    if not is_plain:
        options, raised = _options(steps, schedule, depth, check_every, tolerance, first_step, on_step)
        options.held = _held(fields)
    ready, known, bound = _bound(step, fields)
    call = ready.call() if is_plain else Call(options)
    options = call.options
    if is_plain:
        options.steps, options.successor = steps, None
    bind, beside = ready.compiled.for_run(known, options, schedule == "stepwise", bound.rows_asked)
    if call.bound is not bound or call.bind != bind.value:
        call.take(bind.value, ready.numbers, bound)
    if not is_plain and _is_watched(options, progress, known[0]):
        with Watch(options.steps, progress, options.tolerance > 0, options.first_step, raised) as watch:
            watch.set_in(options)
            status = call.run(beside)
        if not raised and status in (0, STOPPED):
            watch.raise_interrupt(status == STOPPED)
    else:
        status = call.run(beside)
    if raised and status in (0, STOPPED):
        raise raised.pop()  # (kept here it would hold this frame, and so the fields)
    if status:
        library.raise_status(status, call.block.good_step)
    run = Run(call.block.made, ready.compiled.note)
    if is_plain:
        ready.spare.append(call)
    for stream in bound.waits:
        lib().teff_stream_synchronize(stream)
    return run


def _held(arrays):
    """As long as this is kept NumPy resizes none of them in place, not even with refcheck=False, which
    on_step's function, or another thread, may ask for."""
    return [weakref.ref(a) for a in arrays if interop.framework_of(a) == "numpy"]


def _is_watched(options, progress, cells):
    """A run on a GPU is enqueued and not waited for, unless its progress is asked for."""
    return options.steps > UNWATCHED_STEPS and (cells.device == "cpu" or bool(progress))


def explain(step, *fields, schedule=None, depth=0, check_every=0, tolerance=0.0):
    """What Teff knows of a time step before it runs: fields, bytes, schedules and why, as text."""
    options, _ = _options(0, schedule, depth, check_every, tolerance, 0, None)
    ready, known, bound = _bound(step, fields)
    try:
        bind = ready.compiled.whole()
    except CompileError:
        bind = ready.compiled.without_cpp(known)
        if bind is None:
            raise
    return Explanation(text_of(lib().teff_explain, bind, *ready.numbers, bound.addresses,
                               byref(options)))


class Explanation(str):
    """Text that a notebook shows line by line."""

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        return text_html(str(self))


def warmup(step, *fields):
    """Compiles the step for such fields, if that was not done before; nothing is computed. Of a solver
    with a formula of one's own: teff.warmup(teff.chebyshev, x, b, A)."""
    if step is equation.conjugate_gradients or step is equation.chebyshev:
        equation.warm_up(step.__name__, *fields)
        return
    _check_step(step, "warmup(step, T, ...)")
    known = fields_of(fields, step._name)
    step._ready(known).compiled.warm_up(known)
