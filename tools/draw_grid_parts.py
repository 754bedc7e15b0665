#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/pictures/grid_parts.svg: a grid cut into parts, and what one rank holds.

draw_grid_parts.py > docs/pictures/grid_parts.svg
"""

CELL, NX, NY, RANKS, STEPS = 14, 20, 18, 3, 4
OWN = ["#4477aa", "#66a182", "#cc8963"]
# Of rank 1's halo, by the steps after which its cells are still right.
RIGHT = ["#f2f2f2", "#dfe9e3", "#c5d9cd", "#a9c9b6"]


def box(x, y, w, h, fill, stroke="white"):
    print(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{fill}" stroke="{stroke}"/>')


def text(x, y, words, anchor="start"):
    print(f'<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>')


def row_of(x, y, fill):
    box(x, y, NX * CELL, CELL, fill)
    lines = "".join(f"M{x + CELL * i} {y}v{CELL}" for i in range(1, NX))
    print(f'<path d="{lines}" stroke="white"/>')


def main():
    top, left, gap = 30, 10, 90
    rows = NY // RANKS
    right = left + NX * CELL + gap
    width, height = right + NX * CELL + 250, top + (NY + 1) * CELL
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
          'font-family="sans-serif" font-size="13">')
    box(0, 0, width, height, "white")
    text(left, 18, f"a grid of {NX}x{NY} cells, cut 1x{RANKS}")
    for j in range(NY):  # y goes up
        rank = j // rows
        row_of(left, top + CELL * (NY - 1 - j), OWN[rank])
    for rank in range(RANKS):
        y = top + CELL * (NY - rows * rank - rows / 2) + 5
        text(left + NX * CELL + 8, y, f"rank {rank}")
    text(right, 18, f"what rank 1 holds for {STEPS} steps")
    for j in range(rows - STEPS, 2 * rows + STEPS):
        away = max(rows - j, j - 2 * rows + 1, 0)  # rows from the own ones
        fill = OWN[1] if away == 0 else RIGHT[STEPS - away]
        row_of(right, top + CELL * (NY - 1 - j), fill)
        if away:
            after = STEPS - away
            words = "right before step 1 only" if after == 0 else \
                f"right after {after} step" + ("s" if after > 1 else "")
            text(right + NX * CELL + 8, top + CELL * (NY - j) - 3, words)
    text(right + NX * CELL + 8, top + CELL * (NY - 1.5 * rows) + 5, "own cells: always right")
    print("</svg>")


if __name__ == "__main__":
    main()
