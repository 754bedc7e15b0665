# SPDX-License-Identifier: MIT
"""The Python that pages and README.md show runs, a page from its top to its end; so do examples."""

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
         if "```python\n" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page):
    known = {"__name__": "page"}
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"nx = ny = \d+", "nx = ny = 64", text)
    for block in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
        if text[:block.start()].rstrip().rpartition("\n")[2].startswith("<!-- test: skip: "):
            continue
        lines = "\n" * text[:block.start(1)].count("\n")  # so that errors name the page's line
        exec(compile(lines + block[1], str(page), "exec"), known)
    assert "teff" in known


@pytest.mark.parametrize("program", sorted((ROOT / "examples/python").glob("*.py")),
                         ids=lambda program: program.name)
def test_example(program, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(program), "64"])
    try:
        runpy.run_path(str(program), run_name="__main__")
    except SystemExit as end:  # of an example whose library is not there
        assert not end.code
        pytest.skip("a library is not there")
