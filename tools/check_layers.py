#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the order of the tree; prints each fault, then `N passed, N failed, N skipped`.

An include goes to a room below, never into another room's detail/, and is written
<teff/room/file>. A room has a README of at most 40 lines. A README names only files that exist.
No source file is longer than 600 lines. `--self-test` plants each fault and sees it caught.
"""

import re
import sys
import tempfile
from pathlib import Path

ROOMS = ["base", "array", "traffic", "kernel", "expr", "algo", "formula", "stencil", "grid", "solver", "io",
         "lab"]
FOLDERS = ["teff", "apps", "bench", "test", "examples", "tools", "cmake", "docs"]
SOURCES = {".hpp", ".cuh", ".cpp", ".cu", ".py", ".sh", ".cmake"}
NAMED_FILE = re.compile(r"`([\w./-]+\.(?:hpp|cuh|cpp|cu|py|sh|cmake|md))`|\]\(([^)#:]+)\)")


def check_includes(path, room, lines):
    for n, line in enumerate(lines, 1):
        include = re.match(r'\s*#\s*include\s*([<"].*[>"])', line)
        if not include:
            continue
        target = re.match(r"<teff/(\w+)/", include[1])
        if include[1][0] == '"':
            yield f"{path}:{n}: write #include <teff/room/file>"
        elif target and target[1] not in ROOMS:
            yield f"{path}:{n}: there is no room {target[1]}"
        elif target and ROOMS.index(target[1]) > ROOMS.index(room):
            yield f"{path}:{n}: {room} must not include {target[1]}"
        elif target and target[1] != room and "/detail/" in line:
            yield f"{path}:{n}: {room} includes {target[1]}'s detail"
        elif include[1] == "<teff/teff.hpp>":
            yield f"{path}:{n}: teff.hpp is for programs that use Teff"


def check_readme(root, path, lines):
    folder = (root / path).parent
    in_code = False
    for n, line in enumerate(lines, 1):
        in_code ^= line.lstrip().startswith("```")
        if in_code:  # a lambda there looks like a link
            continue
        for name in (a or b for a, b in NAMED_FILE.findall(line)):
            if not ((folder / name).exists() or (root / name).exists()):
                yield f"{path}:{n}: names {name}, which does not exist"


def check(root):
    """All faults, one sentence each, and the number of files looked at."""
    faults, count = [], 0
    for room in ROOMS:
        if (root / "teff" / room).is_dir() and not (root / "teff" / room / "README.md").exists():
            faults.append(f"teff/{room}: has no README.md")
    files = [f for folder in FOLDERS for f in (root / folder).rglob("*")] + list(root.glob("*"))
    for file in sorted(f for f in files if f.is_file()):
        path = file.relative_to(root)
        if file.suffix not in SOURCES | {".md"}:
            continue
        count += 1
        lines = file.read_text(encoding="utf-8").splitlines()
        in_room = path.parts[0] == "teff" and len(path.parts) > 2
        if file.name == "README.md":
            faults += check_readme(root, path, lines)
            if in_room and len(lines) > 40:
                faults.append(f"{path}: {len(lines)} lines; a room explains itself in 40")
        if file.suffix in SOURCES and len(lines) > 600 and not file.stem.endswith("_generated"):
            faults.append(f"{path}: {len(lines)} lines; split a file of over 600")
        if in_room and file.suffix in {".hpp", ".cuh", ".cpp", ".cu"}:
            faults += (check_includes(path, path.parts[1], lines) if path.parts[1] in ROOMS else
                       [f"{path}: {path.parts[1]} is no room; add it to ROOMS, in order"])
    return faults, count


def self_test():
    """Each planted fault, alone in an otherwise clean tree, must be found by its sentence."""
    clean = {"teff/base/error.hpp": "#pragma once\n", "teff/base/README.md": "See `error.hpp`.\n",
             "teff/array/view.hpp": "#include <vector>\n#include <teff/base/error.hpp>\n",
             "teff/array/README.md": "See `view.hpp` and `teff/base/error.hpp`.\n",
             "README.md": "Read [this](teff/base/README.md).\n"}
    planted = {
        "must not include array": {"teff/base/a.hpp": "#include <teff/array/view.hpp>\n"},
        "includes base's detail": {"teff/array/a.cpp": "#include <teff/base/detail/x.hpp>\n"},
        "write #include <teff/": {"teff/array/a.cuh": '#include "view.hpp"\n'},
        "there is no room util": {"teff/array/a.cu": "#include <teff/util/x.hpp>\n"},
        "util is no room": {"teff/util/a.cpp": "\n"},
        "is for programs that use": {"teff/array/a.hpp": "#include <teff/teff.hpp>\n"},
        "names gone.hpp": {"teff/base/README.md": "See `gone.hpp`.\n"},
        "names docs/gone.md": {"README.md": "Read [this](docs/gone.md).\n"},
        "has no README": {"teff/kernel/a.hpp": "\n"},
        "explains itself in 40": {"teff/base/README.md": "\n" * 41},
        "split a file of over 600": {"bench/a.cpp": "\n" * 601},
    }
    faults = []
    for sentence, files in {"": {}, **planted}.items():
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**clean, **files}.items():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_text(text)
            found, _ = check(Path(folder))
            if len(found) != bool(sentence) or not all(sentence in fault for fault in found):
                faults.append(f"self-test: planted '{sentence}', found {found}")
    return faults, len(planted) + 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        faults, count = self_test()
    else:
        faults, files = check(Path(__file__).resolve().parent.parent)
        print(f"{files} files")
        count = max(1, len(faults))
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{count - len(faults)} passed, {len(faults)} failed, 0 skipped")
    sys.exit(bool(faults))
