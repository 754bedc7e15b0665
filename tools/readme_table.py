#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the README's table of measured figures from results files of the command `teff`.

usage: tools/readme_table.py results/h200/lab.json [results/h200/diffusion2d.json ...]

Every row is a result that was checked; T_eff is compared with the copy of the same run. Of further files the rows are
left out that are about how not to do it.
"""

import json
import sys

WHAT = {
    ("copy", "library"): "copy, the platform's own",
    ("copy", "array"): "`B = A`",
    ("copy", "slice"): "`B = A`, inner parts of larger arrays",
    ("triad", "array"): "`A = B + s * C`",
    ("triad", "slice"): "`A = B + s * C`, inner parts of larger arrays",
    ("diffusion2d", "stored"): "heat step, four statements with stored fluxes",
    ("diffusion2d", "fused"): "heat step, lazy, one statement",
    ("diffusion2d", "kernel"): "heat step, kernel, one cell a thread",
    ("diffusion2d", "stepwise"): "heat step, `iterate`, one step per pass",
    ("diffusion2d", "temporal"): "heat step, `iterate`, several steps per pass",
    ("diffusion3d", "fused"): "3-D heat step, lazy, one statement",
    ("diffusion3d", "stepwise"): "3-D heat step, `iterate`, one step per pass",
}
ONLY_IN_FIRST = ("library", "stored", "kernel")


def rows(path, is_first):
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    copy = run["ceilings_gb_per_s"]["copy"]
    for result in run["results"]:
        what = WHAT.get((result["case"], result["variant"]))
        if what and result["check"]["ok"] and (is_first or result["variant"] not in ONLY_IN_FIRST):
            yield (what, result["type"], "x".join(map(str, result["shape"])),
                   result["steps_per_pass"], result["t_eff_gb_per_s"],
                   result["t_eff_gb_per_s"] / copy)


def main():
    print("| what | type | cells | steps per pass | T_eff, GB/s | of copy |\n|---|---|---|---|---|---|")
    seen = set()
    for path in sys.argv[1:]:
        for what, kind, cells, steps, t_eff, share in rows(path, path == sys.argv[1]):
            if (what, kind, cells) not in seen:
                print(f"| {what} | {kind} | {cells} | {steps} | {t_eff:.0f} | {share:.2f} |")
            seen.add((what, kind, cells))


if __name__ == "__main__":
    main()
