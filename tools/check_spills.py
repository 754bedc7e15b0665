#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_spills.py BUILD: which shipped kernels spill registers, by what ptxas said of them.

Reads the OBJECT.ptxas files that ptxas_log.sh left. A spill fails, but in a kernel whose name
holds `temporal` or `marching`: those spill only where it was measured to pay, and are listed. Stack
frames (f64 sin, cos, ...) are listed too. `--self-test` sees a planted spill caught.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

KERNEL = re.compile(r"Function properties for (\S+)\n\s+(\d+) bytes stack frame, "
                    r"(\d+) bytes spill stores, (\d+) bytes spill loads")
# (Of teff_c, which has every algorithm for every type, products and extremes of rows of 8-byte
# integers spill some. The vendor's kernels are not Teff's, and lean hardly optimizes them.)
NOT_LOOKED_AT = ("/headers_alone", "/teff_test_cuda.dir/", "/teff_test_mpi_cuda.dir/", "/teff_c.dir/",
                 "/bench/algo/vendor.cpp")


def parse(log):
    """{mangled name: (stack, stores, loads)} in bytes."""
    return {name: tuple(map(int, numbers)) for name, *numbers in KERNEL.findall(log)}


def is_fault(name, numbers):
    return any(numbers[1:]) and not any(way in name for way in ("temporal", "marching"))


def logs(build):
    """What ptxas said of each object that the build still makes."""
    for command in json.loads((build / "compile_commands.json").read_text()):
        log = build / (re.search(r" -o (\S+)", command["command"])[1] + ".ptxas")
        if log.exists() and not any(part in str(log) for part in NOT_LOOKED_AT):
            yield log.read_text()


def self_test():
    log = ("ptxas info    : Function properties for {}\n"
           "    {} bytes stack frame, {} bytes spill stores, {} bytes spill loads\n")
    cases = [("plain", 0, 0, 0, False), ("sine", 32, 0, 0, False), ("stores", 8, 8, 0, True),
             ("loads", 8, 0, 8, True), ("temporal_pass", 8, 8, 8, False),
             ("marching_kernel", 0, 4, 4, False)]
    kernels = parse("".join(log.format(*case[:4]) for case in cases))
    return [is_fault(*kernel) for kernel in kernels.items()] == [case[4] for case in cases]


def main(build):
    kernels = {}
    for log in logs(Path(build)):
        kernels.update(parse(log))
    if not kernels:
        sys.exit(f"{build}: no .ptxas file; configure with a preset that uses tools/ptxas_log.sh")
    faults = 0
    for name, numbers in sorted(kernels.items()):
        if any(numbers):
            fault = is_fault(name, numbers)
            faults += fault
            shown = subprocess.run(["c++filt", name], capture_output=True, text=True,
                                   check=False).stdout.strip() or name
            print(f"{'FAULT ' if fault else ''}stack {numbers[0]}, spill stores {numbers[1]}, "
                  f"spill loads {numbers[2]} bytes: {shown[:200]}")
    print(f"{len(kernels)} kernels\n{int(faults == 0)} passed, {faults} failed, 0 skipped")
    return faults


if __name__ == "__main__":
    sys.exit(not self_test() if sys.argv[1:] == ["--self-test"] else main(sys.argv[1]) > 0)
