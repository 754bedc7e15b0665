# SPDX-License-Identifier: MIT
"""The page of results files, as the command `teff report` makes it, in a notebook."""

import html
import os
import shutil
import subprocess
import tempfile

from .errors import Error

HEIGHT = "44em"


class Page:
    """A page of HTML that needs nothing else; a notebook shows it in a frame."""

    def __init__(self, text, files):
        self._text, self._files = text, files

    def _repr_html_(self):
        # A frame: the page's style must not meet the notebook's. It may run nothing.
        return (f'<iframe title="Teff report" sandbox srcdoc="{html.escape(self._text)}" '
                f'style="width:100%;height:{HEIGHT};border:0"></iframe>')

    def __repr__(self):
        return f"<report of {', '.join(self._files)}; save(path) writes it>"

    def save(self, path):
        """Writes an .html file."""
        if not os.fspath(path).endswith((".html", ".htm")):
            raise ValueError(f"a report is written to an .html file, got {os.fspath(path)!r}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text)


def is_results_file(value):
    """True for the path of a JSON file."""
    return isinstance(value, (str, os.PathLike)) and os.fspath(value).endswith(".json")


def page_of(files, against):
    """Runs `teff report` on results files. Raises Error where the command is missing or refuses."""
    command = shutil.which(os.environ.get("TEFF_COMMAND", "teff"))
    if command is None:
        raise Error("teff.report of results files: no command `teff` in PATH, which makes the page: build "
                    "Teff (./run build) and put build/release/bin into PATH, or name the command in "
                    "TEFF_COMMAND")
    names = [os.fspath(f) for f in files]
    with tempfile.TemporaryDirectory(prefix="teff_report_") as folder:
        page = os.path.join(folder, "report.html")
        words = [command, "report", *map(_as_path, names), "--output", page]
        for earlier in against:
            words += ["--against", _as_path(os.fspath(earlier))]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            said = done.stderr.strip().removeprefix("teff: ") or f"status {done.returncode}"
            raise Error(f"teff.report of {', '.join(names)}: {said}")
        with open(page, encoding="utf-8") as file:
            return Page(file.read(), [os.path.basename(n) for n in names])


def _as_path(name):
    """A name that no option begins with."""
    return os.path.join(".", name) if name.startswith("-") else name
