# SPDX-License-Identifier: MIT
"""Pictures, what notebooks show, comparisons and reports."""

import struct
import sys
import types
import zlib

import numpy as np
import pytest

import teff


def chunks(png):
    """Kind and data of each, after its checksum was checked."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = [], 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        data = png[at + 8:at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length:at + 12 + length])[0] == \
            zlib.crc32(kind + data)
        found.append((kind, data))
        at += 12 + length
    return found


def pixels(png):
    """Rows of colours, from the top."""
    parts = dict(chunks(png))
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    rows = zlib.decompress(parts[b"IDAT"])
    palette = np.frombuffer(parts[b"PLTE"], np.uint8).reshape(-1, 3)
    return palette[np.frombuffer(rows, np.uint8).reshape(height, width + 1)[:, 1:]]


MAGENTA = [255, 0, 255]


def test_a_picture_has_x_to_the_right_and_y_up():
    A = np.array([[0, 1, 2], [3, np.nan, 5]], np.float32)
    shown = pixels(teff.show(A, map="davos").png())
    side = 400 // 3
    assert shown.shape == (2 * side, 3 * side, 3)
    cells = shown[::side, ::side]
    assert cells[1, 0].tolist() == [0, 5, 74]  # the lowest, at the bottom left
    assert cells[0, 1].tolist() == MAGENTA and cells[0, 2].min() > 240
    assert teff.show(A).clim == (0, 5)


def test_limits_are_fixed_where_given():
    A = np.arange(6).reshape(2, 3)
    picture = teff.show(A, clim=(-1, 100))
    assert picture.clim == (-1, 100) and "from -1 to 100" in repr(picture)
    low = pixels(picture.png())
    assert (pixels(teff.show(A + 10**6, clim=(-1, 100)).png()) != low).any()
    assert (pixels(teff.show(A, clim=(-1, 100)).png()) == low).all()
    assert len(pixels(teff.show(np.zeros((5000, 30))).png())) <= 800


def test_an_animation(tmp_path):
    A = np.zeros((4, 4))
    film = teff.animation(A, clim=(0, 3))
    for A[0, 0] in (1, 2, 3):
        film(0)
    assert len(film) == 4
    path = tmp_path / "film.png"
    film.show().save(path)
    kinds = [kind for kind, _ in chunks(path.read_bytes())]
    assert kinds == [b"IHDR", b"acTL", b"PLTE", b"fcTL", b"IDAT", *[b"fcTL", b"fdAT"] * 3, b"IEND"]
    assert "4 frames" in repr(teff.show([A, A, A, A]))


def test_pictures_that_are_refused(tmp_path):
    for wrong, message in ((np.ones(3), "two axes, this array 1"), (np.ones((0, 3)), "no cells")):
        with pytest.raises(ValueError, match=message):
            teff.show(wrong)
    with pytest.raises(ValueError, match="low is below high"):
        teff.show(np.ones((2, 2)), clim=(1, 1))
    for call in (teff.show, teff.animation):
        with pytest.raises(TypeError, match="a pair of numbers, got 3"):
            call(np.ones((2, 2)), clim=3)
    with pytest.raises(TypeError, match="np.array"):
        teff.show([[1, 2], [3, 4]])
    with pytest.raises(teff.Error, match="viridis.*davos"):
        teff.show(np.ones((2, 2)), map="viridis")
    with pytest.raises(ValueError, match="one shape"):
        teff.show([np.ones((2, 2)), np.ones((2, 3))])
    with pytest.raises(ValueError, match=".png"):
        teff.show(np.ones((2, 2))).save(tmp_path / "a.gif")


def test_in_a_notebook_it_is_shown_once(monkeypatch):
    shown = []
    kernel = types.SimpleNamespace(kernel=1, execution_count=3)
    display = types.SimpleNamespace(display=lambda what: shown.append(what._repr_png_()))
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: kernel))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    picture = teff.show(np.ones((2, 2)))
    assert len(shown) == 1 and shown[0] == picture.png()
    assert picture._repr_png_() is None  # as the result of the same cell
    kernel.execution_count = 4
    assert picture._repr_png_() == shown[0]


def test_in_a_terminal_it_is_text(monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "20")
    teff.show(np.arange(64.0).reshape(8, 8))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and all(line.count("\u2580") == 8 for line in lines)


# ---- what notebooks show

@teff.timestep
def grow(T):
    return teff.update(T, T + rate * T)


rate = 1.0


def run(steps=4):
    return teff.iterate(grow, steps, np.ones(1000))


WORDS = "4 steps of 1000 f64, 0.02 ms/step, T_eff 12.8 GB/s = 0.64 x ceiling (4 steps per pass)"


def test_arrays_show_themselves():
    small, large = teff.random((2, 3), seed=1), teff.random((20, 30), seed=1)
    assert repr(small).startswith("<teff.Array 2x3 f64 on cpu: [[0.")
    assert small._repr_html_().count("<td") == 6 and small._repr_html_().count("<tr>") == 2
    assert repr(large) == "<teff.Array 20x30 f64 on cpu>"
    assert "data:image/png;base64," in large._repr_html_()
    assert teff.random((5, 5, 5), seed=1)._repr_html_() == "&lt;teff.Array 5x5x5 f64 on cpu&gt;"


def test_runs_and_explanations_show_themselves():
    from teff.notebook import run_html
    assert "4 steps of 1000 f64" in run()._repr_html_()
    assert 'value="0.640"' in run_html(WORDS) and "0.64 x ceiling<br>" in run_html(WORDS)
    assert 'max="2.000"' in run_html(WORDS.replace("0.64", "2.0"))
    assert teff.explain(grow, np.ones(8))._repr_html_().startswith("<pre")


@pytest.mark.parametrize("kind", ["u1", "?", "i4", "i8", "f4", "f8"])
def test_a_picture_of_each_type(kind):
    A = np.array([[0, 1], [1, 0]], kind)
    assert teff.show(A).clim == teff.show(A[:, ::-1].T).clim == (0, 1)


def test_a_comparison():
    a, b = [run() for _ in range(3)], [run() for _ in range(3)]
    text = repr(teff.compare(a=a, b=b))
    assert text.splitlines()[0].split()[:2] == ["ms/step", "T_eff"] and "1.000" in text
    assert "fewer than 3" in repr(teff.compare(a=a[0], b=b[0]))
    assert teff.compare(a=a, b=b)._repr_html_().count("<tr>") == 3
    from teff.notebook import verdict
    assert verdict([3, 3.1, 3.2], [1, 2, 2.9]) == "faster"
    assert verdict([1, 2, 2.9], [3, 3.1, 3.2]) == "slower"
    assert verdict([3, 3.1, 3.2], [3.1, 3.15, 3.05]) == "same"
    assert verdict([3, 3.1, 3.2], [2, 5, 3.4]) == "unclear"
    with pytest.raises(TypeError, match="b=.*what teff.iterate gives"):
        teff.compare(a=a, b=3)
    with pytest.raises(TypeError, match="two runs or more"):
        teff.compare(a=a)
    with pytest.raises(ValueError, match="no steps"):
        teff.compare(a=run(0), b=a)


def test_a_report(tmp_path):
    page = teff.report("Heat & more", "a < b", run(), teff.show(np.ones((2, 2))),
                       teff.random((2, 2), seed=1), teff.explain(grow, np.ones(8)), 7)
    path = tmp_path / "run.html"
    page.save(path)
    text = path.read_text(encoding="utf-8")
    assert "<title>Heat &amp; more</title>" in text and "<p>a &lt; b</p>" in text
    assert "GB/s copy" in text and "4 steps of" in text and "data:image/png" in text
    assert "http" not in text and "6 parts" in repr(page)
    with pytest.raises(ValueError, match=".html"):
        page.save(tmp_path / "run.pdf")
    with pytest.raises(TypeError, match="title"):
        teff.report(3)
