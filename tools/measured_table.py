#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the tables of docs/measured.md from results files of the command `teff`, or checks them.

usage: tools/measured_table.py [--by-mix] results/h200/lab.json [results/h200/diffusion2d.json ...]
       tools/measured_table.py --steps | --check | --self-test

--steps prints the table of the steps that the lab does not ship, of results/h200/rows. --check compares every row of
that and of the page's two long tables with what the committed files give: PAGE says which. A page may leave rows out;
rows of ELSEWHERE are of other programs.

Every figure is a result that was checked; T_eff is compared with the copy of the same run, with --by-mix with the
ceiling of the same mix. What later files measured only at other sizes is left
out of the first.
"""

import json
import sys
from pathlib import Path

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
    WHAT["cumsum", f"vendor-dim-{dim}"] = f"CUB, cumulative sum along dim {dim}"
WHAT["reduce", "full"] = "`sum(A)`"
WHAT["reduce", "vendor"] = "CUB, sum"
for dim in "012":
    WHAT["reduce", f"dim-{dim}"] = f"`sum(A, {dim})`"
    WHAT["reduce", f"vendor-dim-{dim}"] = f"CUB, sum along dim {dim}"
    WHAT["reduce_expression", f"dim-{dim}"] = f"`sum(A * B + C, {dim})`"
WHAT["transpose", "kernel"] = "transpose, kernel, one cell a thread"
WHAT["transpose", "best"] = "`transpose(B, A)`"
WHAT["transpose", "vendor"] = "the same by cuBLAS (`geam`)"
WHAT["segmented_sum", "best"] = "`segmented_sum(O, X, bags)`"
WHAT["segmented_sum", "vendor"] = "the same by CUB"
for layout, name in (("column-major", ""), ("row-major", "-row-major")):
    WHAT["gemv", layout] = f"matrix-vector product, kernel, one thread a row, {layout}"
    WHAT["gemv", f"best{name}"] = f"`gemv(y, A, x)`, {layout}"
    WHAT["gemv", f"vendor{name}"] = f"the same by cuBLAS, {layout}"
for case in ("d2x", "d2y"):
    WHAT[case, "flat"] = f"{case}, kernel, one cell a thread"
    WHAT[case, "statement"] = f"`{case}(y, u, h)`"
WHAT["poisson2d", "stored"] = "iteration of conjugate gradients, A p stored"
WHAT["poisson2d", "library"] = "`poisson2d_solver::iterate`"

# The steps of results/h200/rows, in the order of their table, and their cells.
ROWS = {
    "nonlinear": ("heat, conductivity 1 + T^2", "8190^2"),
    "ice": ("shallow ice, by `once`", "8190^2"),
    "elastic": ("elastic waves, five unknowns", "8190^2"),
    "gray_scott": ("Gray-Scott, periodic, a `together`", "8190^2"),
    "leapfrog": ("leapfrog, two time levels", "8190^2"),
    "stokes": ("Stokes, ten fields", "8190^2"),
    "order8_2d": ("star of 17 cells (order 8), a known field", "8192^2"),
    "order8_3d": ("the same in 3-D, 25 cells", "512^3"),
    "heat3": ("3-D heat", "512^3"),
    "star3": ("3-D star of 7 cells", "512^3"),
    "insulated3": ("3-D heat between insulating walls", "512^3"),
    "sound3": ("3-D sound, four unknowns", "511^3"),
    "elastic3": ("3-D elastic waves, nine unknowns", "512^3"),
}
HEAD_OF_ROWS = "| step | cells | single | all at once | several | by hand | CuPy | JAX | torch.compile |"

RESULTS = Path(__file__).resolve().parent.parent / "results/h200"
# A table's column of shares, and the files that its rows are from.
PAGE = {
    "of copy": ["lab", "streams", "diffusion2d", "diffusion3d", "star2d", "box2d", "star3d", "insulated2d",
                "insulated3d", "pressure2d", "wave2d", "wave3d", "diffusion1d", "nonlinear2d",
                "second_derivatives", "poisson2d"],
    "of mix": ["lab", "cumsum", "cumsum_vendor", "reduce", "reduce_vendor", "reduce_expression",
               "transpose", "segmented_sum", "gemv"],
}
# Rows of a timing program (results/h200/readings/timings.txt): no results file has them.
ELSEWHERE = {(f"`sum(A, {dim})`", cells) for dim in "01" for cells in ("100x1000000x1", "13x10000000x1")}


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


def rows_of(paths, by_mix):
    """The lines of a table, in the order of WHAT."""
    tables = [figures(path, by_mix) for path in paths]
    elsewhere = {what for table in tables[1:] for what, _ in table}
    rows = {}
    for n, table in enumerate(tables):
        for key, of_types in table.items():
            if n > 0 or key[0] not in elsewhere or any(key in table for table in tables[1:]):
                rows.setdefault(key, {}).update(of_types)
    order = list(WHAT.values())
    return [f"| {what} | {cells} | {of_types.get('f64', ' | ')} | {of_types.get('f32', ' | ')} |"
            for (what, cells), of_types in sorted(rows.items(), key=lambda row: order.index(row[0][0]))]


def best_of(runs, schedule):
    """The fastest of a schedule that has the bits, or the rounding, that it is to have."""
    found = [run for run in runs if run["schedule"] == schedule and "of_copy" in run]
    return max(found, key=lambda run: run["of_copy"], default=None)


def lines_of_steps():
    """A row's line, of the runs of ROW.json and peers_ROW.json."""
    lines = []
    for row, (what, cells) in ROWS.items():
        of_types = [[], []]
        for name in (row, f"peers_{row}"):
            for runs, of_type in zip(of_types, json.loads((RESULTS / f"rows/{name}.json").read_text())["types"]):
                runs += of_type["runs"]
        texts = []
        for schedule in ("stepwise", "fused", "temporal", "by_hand", "cupy", "jax", "torch"):
            best = [best_of(runs, schedule) for runs in of_types]
            text = " / ".join(f"{run['of_copy']:.2f}" if run else "-" for run in best)
            if schedule == "temporal" and any(best):
                text += ", " + " / ".join(str(run["depth"]) if run else "-" for run in best) + " steps"
            texts.append("-" if not any(best) else text)
        lines.append(f"| {what} | {cells} | {' | '.join(texts)} |")
    return lines


def head_of(of):
    return f"| what | cells | f64, GB/s | {of} | f32, GB/s | {of} |"


def faults_of(page):
    """Rows of a page that no results file gives, and the number of rows looked at."""
    faults, count = [], 0
    tables = {head_of(of): rows_of([RESULTS / f"{name}.json" for name in names], of == "of mix")
              for of, names in PAGE.items()}
    for head, known in {**tables, HEAD_OF_ROWS: lines_of_steps()}.items():
        if head not in page:
            faults.append(f"docs/measured.md has no table `{head}`")
            continue
        for n in range(page.index(head) + 2, len(page)):
            if not page[n].startswith("|"):
                break
            count += 1
            what, cells = (cell.strip() for cell in page[n].split("|")[1:3])
            if page[n] not in known and (what, cells) not in ELSEWHERE:
                faults.append(f"docs/measured.md:{n + 1}: no file in results/h200 gives `{page[n]}`")
    return faults, count


def conclude(faults, count):
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{count - len(faults)} passed, {len(faults)} failed, 0 skipped")
    sys.exit(bool(faults))


def main():
    page = (RESULTS.parent.parent / "docs/measured.md").read_text(encoding="utf-8").splitlines()
    if sys.argv[1:] == ["--check"]:
        conclude(*faults_of(page))
    if sys.argv[1:] == ["--self-test"]:
        heads = [page.index(head) + 2 for head in (head_of("of copy"), HEAD_OF_ROWS)]
        planted = [page[:first] + [page[first].replace("| 0.", "| 1.", 1)] + page[first + 1:] for first in heads]
        planted.append(page[:heads[0] - 2])
        missed = [f"self-test: planted fault {n} was not found" for n, text in enumerate(planted)
                  if len(faults_of(text)[0]) == len(faults_of(page)[0])]
        conclude(missed, len(planted))
    if sys.argv[1:] == ["--steps"]:
        print(HEAD_OF_ROWS, "|---" * 9 + "|", *lines_of_steps(), sep="\n")
        return
    by_mix = "--by-mix" in sys.argv
    print(head_of("of mix" if by_mix else "of copy"), "|---|---|---|---|---|---|", sep="\n")
    print(*rows_of([path for path in sys.argv[1:] if path != "--by-mix"], by_mix), sep="\n")


if __name__ == "__main__":
    main()
