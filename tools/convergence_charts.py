#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the errors that the tests of the solvers find over the spacing, one chart for each page of a solver.

usage: tools/convergence_charts.py [build/release/bin/teff_test [docs]]

Writes docs/pictures/convergence_PAGE.svg by gnuplot. The orders in the keys are those that the tests fitted.
"""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

# What stands on a page: title, horizontal axis, and lines by the names that the tests print.
PAGES = {
    "diffusion": ("Heat diffusion, largest error at one time", "spacing dx, of a length of 1", [
        "fixed", "fixed(v), v of time", "gradient, wall between points", "robin, wall between points",
        "periodic", "Ci varies", "diffusion2d", "diffusion3d", "gradient, wall at the border point",
        "robin, wall at the border point"]),
    "nonlinear_diffusion": ("Nonlinear heat diffusion, largest error at one time",
                            "spacing dx, of a square of 1 by 1",
                            ["front of T^2, arithmetic mean", "front of T^2, harmonic mean",
                             "steady state of 1 + T^2"]),
    "wave": ("Sound, largest error of standing waves at one time", "1 / nx",
             ["wave2d", "wave2d, started half a step late", "wave3d"]),
    "poisson": ("Poisson's equation and second derivatives, largest error", "spacing dx, of a length of 1",
                ["poisson2d", "poisson, cells", "poisson3d", "d2x, inside", "d2x, one-sided rows"]),
    "pressure": ("Fluid pressure, largest error", "spacing dx, of a box of 20 by 20",
                 ["pressure2d, div q", "pressure2d, a decaying mode"]),
}
# Over the time step, and the mirror image of another.
NOT_DRAWN = {"time", "robin at the high side, wall between points"}
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"]  # as teff/io/chart.cpp


def measured(test):
    """Of each name the fitted order and the points (h, error)."""
    found = {}
    try:
        run = subprocess.run([test, "--source-file=*/solver/*"], env={**os.environ, "TEFF_SHOW": "1"},
                             stdout=subprocess.PIPE, text=True, check=False)
    except OSError as why:
        sys.exit(f"{test} cannot be run: {why.strerror}; ./run build makes it")
    if run.returncode:
        sys.exit(f"{test} failed with status {run.returncode}: no chart is drawn of errors that are wrong")
    for name, order, rows in re.findall(r"^(.+): order (\S+)\n((?: +\S+ +\S+\n)+)", run.stdout, re.M):
        found[name] = (float(order), [tuple(map(float, row.split())) for row in rows.splitlines()])
    shown = {name for _, _, names in PAGES.values() for name in names}
    for name in shown - found.keys():
        sys.exit(f"the tests print no '{name}', which a chart shows: PAGES in {sys.argv[0]} names it")
    for name in found.keys() - shown - NOT_DRAWN:
        sys.exit(f"the tests print '{name}', which no chart shows: add it to PAGES in {sys.argv[0]}")
    return found


def script(title, spacing, lines):
    """What gnuplot does: a line for each name, and one thin line for each order among them."""
    h = [x for _, _, points in lines for x, _ in points]
    low, high = min(h) / 1.15, max(h) * 1.15
    ticks = range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)
    height = 560 if len(lines) <= 6 else 640
    out = [f"set terminal svg noenhanced size 900,{height} font 'sans-serif,13' background rgb 'white'",
           f'set title "{title}"', f'set xlabel "{spacing}" offset 0,0.6', "set ylabel \"error\"",
           "set border 3", "set tics nomirror", "set grid ytics lt 1 lc rgb '#dddddd'",
           "set format '%.10g'", "set logscale x 2", "set logscale y 10", f"set xrange [{low}:{high}]",
           "set xtics (" + ",".join(f'"{2**t if t >= 0 else f"1/{2**-t}"}" {2.0**t}' for t in ticks) + ")",
           "set key Left reverse " + ("below vertical maxrows 6 width -6" if len(lines) > 6 else "bottom right")]
    plots = []
    for i, (name, order, points) in enumerate(lines):
        out += [f"$line{i} << EOD", *(f"{x} {y}" for x, y in points), "EOD"]
        plots.append(f"$line{i} with linespoints lw 2 pt {5 + 2 * (i % 5)} ps 0.8 lc rgb "
                     f"'{COLOURS[i % len(COLOURS)]}' title \"{name}: order {order:.2f}\"")
    for p in sorted({round(order) for _, order, _ in lines}, reverse=True):
        # Below the lines of its order.
        factor = min(y / x**p for _, order, points in lines if round(order) == p for x, y in points) / 2
        plots.append(f"{factor} * x**{p} with lines lw 1 dt {2 if p > 1 else 4} lc rgb '#555555' title \"slope {p}\"")
    return "\n".join([*out, "plot " + ", ".join(plots), ""])


def main():
    if len(sys.argv) > 3 or any(a.startswith("-") for a in sys.argv[1:]):
        sys.exit(__doc__)
    test, folder = [*sys.argv[1:], *["build/release/bin/teff_test", "docs/pictures"][len(sys.argv) - 1:]]
    found = measured(test)
    for page, (title, spacing, names) in PAGES.items():
        try:
            drawn = subprocess.run(["gnuplot", "-d"], text=True, capture_output=True, check=False,
                                   input=script(title, spacing, [(n, *found[n]) for n in names]))
        except OSError as why:
            sys.exit(f"charts are drawn by gnuplot: {why.strerror}; install it (Debian: gnuplot-nox)")
        if drawn.returncode or not drawn.stdout:
            sys.exit(f"gnuplot could not draw the chart of {page}: {drawn.stderr}")
        (Path(folder) / f"convergence_{page}.svg").write_text(drawn.stdout)
    print(f"{len(PAGES)} charts in {folder}")


if __name__ == "__main__":
    main()
