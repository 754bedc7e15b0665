#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the tables of docs/measured.md from results files of the command `teff`.

usage: tools/measured_table.py [--by-mix] results/h200/lab_all.json [results/h200/diffusion2d.json ...]

Every figure is a result that was checked; T_eff is compared with the copy of the same run, with --by-mix with the
ceiling of the same mix. What later files measured only at other sizes is left
out of the first.
"""

import json
import sys

WHAT = {
    ("copy", "library"): "copy, the platform's own",
    ("copy", "array"): "`B = A`",
    ("copy", "slice"): "`B = A`, inner parts",
    ("triad", "array"): "`A = B + s * C`",
    ("triad", "slice"): "`A = B + s * C`, inner parts",
    ("diffusion2d", "stored"): "heat step, four statements with stored fluxes",
    ("diffusion2d", "kernel"): "heat step, kernel, one cell a thread",
    ("diffusion2d", "fused"): "heat step, lazy, one statement",
    ("diffusion2d", "stepwise"): "heat step, `iterate`, one step per pass",
    ("diffusion2d", "temporal"): "heat step, `iterate`, several steps per pass",
    ("diffusion2d", "factored"): "the same, constants multiplied together by hand",
    ("diffusion3d", "fused"): "3-D heat step, lazy, one statement",
    ("diffusion3d", "stepwise"): "3-D heat step, `iterate`, one step per pass",
    ("diffusion3d", "temporal"): "3-D heat step, `iterate`, several steps per pass",
}
STEPS = {"star2d": "2-D step of 5 points", "box2d": "2-D step of 9 points",
         "star3d": "3-D step of 7 points",
         "insulated2d": "heat between insulating walls", "insulated3d": "3-D heat between insulating walls",
         "pressure2d": "fluid pressure, three unknowns", "wave2d": "sound, three unknowns",
         "wave3d": "3-D sound, four unknowns", "diffusion1d": "1-D heat step",
         "nonlinear2d": "heat, conductivity 1 + T^2"}
for case, step in STEPS.items():
    WHAT[case, "stepwise"] = f"{step}, one step per pass"
    WHAT[case, "fused"] = f"{step}, one step per pass, all stages at once"
    WHAT[case, "temporal"] = f"{step}, several steps per pass"
for dim in "012":
    WHAT["cumsum", f"kernel-dim-{dim}"] = f"cumulative sum along dim {dim}, kernel, one thread a column"
for dim in "012":
    WHAT["cumsum", f"dim-{dim}"] = f"`cumsum(B, A, {dim})`"
    WHAT["cumsum", f"vendor-dim-{dim}"] = f"cumulative sum along dim {dim} by CUB or C++'s library"
WHAT["reduce", "full"] = "`sum(A)`"
WHAT["reduce", "vendor"] = "sum of all cells by CUB or C++'s library"
for dim in "012":
    WHAT["reduce", f"dim-{dim}"] = f"`sum(A, {dim})`"
    WHAT["reduce", f"vendor-dim-{dim}"] = f"sum along dim {dim} by CUB or C++'s library"
    WHAT["reduce_expression", f"dim-{dim}"] = f"`sum(A * B + C, {dim})`"
WHAT["transpose", "kernel"] = "transpose, kernel, one cell a thread"
WHAT["transpose", "best"] = "`transpose(B, A)`"
WHAT["transpose", "vendor"] = "the same by cuBLAS or OpenBLAS"
WHAT["segmented_sum", "best"] = "`segmented_sum(O, X, bags)`"
WHAT["segmented_sum", "vendor"] = "the same by CUB or C++'s library"
for layout, name in (("column-major", ""), ("row-major", "-row-major")):
    WHAT["gemv", layout] = f"matrix-vector product, kernel, one thread a row, {layout}"
    WHAT["gemv", f"best{name}"] = f"`gemv(y, A, x)`, {layout}"
    WHAT["gemv", f"vendor{name}"] = f"the same by cuBLAS or CBLAS, {layout}"
for case in ("d2x", "d2y"):
    WHAT[case, "flat"] = f"{case}, kernel, one cell a thread"
    WHAT[case, "statement"] = f"`{case}(y, u, h)`"
WHAT["poisson2d", "stored"] = "iteration of conjugate gradients, A p stored"
WHAT["poisson2d", "library"] = "`poisson2d_solver::iterate`"


def figures(path, by_mix):
    """(what, cells) -> type -> text, of one file."""
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    ceilings = run["ceilings_gb_per_s"]
    table = {}
    for result in run["results"]:
        variant, steps = result["variant"], result["steps_per_pass"]
        what = WHAT.get((result["case"], variant.removesuffix(f"-{steps}") if steps > 1 else variant))
        if not what or not result["check"]["ok"]:
            continue
        dim = result["variant"].rpartition("dim-")[2]
        if dim.isdigit() and result["shape"][int(dim)] == 1:
            continue  # nothing to sum up
        t_eff = result["t_eff_gb_per_s"]
        mix = result["ceiling"] if by_mix else "copy"
        text = f"{t_eff:.0f} | {t_eff / ceilings[mix]:.2f}" + (f", {steps} steps" if steps > 1 else "")
        cells = "x".join(map(str, result["shape"]))
        table.setdefault((what, cells), {})[result["type"]] = text
    return table


def main():
    by_mix = "--by-mix" in sys.argv
    tables = [figures(path, by_mix) for path in sys.argv[1:] if path != "--by-mix"]
    elsewhere = {what for table in tables[1:] for what, _ in table}
    rows = {}
    for n, table in enumerate(tables):
        for key, of_types in table.items():
            if n > 0 or key[0] not in elsewhere or any(key in table for table in tables[1:]):
                rows.setdefault(key, {}).update(of_types)
    of = "of mix" if by_mix else "of copy"
    print(f"| what | cells | f64, GB/s | {of} | f32, GB/s | {of} |\n|---|---|---|---|---|---|")
    order = list(WHAT.values())
    for (what, cells), of_types in sorted(rows.items(), key=lambda row: order.index(row[0][0])):
        print(f"| {what} | {cells} | {of_types.get('f64', ' | ')} | {of_types.get('f32', ' | ')} |")


if __name__ == "__main__":
    main()
