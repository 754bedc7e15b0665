#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`./run test`: every step in order, whatever failed before; the last line sums all counts.

Steps that keep one core busy, and stand side by side in the list, run two at a time.

A step's counts are what its output says: doctest's test cases and CTest's tests, headers compiled,
or a line `N passed, N failed, N skipped`; a step that says nothing counts as one test.
`--only WORD...` runs the steps whose name holds one of the words. `--long` adds those that go on for
minutes: all generated formulas and emulated rounds, registers of all kernels, more ranks under MPI,
every fuzzer for a minute, and 200 runs of `teff solve` that are killed and resumed. Without a GPU the
first build is that of the preset `lean`, in build/lean: with -Og, few of the generated formulas, and
as CUDA only cases of bench, with every algorithm once; of time steps and solvers no further than PTX.
What runs under the sanitizers, in build/cpu-asan, is not compiled here, too, but for some rooms.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

LOGS = Path("build/log")
SAYS = threading.Lock()  # what two steps say is not mixed


def has_gpu():
    smi = shutil.which("nvidia-smi")
    return smi and "GPU 0" in subprocess.run([smi, "-L"], capture_output=True, text=True, check=False).stdout


PRESET = "release" if has_gpu() else "lean"
BUILD = Path("build") / PRESET
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", re.M)


def count_lines(output, status):
    """The script says it itself; else its exit status does."""
    said = COUNTS.findall(output)
    return tuple(map(int, said[-1])) if said else (int(status == 0), int(status != 0), 0)


def count_ctest(output, _status):
    """Test cases where a test is a doctest program, else 1 for each test."""
    cases = {test: (int(good), int(bad)) for test, good, bad in re.findall(
        r"^(\d+): \[doctest\] test cases: .*?(\d+) passed \| +(\d+) failed", output, re.M)}
    passed = failed = skipped = 0
    for test, result in re.findall(r"^ *\d+/\d+ Test +#(\d+): .*?\.\.+ *(?:\*\*\*)?([A-Z]\w+)",
                                   output, re.M):
        good, bad = cases.get(test, (int(result == "Passed"), 0))
        passed += good
        failed += bad or int(result not in ("Passed", "Skipped"))
        skipped += int(result == "Skipped")
    return passed, failed, skipped


def count_doctest(output, _status):
    """Test cases of a program that is run by itself."""
    said = re.search(r"^\[doctest\] test cases: .*?(\d+) passed \| +(\d+) failed", output, re.M)
    return (int(said[1]), int(said[2]), 0) if said else (0, 1, 0)


def count_headers(output, _status, extension):
    """One test for each header; the commands of the build say how many there are."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    total = sum(bool(re.search(r"/headers_alone/.*" + extension, command["file"]))
                for command in commands)
    failed = len(re.findall(r"^FAILED: \S*/headers_alone/", output, re.M))
    return total - failed, failed, 0


@dataclass
class Step:
    name: str
    command: str
    count: callable = count_lines
    needs_cuda: bool = False
    takes_one_core: bool = False


def has_cuda():
    """Whether CMake found a CUDA compiler; its cache says so."""
    cache = BUILD / "CMakeCache.txt"
    return cache.exists() and "teff_CUDA:INTERNAL=ON" in cache.read_text()


def with_clang():
    """Where it can: it compiles what the sanitizers look at in 0.6 of gcc's time, and what it warns of
    is no failure here, as gcc's build is the one without warnings."""
    program = "#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }\n"
    command = "clang++ -fopenmp -fsanitize=address,undefined -x c++ - -o /dev/null"
    if not shutil.which("clang++") or subprocess.run(
            command.split(), input=program, text=True, capture_output=True, check=False).returncode:
        return ""
    return " -DCMAKE_CXX_COMPILER=clang++ -DTEFF_WERROR=OFF"


STEPS = [
    Step("layers: self-test", "tools/check_layers.py --self-test"),
    Step("layers", "tools/check_layers.py"),
    Step("format: self-test", "tools/check_format.py --self-test"),
    Step("format", "tools/check_format.py"),
    Step("generated tests", "cd test/stencil && python3 write_formulas.py --check && "
                            "python3 write_once_formulas.py --check"),
    Step(f"{PRESET}: build", f"cmake --preset {PRESET} && cmake --build --preset {PRESET} -- -k 0"),
    Step(f"{PRESET}: tests", f"ctest --preset {PRESET} --verbose", count_ctest),
    Step("headers alone, as CUDA", f"cmake --build {BUILD} --target headers_alone_cuda -- -k 0",
         partial(count_headers, extension=r"\.cu$"), needs_cuda=True),
    Step("python", f"tools/test_python.sh {BUILD}"),
    Step("spills: self-test", "tools/check_spills.py --self-test", takes_one_core=True),
    Step("spills", f"tools/check_spills.py {BUILD}", needs_cuda=True, takes_one_core=True),
    Step("outside project", f"tools/test_package.sh {BUILD}", takes_one_core=True),
    Step("without root", "tools/test_no_root.sh", takes_one_core=True),
    Step("MPI", f"tools/test_mpi.py {BUILD}", takes_one_core=True),
    Step("help: self-test", "tools/check_help.py --self-test", takes_one_core=True),
    Step("help", f"tools/check_help.py {BUILD}", takes_one_core=True),
    Step("measured tables: self-test", "tools/measured_table.py --self-test", takes_one_core=True),
    Step("measured tables", "tools/measured_table.py --check", takes_one_core=True),
    Step("docs: self-test", "tools/check_docs.py --self-test", takes_one_core=True),
    Step("docs", f"tools/check_docs.py {BUILD}", takes_one_core=True),
    Step("reference", "if command -v doxygen; then mkdir -p build && doxygen docs/Doxyfile; "
         "else echo '0 passed, 0 failed, 1 skipped'; fi", takes_one_core=True),
    Step("compile times", "tools/compile_times.sh", takes_one_core=True),
    # Without lines in what a failure says, a fifth of the time: the preset alone has them.
    Step("sanitize: build", f"cmake --preset cpu-asan -DCMAKE_CXX_FLAGS_NONE={with_clang()} && "
                            "cmake --build --preset cpu-asan -- -k 0"),
    Step("sanitize: tests", "ctest --preset cpu-asan --verbose", count_ctest),
]


def long_steps(fuzz_s, tries):
    """What chance may find, the longer the more."""
    command = f"cmake --build {BUILD} --target teff_command"
    return [
        Step("all generated cases", f"cmake --preset {PRESET} -DTEFF_TEST_ONLY= -DTEFF_TEST_WITHOUT= && "
             f"cmake --build {BUILD} --target teff_test && TEFF_TEST_LONG=1 OMP_WAIT_POLICY=passive "
             f"{BUILD}/bin/teff_test --source-file='*/stencil/*,*/grid/*,*/algo/*,*/solver/*'", count_doctest),
        Step("spills of all kernels", "cmake --preset cuda && cmake --build build/cuda --target "
             "teff_command && tools/check_spills.py build/cuda", needs_cuda=True),
        Step("headers alone, as C++", f"cmake --build {BUILD} --target headers_alone -- -k 0",
             partial(count_headers, extension=r"\.cpp$")),
        Step("MPI, more ranks and in time", f"tools/test_mpi.py {BUILD} --long"),
        # (A team of one: the sanitizer does not see how gcc's OpenMP waits, and calls it a race.)
        Step("ranks under the thread sanitizer", "cmake --preset cpu-tsan && cmake --build build/cpu-tsan "
             "--target teff_test && OMP_THREAD_LIMIT=1 TSAN_OPTIONS=halt_on_error=1 "
             "build/cpu-tsan/bin/teff_test --source-file='*/grid/*'", count_doctest),
        Step("python: all bits, a wheel", f"tools/test_python.sh {BUILD} --long"),
        Step("fuzz", f"tools/fuzz.sh {fuzz_s}"),
        Step("library alone, without root", "tools/test_no_root.sh --long"),
        Step("kill and resume", f"{{ [ -e {BUILD}/CMakeCache.txt ] || cmake --preset {PRESET}; }} && "
             f"{command} && tools/kill_and_resume.py {tries} {BUILD}/bin/teff"),
    ]


def show_failure(output, log):
    """What each failed test or compilation said; without any, the end of the log."""
    tests = re.findall(r"^ *\d+/\d+ Test +#(\d+): .*\*\*\*(?!Skipped)", output, re.M)
    parts = ["\n".join(re.findall(rf"^{test}: (.*)", output, re.M)) for test in tests]
    parts += re.findall(r"^FAILED: [^\n]*\n[^\n]*\n(.*?)(?=^\[\d+/\d+\] |^ninja: )", output, re.M | re.S)
    for part in parts[:8] or [output]:
        print("", *part.splitlines()[-40:], sep="\n")
    print(f"\nwhole log: {log}\n", flush=True)


def run(step, position):
    """Runs one step, says how it went, and returns its counts."""
    begin = f"{position} {step.name} ..."
    if not step.takes_one_core:
        print(begin, end=" ", flush=True)
        begin = ""
    if step.needs_cuda and not has_cuda():
        print(f"{begin} 1 skipped: built without CUDA, as no nvcc was found".strip(), flush=True)
        return 0, 0, 1
    start = time.monotonic()
    done = subprocess.run(step.command, shell=True, text=True, errors="replace", check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = LOGS / (re.sub(r"\W+", "_", step.name) + ".txt")
    log.write_text(done.stdout)
    passed, failed, skipped = step.count(done.stdout, done.returncode)
    if done.returncode != 0 and failed == 0:
        failed = 1  # it went wrong after, or before, all that it counted
    took_s = time.monotonic() - start
    with SAYS:
        print(f"{begin} {passed} passed, {failed} failed, {skipped} skipped, {took_s:.1f} s".strip(),
              flush=True)
        if failed:
            show_failure(done.stdout, log)
    return passed, failed, skipped


def main():
    parser = argparse.ArgumentParser(prog="./run test")
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD")
    parser.add_argument("--long", action="store_true",
                        help="also all formulas, fuzz, and kill and resume: minutes more")
    parser.add_argument("--fuzz-seconds", type=int, default=60, metavar="N",
                        help="for each fuzzer of --long (default 60)")
    parser.add_argument("--kill-tries", type=int, default=200, metavar="N",
                        help="runs that --long kills and resumes (default 200)")
    asked = parser.parse_args()
    longer = long_steps(asked.fuzz_seconds, asked.kill_tries)
    steps = [step for step in STEPS + (longer if asked.long else [])
             if any(word in step.name for word in asked.only)]
    if not steps:
        names, more = (", ".join(step.name for step in some) for some in (STEPS, longer))
        parser.error(f"no step's name holds {' or '.join(asked.only)}; the steps are {names}; "
                     f"with --long also {more}")
    LOGS.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    results = []
    for takes_one_core, some in groupby(enumerate(steps, 1), lambda pair: pair[1].takes_one_core):
        with ThreadPoolExecutor(2 if takes_one_core else 1) as pool:
            results += pool.map(lambda pair: run(pair[1], f"[{pair[0]}/{len(steps)}]"), some)
    passed, failed, skipped = (sum(column) for column in zip(*results, (0, 0, 0)))
    print(f"{time.monotonic() - start:.0f} s in all")
    for step, result in zip(steps, results):
        if result[1]:
            print(f"failed: {step.name}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent.parent)
    main()
