#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_misuse.py FILE COMPILER FLAG...: does the compiler refuse FILE with the right sentence?

The first line of FILE says what must happen: `// expect: SENTENCE` (an error that says so) or
`// compiles` (the control: the flags are right, and not everything is refused).
"""

import subprocess
import sys


def verdict(first_line, status, output):
    """None if what happened is what the first line asks for, else a sentence."""
    if first_line == "// compiles":
        return None if status == 0 else "must compile, and does not"
    if not first_line.startswith("// expect: "):
        return "the first line must be `// expect: SENTENCE` or `// compiles`"
    if status == 0:
        return "must not compile, and does"
    sentence = first_line.removeprefix("// expect: ")
    # Only what the compiler says counts, not the lines of source that it shows (`12 | ...`).
    said = " ".join(line for line in output.splitlines() if " | " not in line)
    return None if sentence in said else f"refused, but not with the sentence: {sentence}"


def self_test():
    right = [("// compiles", 0, ""), ("// expect: one of", 1, "x.cpp:1: error: one of these"), ]
    wrong = [("// compiles", 1, ""), ("// expect: one of", 0, "one of"), ("", 1, ""),
             ("// expect: one of", 1, "error: two of"), ("// expect: one of", 1, " 3 | // one of")]
    return all(verdict(*v) is None for v in right) and all(verdict(*v) for v in wrong)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(not self_test())
    file, *compiler = sys.argv[1:]
    with open(file, encoding="utf-8") as source:
        first_line = source.readline().strip()
    run = subprocess.run([*compiler, "-fsyntax-only", "-fmessage-length=0", file], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    fault = verdict(first_line, run.returncode, run.stdout)
    print(run.stdout if fault else first_line)
    sys.exit(f"{file}: {fault}" if fault else 0)
