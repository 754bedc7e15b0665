#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_misuse.py FILE COMPILER FLAG...: does the compiler refuse FILE with the right sentence?

The first line of FILE says what must happen: `// expect: SENTENCE` (an error that says so),
`// expect first: SENTENCE` (the first error does), `// expect only: SENTENCE` (there is one error,
and it does) or `// compiles` (the control: the flags are right, and not everything is refused).
Lines `// absent: SENTENCE` below it name what must not be said, and lines `// with: FLAG...` flags
with each of which all this must happen.
"""

import subprocess
import sys


def verdict(demands, status, output):
    """None if what happened is what the first lines of the file ask for, else a sentence."""
    what, _, sentence = demands[0].partition(": ")
    if demands[0] == "// compiles":
        return None if status == 0 else "must compile, and does not"
    if what not in ("// expect", "// expect first", "// expect only") or not sentence:
        return "the first line must be `// expect: SENTENCE` or `// compiles`"
    if status == 0:
        return "must not compile, and does"
    # Only what the compiler says counts, not the lines of source that it shows (`12 | ...`).
    said = [line for line in output.splitlines() if " | " not in line]
    for line in demands[1:]:
        kind, _, unwanted = line.partition(": ")
        if kind == "// absent" and any(unwanted in one for one in said):
            return f"refused, but also with the sentence: {unwanted}"
    errors = [line for line in said if "error: " in line]
    if what == "// expect only" and len(errors) != 1:
        return f"refused, but with {len(errors)} errors instead of one"
    where = said if what == "// expect" else errors[:1]
    if sentence not in " ".join(where):
        first = "" if what == "// expect" else " first"
        return f"refused, but not{first} with the sentence: {sentence}"
    return None


def demands_of(source):
    """The first line, and those below it that say `// absent: ` or `// with: `."""
    first, *rest = [line.strip() for line in source]
    return [first, *[line for line in rest if line.startswith(("// absent: ", "// with: "))]]


def flags_with(demands):
    """The flags to compile with, one list after the other."""
    return [line.removeprefix("// with: ").split() for line in demands
            if line.startswith("// with: ")] or [[]]


def self_test():
    one, first, only = (f"// expect{how}: one of" for how in ("", " first", " only"))
    two = "x.cpp:1: error: two of\nx.cpp:1: error: one of these"
    right = [(["// compiles"], 0, ""), ([one], 1, "x.cpp:1: error: one of these"),
             ([one], 1, two), ([first], 1, "x.cpp:1: error: one of these\nx.cpp:2: error: two of"),
             ([only], 1, "In file x:\nx.cpp:1: error: one of these"),
             ([one, "// absent: three of"], 1, two)]
    wrong = [(["// compiles"], 1, ""), ([one], 0, "one of"), ([""], 1, ""),
             (["// expect: "], 1, ""), ([one], 1, "error: two of"), ([one], 1, " 3 | // one of"), ([first], 1, two),
             ([only], 1, two), ([one, "// absent: two of"], 1, two)]
    flags = flags_with(demands_of(["// expect: x", "// with: -a -b", "", "// with: -c", "int x;"]))
    return (all(verdict(*v) is None for v in right) and all(verdict(*v) for v in wrong)
            and flags == [["-a", "-b"], ["-c"]] and flags_with(["// compiles"]) == [[]])


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(not self_test())
    file, *compiler = sys.argv[1:]
    with open(file, encoding="utf-8") as source:
        demands = demands_of(source)
    for flags in flags_with(demands):
        run = subprocess.run([*compiler, *flags, "-fsyntax-only", "-fmessage-length=0", file],
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             check=False)
        if fault := verdict(demands, run.returncode, run.stdout):
            print(run.stdout)
            sys.exit(" ".join([f"{file}: {fault}", *flags]))
    print(demands[0])
