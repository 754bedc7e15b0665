# SPDX-License-Identifier: MIT
"""What notebooks show of arrays, runs and explanations; tables and reports of runs."""

import base64
import html
import os
import re
import statistics
import time

from . import machine
from .page import is_results_file, page_of
from .picture import Picture

STYLE = "border-collapse:collapse;font-family:monospace;text-align:left"


def table_html(rows, head=None):
    """A table of texts; a cell that is a list of one text is HTML."""
    def cell(value, tag):
        text = value[0] if isinstance(value, list) else html.escape(str(value))
        return f'<{tag} style="padding:2px 10px;text-align:left">{text}</{tag}>'
    lines = ["<tr>" + "".join(cell(v, "th") for v in head) + "</tr>"] if head else []
    lines += ["<tr>" + "".join(cell(v, "td") for v in row) + "</tr>" for row in rows]
    return f'<table style="{STYLE}">{"".join(lines)}</table>'


def run_html(text):
    """The report's line, with a bar of its share of the ceiling."""
    share = re.search(r"= ([\d.]+) x ceiling", text)
    bar = ""
    if share:
        value = float(share[1])
        bar = (f'<meter min="0" max="{max(1.0, value):.3f}" value="{value:.3f}" '
               f'style="width:12em"></meter> {value:.2f} x ceiling<br>')
    return f"<div>{bar}<code>{html.escape(text)}</code></div>"


def text_html(text):
    return f'<pre style="line-height:1.2">{html.escape(text)}</pre>'


# ---- comparisons

class Comparison:
    """Runs beside each other; the first is what others are compared with."""

    def __init__(self, rows):
        self._rows = rows

    head = ("", "ms/step", "T_eff GB/s", "steps per pass", "time", "verdict")

    def _cells(self):
        base = self._rows[0]
        for name, times, runs in self._rows:
            middle = statistics.median(times)
            ratio = middle / statistics.median(base[1])
            yield (name, f"{1e3 * middle:.4g}",
                   f"{statistics.median(r.t_eff for r in runs):.4g}", str(runs[0].steps_per_pass),
                   f"{ratio:.3f}", "" if times is base[1] else verdict(base[1], times))

    def __repr__(self):
        rows = [self.head, *self._cells()]
        widths = [max(len(row[c]) for row in rows) for c in range(len(self.head))]
        return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip()
                         for row in rows)

    def _repr_html_(self):
        return table_html(self._cells(), self.head)


def verdict(old, new):
    """"faster", "slower", "same" or "unclear" of two lists of times: a difference counts if all runs
    of one are on one side of all of the other, of three runs at least."""
    ratio = statistics.median(new) / statistics.median(old)
    if min(len(old), len(new)) < 3:
        return "unclear (fewer than 3 runs)"
    if max(new) < min(old):
        return "faster"
    if min(new) > max(old):
        return "slower"
    return "same" if 0.95 < ratio < 1.05 else "unclear"


def compare(**runs):
    """Runs beside each other, by name: `teff.compare(stepwise=a, temporal=b)`.

    Each is what teff.iterate gave, or a list of several; the first is what the others are compared
    with. With three runs of each or more it says which is faster.
    """
    from .run import Run
    rows = []
    for name, given in runs.items():
        group = list(given) if isinstance(given, (list, tuple)) else [given]
        if not group or not all(isinstance(r, Run) for r in group):
            raise TypeError(f"teff.compare({name}=...): expected what teff.iterate gives, or a list "
                            f"of such runs, got {given!r}")
        if any(r.steps == 0 for r in group):
            raise ValueError(f"teff.compare({name}=...): a run of no steps has no time")
        rows.append((name, [r.seconds / r.steps for r in group], group))
    if len(rows) < 2:
        raise TypeError("teff.compare(a=..., b=...) takes two runs or more, by name")
    return Comparison(rows)


# ---- reports

class Report:
    """A page of runs, pictures and texts, in one file that needs nothing else."""

    def __init__(self, title, parts):
        self._title, self._parts = title, parts
        self._when = time.strftime("%Y-%m-%d %H:%M")

    def _body(self):
        out = [f"<h2>{html.escape(self._title)}</h2>",
               text_html(f"{self._when}\n{machine.info().rstrip()}\nceiling: {machine.peak()!r}")]
        for part in self._parts:
            out.append(part_html(part))
        return "\n".join(out)

    def _repr_html_(self):
        return f"<div>{self._body()}</div>"

    def __repr__(self):
        return f"<report '{self._title}' of {len(self._parts)} parts; save(path) writes it>"

    def save(self, path):
        """Writes an .html file."""
        if not os.fspath(path).endswith((".html", ".htm")):
            raise ValueError(f"a report is written to an .html file, got {os.fspath(path)!r}")
        with open(path, "w", encoding="utf-8") as file:
            file.write('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
                       f"<title>{html.escape(self._title)}</title></head>\n"
                       '<body style="font-family:sans-serif;max-width:60em;margin:2em auto">\n'
                       f"{self._body()}\n</body></html>\n")


def part_html(part):
    """A text, a picture, or whatever a notebook knows to show."""
    if isinstance(part, str) and not hasattr(part, "_repr_html_"):
        return f"<p>{html.escape(part)}</p>"
    if hasattr(part, "_repr_html_") and part._repr_html_() is not None:
        return part._repr_html_()
    if isinstance(part, Picture):
        data = base64.b64encode(part.png()).decode()
        return f'<p><img alt="{html.escape(repr(part))}" src="data:image/png;base64,{data}"></p>'
    return text_html(repr(part))


def report(title, *parts, against=()):
    """A report of what was done: the machine and its ceiling, then the parts: texts, runs,
    explanations, comparisons, pictures. A notebook shows it; `save("run.html")` writes it.

    `teff.report("results.json")` is the page that `teff report` makes of results files of the command
    (several as further arguments, against="before.json": what changed since). The command makes it, so
    it must be in PATH, or TEFF_COMMAND name it. As a part such a page stands among others.
    """
    against = [against] if isinstance(against, (str, os.PathLike)) else list(against)
    if is_results_file(title):
        for other in (*parts, *against):
            if not is_results_file(other):
                raise TypeError("teff.report of results files: expected paths of .json files, got "
                                f"{other!r}; beside texts and runs it is a part: teff.report(\"Title\", "
                                "teff.report(\"results.json\"), run)")
        return page_of((title, *parts), against)
    if against:
        raise TypeError("teff.report(title, ...): against=... is of results files: "
                        "teff.report(\"after.json\", against=\"before.json\")")
    if not isinstance(title, str):
        raise TypeError(f"teff.report(title, ...): the title is a text, got {title!r}")
    return Report(title, parts)
