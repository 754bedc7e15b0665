# SPDX-License-Identifier: MIT
"""The lessons run, each in a kernel of Jupyter's from its first cell to its last; where there is no
Jupyter, as plain Python."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "examples/python/notebooks").glob("*.ipynb"))


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, tmp_path):
    try:
        import ipykernel  # noqa: F401
        import nbclient
        import nbformat
    except ImportError:
        known = {"__name__": "notebook"}
        for cell in cells(path):
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), str(path), "exec"), known)
        return
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                            resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])
             if "image/png" in output.get("data", {})]
    wanted = sum("teff.show(" in cell.source or "film.show()" in cell.source
                 for cell in notebook.cells if cell.cell_type == "code")
    assert len(shown) == wanted  # each picture once


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_is_kept(path):
    for cell in cells(path):
        assert not cell.get("outputs") and cell.get("execution_count") is None
        if cell["cell_type"] == "markdown":
            assert all(len(line) <= 130 for line in cell["source"])
