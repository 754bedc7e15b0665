# SPDX-License-Identifier: MIT
"""The page of results files, in a notebook. A script stands for the command `teff`."""

import html
import os
import re
import stat
import sys

import pytest

import teff

FAKE = """#!{python}
import sys
words = sys.argv[1:]
if "bad.json" in words[1]:
    sys.exit("teff: 'bad.json' is no results file")
if "quiet.json" in words[1]:
    sys.exit(3)
with open(words[words.index("--output") + 1], "w", encoding="utf-8") as file:
    file.write("<!DOCTYPE html>\\n<p class=\\"x\\">" + " ".join(w for w in words if w.endswith("json") or
               w == "--against") + " \\u00e4</p>")
"""


@pytest.fixture
def command(tmp_path, monkeypatch):
    path = tmp_path / "bin" / "teff"
    path.parent.mkdir()
    path.write_text(FAKE.format(python=sys.executable), encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.delenv("TEFF_COMMAND", raising=False)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")
    return path


def test_the_page_is_shown_in_a_frame(command, tmp_path):
    page = teff.report("results.json")
    shown = page._repr_html_()
    assert shown.startswith("<iframe ") and " sandbox " in shown and "<p" not in shown
    inside = html.unescape(re.search(r'srcdoc="([^"]*)"', shown)[1])
    assert inside == '<!DOCTYPE html>\n<p class="x">results.json \u00e4</p>'
    assert repr(page) == "<report of results.json; save(path) writes it>"
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == inside
    with pytest.raises(ValueError, match=".html file, got 'page.pdf'"):
        page.save("page.pdf")


def test_several_files_and_earlier_ones(command, tmp_path):
    page = teff.report(tmp_path / "a.json", "-b.json", against="c.json")
    assert f"{tmp_path}/a.json ./-b.json --against c.json" in page._text
    assert repr(page).startswith("<report of a.json, -b.json;")
    assert "--against c.json --against d.json" in teff.report("a.json", against=["c.json", "d.json"])._text


def test_a_page_is_a_part_of_a_report(command, monkeypatch):
    monkeypatch.setattr(teff.machine, "peak", lambda: teff.machine.Peak(1.0))
    whole = teff.report("Both", "a text", teff.report("results.json"))
    assert "<iframe " in whole._repr_html_() and "<p>a text</p>" in whole._repr_html_()


def test_what_fails_is_said(command, monkeypatch, tmp_path):
    with pytest.raises(teff.Error, match="^teff.report of bad.json: 'bad.json' is no results file$"):
        teff.report("bad.json")
    with pytest.raises(teff.Error, match="^teff.report of quiet.json: status 3$"):
        teff.report("quiet.json")
    with pytest.raises(TypeError, match="expected paths of .json files, got 'a text'; beside texts"):
        teff.report("a.json", "a text")
    with pytest.raises(TypeError, match="against=... is of results files"):
        teff.report("Heat", against="c.json")
    monkeypatch.setenv("TEFF_COMMAND", str(tmp_path / "none"))
    with pytest.raises(teff.Error, match="no command `teff` in PATH.*TEFF_COMMAND"):
        teff.report("a.json")


@pytest.mark.skipif("TEFF_COMMAND" not in os.environ, reason="TEFF_COMMAND names no command")
def test_the_command_itself(tmp_path):
    with pytest.raises(teff.Error, match="none.json"):
        teff.report(tmp_path / "none.json")
