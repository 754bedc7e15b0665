#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what docs/grid.md predicts for many ranks: the model of teff/grid/exchange_model.hpp on paper.

Nothing here was run on so many ranks. A step takes cell_s * cells + (latency + bytes / rate) / k,
where `cells` has the halo of k steps, and nothing is computed while halos travel.
"""

from math import prod

# Seconds of a step of the heat case in f64 on one H100, 16384 x 16384 cells, by passes of 8 steps.
CELL_S = 403e-6 / 16384**2
CELL_BYTES = 8
# Seconds, bytes a second. The first two were measured between two H200, the third is what a network
# of 400 Gb/s may do between hosts.
TRANSPORTS = {"peer copies": (3.8e-6, 389e9), "NCCL": (13e-6, 305e9), "network": (20e-6, 45e9)}
MOST_STEPS = 64


def step_s(part, cut, k, latency_s, bytes_per_s):
    """A step of a rank with neighbours at both sides of each dim that is cut."""
    held = [n + 2 * k * is_cut for n, is_cut in zip(part, cut)]
    # A message to each side; those of one dim travel both ways at once.
    sides = [k * prod(held[:d] + held[d + 1:]) for d, is_cut in enumerate(cut) if is_cut]
    return CELL_S * prod(held) + (latency_s + CELL_BYTES * sum(sides) / bytes_per_s) / k


def best(part, cut, speed):
    """(efficiency, k): the fewest steps within a percent of the best."""
    most = min([MOST_STEPS] + [n for n, is_cut in zip(part, cut) if is_cut])
    times = {k: step_s(part, cut, k, *speed) for k in range(1, most + 1)}
    k = next(k for k, t in times.items() if t <= 1.01 * min(times.values()))
    return CELL_S * prod(part) / times[k], k


def row(name, ranks, cuts, part):
    cut = [c != 1 for c in cuts]
    cells = []
    for speed in TRANSPORTS.values():
        each = CELL_S * prod(part) / step_s(part, cut, 1, *speed)
        efficiency, k = best(part, cut, speed)
        cells.append(f"{each:.2f}, {efficiency:.2f} ({k})")
    print("|", " | ".join([name, ranks, "x".join(map(str, cuts)), "x".join(map(str, part)), *cells]), "|")


def main():
    print("| grid | ranks | cuts | part |", " | ".join(TRANSPORTS), "|")
    print("|---|---|---|---|" + "---|" * len(TRANSPORTS))
    row("a part for each rank", "64, 1024", (1, "n"), (16384, 16384))
    row("a part for each rank", "64, 1024", (1, "n"), (4096, 4096))
    row("32768x32768", "64", (1, 64), (32768, 512))
    row("32768x32768", "64", (8, 8), (4096, 4096))
    row("32768x32768", "1024", (1, 1024), (32768, 32))
    row("32768x32768", "1024", (32, 32), (1024, 1024))


if __name__ == "__main__":
    main()
