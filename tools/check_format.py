#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that clang-format 14 leaves every C++ source as it is (`./run format` mends one).

Prints each file that differs, and its first line that does, then `N passed, N failed, N skipped`.
The output is compared with the file, since `--dry-run -Werror` complains of ends of namespaces that
are right. Another version sets other breaks: then all is skipped, and said. `--self-test` plants a
fault.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = 14
FOLDERS = ["teff", "apps", "bench", "test", "examples"]
SOURCES = {".hpp", ".cpp", ".cuh", ".cu"}


def formatter():
    """The command, or None and why not."""
    seen = []
    for name in ("clang-format", f"clang-format-{VERSION}"):
        if path := shutil.which(name):
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            version = re.search(r"version (\d+)", said)
            if version and int(version[1]) == VERSION:
                return path, ""
            seen.append(said.strip())
    return None, f"clang-format {VERSION} is needed, found {', '.join(seen) or 'none'}"


def fault_of(command, file, root):
    """"", or where the file is not as clang-format has it."""
    done = subprocess.run([command, "--style=file", file], capture_output=True, check=False)
    if done.returncode:
        return f"{file.relative_to(root)}: {done.stderr.decode(errors='replace').strip()}"
    is_there, should = file.read_bytes(), done.stdout
    if is_there == should:
        return ""
    pairs = zip(is_there.split(b"\n"), should.split(b"\n"))
    line = next((n for n, (a, b) in enumerate(pairs, 1) if a != b), 1)
    return f"{file.relative_to(root)}:{line}: not as clang-format has it; ./run format mends it"


def check(command, root):
    files = [f for folder in FOLDERS for f in sorted((root / folder).rglob("*")) if f.suffix in SOURCES]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [f for f in pool.map(lambda file: fault_of(command, file, root), files) if f]
    return faults, len(files)


def self_test(command):
    """A right file passes, with a namespace of the kind that --dry-run complains of; a wrong one not."""
    right = "namespace teff::inline TEFF_MODE::detail {\n\nint a;\n\n}  // namespace teff::inline TEFF_MODE::detail\n"
    faults = []
    for text, sentence in (right, ""), (right.replace("int a", "int  a"), "a.hpp:3: not as clang-format"):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "teff").mkdir()
            shutil.copy(ROOT / ".clang-format", root)
            (root / "teff/a.hpp").write_text(text)
            found, _ = check(command, root)
            if len(found) != bool(sentence) or not all(sentence in fault for fault in found):
                faults.append(f"self-test: planted '{sentence}', found {found}")
    return faults, 2


if __name__ == "__main__":
    command, why_not = formatter()
    if not command:
        print(why_not, "0 passed, 0 failed, 1 skipped", sep="\n")
        sys.exit(0)
    faults, count = self_test(command) if sys.argv[1:] == ["--self-test"] else check(command, ROOT)
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{count - len(faults)} passed, {len(faults)} failed, 0 skipped")
    sys.exit(bool(faults))
