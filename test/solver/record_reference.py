#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the values that test_reference*.cpp expect, with the reason for the change.

usage: test/solver/record_reference.py --test build/release/bin/teff_test --reason "why they change"

A recorded value is a promise to users. Change one only where the formula was meant to change, and
say so; the reason is stored beside the values.
"""
import argparse
import os
import pathlib
import subprocess
import sys

HEADER = '''// SPDX-License-Identifier: MIT
// Written by record_reference.py: do not edit.
#pragma once

/// What the solvers gave when it was last recorded: 20 sampled values, the norm, the largest
/// magnitude.
namespace teff::test {

struct reference {
  const char* name;
  double numbers[22];
};

/// Why they were recorded anew.
inline constexpr const char* reference_reason =
    "%s";

inline constexpr reference reference_values[] = {
%s};

}  // namespace teff::test
'''


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--test", required=True, help="the test program")
    arguments.add_argument("--reason", required=True, help="why the values change")
    asked = arguments.parse_args()
    reason = asked.reason.strip()
    if len(reason) < 10 or '"' in reason or "\\" in reason:
        sys.exit("the reason: a sentence of at least 10 letters, without quotes or backslashes")
    run = subprocess.run(
        [asked.test, "--test-case=reference values:*"], capture_output=True, text=True,
        env=dict(os.environ, TEFF_RECORD_REFERENCE="1", TEFF_DEVICE="cpu"), check=True)
    rows = {}
    for line in run.stdout.splitlines():
        if line.startswith("reference|"):
            _, name, *numbers = line.split("|")
            if rows.setdefault(name, numbers) != numbers:
                sys.exit(f"{name}: devices differ; nothing was written")
    if not rows or any(len(numbers) != 22 for numbers in rows.values()):
        sys.exit("the test program printed no values; nothing was written")
    text = ""
    for name, numbers in rows.items():
        text += f'    {{"{name}",\n     {{'
        text += ",\n      ".join(", ".join(numbers[at:at + 4]) for at in range(0, 22, 4))
        text += "}},\n"
    target = pathlib.Path(__file__).with_name("reference_values.hpp")
    target.write_text(HEADER % (reason, text))
    print(f"{target}: {len(rows)} fields")


if __name__ == "__main__":
    main()
