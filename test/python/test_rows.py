# SPDX-License-Identifier: MIT
"""Formulas as rows of C: the bits of the C++ text, the start of a run, and what comes after it."""

import ctypes
import os
import time

import numpy as np
import pytest
from conftest import IS_LONG
from formulas import ALL, heat

import teff
from teff import build, compiled, compilers, emit, fd, library, tracer


def run_by(rows, step, steps, fields, **options):
    """A copy of the fields after a run. @param rows "only", or "0" for the C++ compiler"""
    step._last = None
    fields = [f.copy() for f in fields]
    before = os.environ.get("TEFF_ROWS")
    os.environ["TEFF_ROWS"] = rows
    try:
        run = teff.iterate(step, steps, *fields, schedule=options.pop("schedule", None), **options)
    finally:
        os.environ.pop("TEFF_ROWS") if before is None else os.environ.update(TEFF_ROWS=before)
    return fields, run


def bits(fields):
    return [f.tobytes() for f in fields]


@pytest.mark.parametrize("integer", ("i64", pytest.param("i32", marks=pytest.mark.long)))
def test_a_conversion_there_and_back_has_no_sign_of_zero(integer, monkeypatch):
    """g++ with -fno-trapping-math would make one of the two, which keeps the sign of -0.25."""
    @teff.timestep
    def inverse(T):
        return teff.update(T, 1.0 / (teff.convert(T, integer) * 1.0))
    monkeypatch.setenv("TEFF_CXXFLAGS", "-O2 -fno-trapping-math")
    monkeypatch.setattr(compiled, "_known", {})
    for rows in ("only", "0"):
        (got,), _ = run_by(rows, inverse, 1, [np.full((5, 5), -0.25)])
        assert (got == np.inf).all(), (rows, got)


def test_a_changed_bit_is_seen():
    """The comparison can fail: without the rule of rounding some bits differ."""
    fields = [np.random.default_rng(2).random((30, 40)), np.full((30, 40), 0.7)]
    one, _ = run_by("only", heat, 5, fields)
    traced = emit.traced(heat._function, tracer.fields_of(fields, "heat"))
    spoiled = traced.row_text().replace(
        "#if defined(__clang__)", "#define fma(a, b, c) ((a) * (b) + (c))\n#if defined(__clang__)")
    made = build._load(build._Rows(spoiled, traced), compilers.ROWS)
    before = dict(build._loaded)
    try:
        build._loaded[traced.row_text(), compilers.ROWS] = build._bound_rows(made)
        compiled._known.clear()
        other, _ = run_by("only", heat, 5, fields)
    finally:
        build._loaded.clear()
        build._loaded.update(before)
        compiled._known.clear()
    assert np.allclose(one[0], other[0]) and bits(one) != bits(other)


def test_a_condition_of_integers_at_a_real_field():
    T = np.full((4, 5), 0.5)

    @teff.timestep
    def step(T):
        return teff.update(teff.inn(T), teff.inn(T), teff.boundary(y=teff.fixed(fd.ix + fd.step_index)))
    (after,), _ = run_by("only", step, 2, [T], first_step=7)
    assert after[0].tolist() == after[-1].tolist() == [9.0, 10.0, 11.0, 12.0, 13.0]
    assert (after[1:-1] == 0.5).all()


def test_old_values_are_handed_on_without_a_copy():
    """What is written as that value times one is copied."""
    def membrane(old):
        @teff.timestep
        def step(U, W):
            return teff.together(
                teff.update(fd.inn(U), 2 * fd.inn(U) - fd.inn(W) + 0.1 * (fd.d2_xi(U) + fd.d2_yi(U))),
                teff.update(fd.inn(W), old(fd.inn(U))))
        return step
    handed_on, copied = membrane(lambda e: e), membrane(lambda e: e * 1)
    fields = list(np.random.default_rng(3).random((2, 70, 60)))
    texts = [str(teff.explain(one, *fields)) for one in (handed_on, copied)]
    assert ["old values" in text for text in texts] == [True, False]
    for steps in (1, 4, 9):
        got, run = run_by("only", handed_on, steps, fields)
        assert "compiled as rows" in str(run)
        assert bits(got) == bits(run_by("only", copied, steps, fields)[0])
        assert bits(got) == bits(run_by("0", handed_on, steps, fields)[0])


# ---- what can be as rows, and what is needed for it

START = """
import numpy as np, teff
@teff.timestep
def heat(T, Ci):
    return teff.update(teff.inn(T), teff.inn(T) + 0.1 * teff.inn(Ci) * (teff.d2_xi(T) + teff.d2_yi(T)))
T, Ci = np.random.default_rng(1).random((2, 40, 50))
run = teff.iterate(heat, 10, T, Ci)
print(run)
"""


def test_rows_need_a_c_compiler_alone(run_python, tmp_path):
    options = {"TEFF_CXX": "no-such-compiler", "TEFF_CACHE": str(tmp_path)}
    done = run_python(START + "print(teff.explain(heat, T, Ci))", **options)
    assert done.stdout.count("compiled as rows, which make single steps") == 2
    assert "compiling" not in done.stderr
    entries = list(tmp_path.rglob("*.so"))
    assert len(entries) == 1
    run_python(START, **options)
    assert list(tmp_path.rglob("*.so")) == entries


def test_rows_too_long_for_a_c_compiler_are_interpreted(monkeypatch):
    """At once, where g++ might take longer than one waits."""
    fields = [np.random.default_rng(2).random((30, 40)), np.full((30, 40), 0.7)]
    expected, run = run_by("only", heat, 5, fields)
    assert "compiled as rows" in str(run)
    monkeypatch.setattr("teff.rows.MOST_COMPILED", 10)
    monkeypatch.setattr(build, "_loaded", {})
    monkeypatch.setattr(compiled, "_known", {})
    found, run = run_by("only", heat, 5, fields)
    assert "rows are interpreted, which make single steps: one has " in str(run)
    assert bits(found) == bits(expected)


def test_what_is_for_the_cpp_compiler(monkeypatch):
    T = np.ones((6, 7))

    def text(step, *fields):
        return step._traced(fields).row_text()
    assert "row0" in text(heat, T, T)
    assert text(teff.rk4(lambda u: teff.rate(teff.inn(u), teff.d2_xi(u)), 0.1), T) is None

    @teff.timestep
    def with_index(T):
        return teff.stages(teff.update(T, 0.5 * T), residual=teff.max_abs(T - fd.ix))
    assert text(with_index, T) is None

    @teff.timestep
    def wide(T):
        sums = [T + i for i in range(4096)]
        while len(sums) > 1:
            sums = [a + b for a, b in zip(sums[::2], sums[1::2])]
        return teff.update(T, sums[0])
    monkeypatch.setattr("teff.rows.MOST_VALUES", 4000)
    assert text(wide, T) is None
    code = compiled.of(heat._traced((T, T)))
    strided = np.ones((6, 14))[:, ::2]
    assert code.rows(tracer.fields_of([strided, T], "heat")) is None


def test_errors_are_those_of_cpp():
    fields = [np.random.default_rng(2).random((30, 40)), np.full((30, 40), 0.7)]
    fields[0][7, 9] = np.inf
    said = []
    for rows in ("only", "0"):
        with pytest.raises(teff.NonFiniteError) as failed:
            run_by(rows, heat, 9, fields, check_every=4)
        said.append((str(failed.value), failed.value.good_step))
        with pytest.raises(teff.Error) as failed:
            run_by(rows, heat, 9, [fields[1]] * 2, tolerance=1.0)
        said.append(str(failed.value))
    assert said[:2] == said[2:] and "(9, 7)" in said[0][0]


def test_fields_of_another_type_are_refused():
    T = np.ones((6, 7))
    traced = heat._traced((T, T))
    cells = tracer.fields_of([T.astype("f4")] * 2, "heat")
    handles = (ctypes.c_void_p * 2)(*[c.handle("T").value for c in cells])
    with pytest.raises(teff.UsageError, match="a field is array 'T' of 7x6 f32, expected f64 cells"):
        library.text_of(library.lib().teff_explain, build.bind_as_rows(traced),
                        (ctypes.c_double * 9)(), (ctypes.c_int64 * 9)(), handles,
                        ctypes.byref(library.RunOptions()))


# ---- from rows to several steps per pass

@pytest.mark.parametrize("name", ("insulated", "gray_scott") if IS_LONG else ("gray_scott",))
def test_a_run_goes_over_to_what_is_compiled_meanwhile(name, monkeypatch):
    step, larger = ALL[name]
    rng = np.random.default_rng(4)
    fields = [rng.random((61 + y, 83 + x)) for x, y in larger]
    whole = build.bind_of(step._traced(fields)).value
    monkeypatch.setattr(compiled, "_known", {})
    monkeypatch.setattr(build, "bind_if_compiled", lambda _traced: None)
    monkeypatch.setattr(compiled, "AFTER_S", 1e9)
    code = compiled.of(step._traced(fields))

    def ready(done):
        if done == 30:
            code._whole.value = whole
    one, run = run_by("1", step, 90, fields, on_step=(10, ready), check_every=20)
    assert "before, 30 single steps: compiled as rows" in str(run)
    monkeypatch.setattr(compiled, "_known", {})
    other, run = run_by("only", step, 90, fields)
    assert "before" not in str(run) and run.steps == run.passes == 90
    assert bits(one) == bits(other)


def test_what_does_not_bind_leaves_the_run_as_it_is(monkeypatch):
    """What was compiled meanwhile may be of another type: then rows make all steps."""
    fields = [np.random.default_rng(4).random((20, 30)), np.full((20, 30), 0.4)]
    other = build.bind_of(heat._traced([f.astype("f4") for f in fields])).value
    monkeypatch.setattr(compiled, "_known", {})
    monkeypatch.setattr(build, "bind_if_compiled", lambda _traced: None)
    monkeypatch.setattr(compiled, "AFTER_S", 1e9)
    code = compiled.of(heat._traced(fields))
    one, run = run_by("1", heat, 20, fields, on_step=(
        5, lambda _done: setattr(code._whole, "value", other)))
    assert "before" not in str(run) and run.passes == 20
    monkeypatch.setattr(compiled, "_known", {})
    assert bits(one) == bits(run_by("only", heat, 20, fields)[0])


def test_short_runs_compile_nothing_else(monkeypatch):
    asked = []

    def fail(traced):
        asked.append(traced.name)
        raise teff.CompileError("no compiler here")
    monkeypatch.setattr(compiled, "_known", {})
    monkeypatch.setattr(build, "bind_if_compiled", lambda _traced: None)
    monkeypatch.setattr(build, "bind_in_background", fail)
    fields = [np.random.default_rng(4).random((20, 30)), np.full((20, 30), 0.4)]
    for _ in range(3):
        run_by("1", heat, 2, fields)
    code = compiled.of(heat._traced(fields))
    assert not asked and 0 < code.left_s < compiled.AFTER_S
    code.left_s = 0.0
    with pytest.warns(RuntimeWarning, match="heat goes on by single steps.*no compiler here"):
        run_by("1", heat, 2, fields)
        code.thread.join()
    run_by("1", heat, 2, fields)
    assert asked == ["heat"]


def test_a_compiler_in_the_background_ends_with_the_program(run_python, tmp_path):
    compiler = tmp_path / "g++"
    compiler.write_text("#!/bin/sh\ncase \"$*\" in -v) echo 'gcc version 12.2' >&2; exit;; esac\n"
                        f"echo $$ > {tmp_path}/started.new; mv {tmp_path}/started.new "
                        f"{tmp_path}/started\nexec sleep 600\n")
    compiler.chmod(0o755)
    run_python(START + f"""
import os, time
from teff import compiled
for code in compiled._known.values(): code.left_s = 0
teff.iterate(heat, 1, T, Ci)
while not os.path.exists("{tmp_path}/started"): time.sleep(0.01)
""", TEFF_CXX=str(compiler), TEFF_CACHE=str(tmp_path / "c"), timeout=100)
    pid = int((tmp_path / "started").read_text())
    with pytest.raises(OSError):
        while "Z" not in open(f"/proc/{pid}/stat", encoding="utf-8").read().split()[2]:
            time.sleep(0.01)
        raise ProcessLookupError
    assert not list((tmp_path / "c").rglob(".making-*"))
