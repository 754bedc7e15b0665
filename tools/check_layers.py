#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the order of the tree; prints each fault, then `N passed, N failed, N skipped`.

Includes: to a room below, never into another room's detail/, written <teff/room/file>; the tables
below say what else; sub-rooms of a room do not include each other in a circle; what teff.hpp reads
includes no standard header that only the library needs. A README of a room has at most 40 lines, of
100 columns each; it names every file of its room. No README, nor CONTRIBUTING.md, nor a page of
docs/, names a file that does not exist. A row of a table elsewhere has 140 columns at most. A
source file has 600 lines at most. A test includes doctest, or a header of the tests that does: nvcc
has no precompiled headers.
`--self-test` plants each fault and sees it caught.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

# The rooms of teff/, from the bottom to the top: a room includes itself and those before it.
ROOMS = ["base", "array", "traffic", "kernel", "expr", "algo", "formula", "stencil", "grid",
         "solver", "io", "solve", "lab", "capi"]
# The ways to make time steps, folders of teff/stencil/.
WAYS = [f"teff/stencil/{way}" for way in ("stages", "fused", "tiles", "warps", "resident")]
# Folders that must not include others: (who, what they must not include, why).
APART = [
    *((way, [other for other in WAYS if other != way],
       "a way of making steps includes no other way") for way in WAYS),
    ("teff/lab", ["apps", "bench"], "the lab knows neither the command nor the cases"),
    ("bench/naive", ["bench/algo", "bench/array", "bench/expr", "bench/grid", "bench/probe",
                     "bench/solver", "bench/stencil"], "the oracle stands alone"),
]
# Sub-rooms that are one: reductions along a dim are pieces of reductions, and made of them.
TOGETHER = [{"teff/algo/along_dim", "teff/algo/reduce"}]
# What is outside of teff/ includes only this of the tree; the longest matching folder counts.
# Every one may include itself and teff/base.
OUTSIDE = {
    "bench": ["teff"],
    "apps": ["teff/lab", "teff/solve", "teff/io", "teff/solver", "bench"],
    "apps/teff/solve/solvers": ["teff/solve", "teff/solver", "teff/grid", "teff/stencil", "teff/array"],
}
# (file, what it includes beyond that)
EXCEPTIONS = {
    ("apps/teff/command_info.cpp", "teff/grid/transport/mpi_library.hpp"),
    ("apps/teff/command_info.cpp", "teff/grid/transport/nccl_library.hpp"),
    ("apps/teff/command_info.cpp", "teff/kernel/has_emulator.hpp"),
    ("apps/teff/command_lab.cpp", "teff/kernel/ceiling.hpp"),
}
# Each unit reads teff.hpp, nvcc three times.
UMBRELLA = "teff/teff.hpp"
NOT_READ_BY_ALL = set("""any barrier bitset chrono codecvt condition_variable deque filesystem format
forward_list fstream future iomanip iostream list map mutex numbers queue random ranges regex
semaphore set shared_mutex sstream stack strstream thread unordered_map unordered_set valarray
variant""".split())
# Pages with tables as the command prints them, of any width.
WIDE_TABLES = {"docs/measured.md"}
FOLDERS = ["teff", "apps", "bench", "test", "examples", "tools", "cmake", "docs", "results"]
CODE = {".hpp", ".cuh", ".cpp", ".cu"}
SOURCES = CODE | {".py", ".sh", ".cmake"}
ROOM_LINES, ROOM_COLUMNS, TABLE_COLUMNS, SOURCE_LINES = 40, 100, 140, 600
NAMED_FILE = re.compile(r"`([\w./{},-]+\.(?:(?:hpp|cuh|cpp|cu|py|sh|cmake|md)|\{[\w,]+\}))`|\]\(([^)#:\s]+)\)")
# What pages and READMEs write for files of any name.
PATTERN = re.compile(r"x([_/]\w+)?\.\w+$|.*NAME")
TWIN = re.compile(r"_(cpu|cuda|no_cuda|tuning)$")


def is_in(path, folder):
    return path == folder or path.startswith(folder + "/")


def check_includes(path, lines):
    """Faults of the includes of one file; `path` is text, from the root."""
    top, *rest = path.split("/")
    room = rest[0] if top == "teff" and len(rest) > 1 else None
    own = max((f for f in OUTSIDE if is_in(path, f)), key=len, default=None)
    for n, line in enumerate(lines, 1):
        include = re.match(r'\s*#\s*include\s*([<"])(.*)[>"]', line)
        if not include:
            continue
        where, target = f"{path}:{n}", include[2]
        target_room = re.match(r"teff/(\w+)/", target)
        if include[1] == '"':
            if top in ("teff", "bench", "apps"):
                yield f"{where}: write #include <teff/room/file>"
            continue
        if target_room and target_room[1] not in ROOMS and top in ("teff", "bench"):
            yield f"{where}: there is no room {target_room[1]}"
            continue
        if room and target_room and ROOMS.index(target_room[1]) > ROOMS.index(room):
            yield f"{where}: {room} must not include {target_room[1]}"
        elif top in ("teff", "bench", "apps") and target_room and target_room[1] != room \
                and "/detail/" in target:
            yield f"{where}: {room or top} includes {target_room[1]}'s detail"
        elif room and target == "teff/teff.hpp":
            yield f"{where}: teff.hpp is for programs that use Teff"
        elif own and re.match(r"(teff|bench|apps)/", target) and (path, target) not in EXCEPTIONS \
                and not any(is_in(target, f) for f in [own, "teff/base", *OUTSIDE[own]]):
            yield f"{where}: {own} must not include {target}"
        for folder, others, why in APART:
            if is_in(path, folder) and any(is_in(target, other) for other in others):
                yield f"{where}: {target}: {why}"


def sub_room_of(path):
    """Of a file, as `teff/room/sub_room`; None outside of one."""
    parts = path.split("/")
    return "/".join(parts[:3]) if len(parts) > 3 and parts[0] in ("teff", "apps", "bench") else None


def between_sub_rooms(path, lines):
    """(sub-room, the one of the same room that it includes, where) of one file."""
    own = sub_room_of(path)
    for n, line in enumerate(lines, 1):
        include = re.match(r"\s*#\s*include\s*<(.*)>", line)
        other = include and sub_room_of(include[1])
        if own and other and other != own and os.path.dirname(other) == os.path.dirname(own) \
                and {own, other} not in TOGETHER:
            yield own, other, f"{path}:{n}"


def check_circles(edges):
    """A fault for each circle of sub-rooms that include each other, by way of others or not."""
    above = {}
    for own, other, _ in edges:
        above.setdefault(own, set()).add(other)

    def reached(room, seen):
        for other in above.get(room, set()) - seen:
            seen.add(other)
            reached(other, seen)
        return seen
    all_above = {room: reached(room, set()) for room in above}
    for room in sorted(above):
        circle = {other for other in all_above[room] if room in all_above.get(other, set())}
        if circle and room == min(circle):
            places = [where for own, other, where in edges if {own, other} <= circle]
            yield f"{', '.join(sorted(circle))} include each other: {', '.join(places)}"


def check_umbrella(root):
    """Standard headers that every unit would read, in what UMBRELLA includes, and that includes."""
    seen, left = set(), [UMBRELLA]
    while left:
        path = left.pop()
        if path in seen or not (root / path).is_file():
            continue
        seen.add(path)
        for name in re.findall(r"^\s*#\s*include\s*<(.*)>", (root / path).read_text(encoding="utf-8"), re.M):
            left.append(name)
            if name in NOT_READ_BY_ALL:
                yield f"{path}: <{name}> would be read by all who include {UMBRELLA}"


def includes_doctest(file):
    """In the file, or in a header of the tests that it includes."""
    includes = re.findall(r'^#\s*include\s*([<"])(.*)[>"]', file.read_text(encoding="utf-8"), re.M)
    if ("<", "doctest/doctest.h") in includes:
        return True
    headers = [file.parent / target for kind, target in includes if kind == '"']
    return any(includes_doctest(header) for header in headers if header.exists())


def expanded(name):
    """`x.{hpp,cpp}` is x.hpp and x.cpp."""
    braces = re.match(r"(.*?)\{([^}]*)\}(.*)", name)
    if not braces:
        return [name]
    return [e for part in braces[2].split(",") for e in expanded(braces[1] + part + braces[3])]


def named_in(lines):
    """(line, name) of every file that a page names; in code a lambda looks like a link."""
    in_code = False
    for n, line in enumerate(lines, 1):
        in_code ^= line.lstrip().startswith("```")
        if not in_code:
            yield from ((n, e) for a, b in NAMED_FILE.findall(line) for e in expanded(a or b))


def check_readme(root, path, lines):
    folder = (root / path).parent
    for n, name in named_in(lines):
        if not ((folder / name).exists() or (root / name).exists() or PATTERN.match(name)):
            yield f"{path}:{n}: names {name}, which does not exist"


def check_page(path, lines, tails):
    """A page may name a file by the end of its path. @param tails of the paths of all files"""
    for n, name in named_in(lines):
        beside = os.path.normpath(path.parent / name)
        if not ({name.strip("/"), beside} & tails or PATTERN.match(name)):
            yield f"{path}:{n}: names {name}, which does not exist"


def check_listing(root, path, lines):
    """A room's README names each file: itself, by its header, by the face of its twins, or by a
    sub-room as a whole (`folder/`)."""
    folder = (root / path).parent
    named = {str(Path(name).with_suffix("")) for _, name in named_in(lines)}
    folders = set(re.findall(r"`([\w/]+)/`", "\n".join(lines)))
    for file in sorted(f for f in folder.rglob("*") if f.suffix in CODE):
        inside = file.relative_to(folder)
        stem = str(inside.with_suffix(""))
        whole = any(str(p) in folders or (folder / p / "README.md").exists()
                    for p in inside.parents if str(p) != ".")
        if not whole and not {stem, TWIN.sub("", stem)} & named:
            if file.suffix == ".cpp" and file.with_suffix(".hpp").exists():
                continue  # the header's fault says it
            yield f"{path}: does not list {inside}"


def check_widths(path, lines, is_room):
    is_root = len(path.parts) == 1  # README.md and CONTRIBUTING.md, whose tables may be wider
    in_code = is_generated = False
    for n, line in enumerate(lines, 1):
        in_code ^= line.lstrip().startswith("```")
        is_generated |= "<!-- generated:" in line
        is_generated &= "<!-- end -->" not in line
        if in_code or is_generated:
            continue
        is_row = line.startswith("|")
        if len(line) > ROOM_COLUMNS and (is_room or is_root and not line.startswith(("|", "!["))):
            yield f"{path}:{n}: {len(line)} columns; a README's line has at most {ROOM_COLUMNS}"
        elif is_row and len(line) > TABLE_COLUMNS and path.as_posix() not in WIDE_TABLES:
            yield f"{path}:{n}: a row of {len(line)} columns; make it a list"


def check(root):
    """All faults, one sentence each, and the number of files looked at."""
    faults, count, edges = [], 0, []
    for room in ROOMS:
        if (root / "teff" / room).is_dir() and not (root / "teff" / room / "README.md").exists():
            faults.append(f"teff/{room}: has no README.md")
    files = [f for folder in FOLDERS for f in (root / folder).rglob("*")] + list(root.glob("*"))
    tails = {"/".join(f.relative_to(root).parts[i:]) for f in files
             for i in range(len(f.relative_to(root).parts))}
    for file in sorted(f for f in files if f.is_file()):
        path = file.relative_to(root)
        if file.suffix not in SOURCES | {".md"}:
            continue
        count += 1
        lines = file.read_text(encoding="utf-8").splitlines()
        in_room = path.parts[0] == "teff" and len(path.parts) > 2
        if file.suffix == ".md":
            faults += check_widths(path, lines, file.name == "README.md" and len(path.parts) > 1)
        if file.suffix == ".md" and (path.parts[0] == "docs" or file.name == "CONTRIBUTING.md"):
            faults += check_page(path, lines, tails)
        if file.name == "README.md":
            faults += check_readme(root, path, lines)
            if in_room or path.parts[0] in ("apps", "bench"):
                faults += check_listing(root, path, lines)
                if len(lines) > ROOM_LINES:
                    faults.append(f"{path}: {len(lines)} lines; a room explains itself in {ROOM_LINES}")
        if file.suffix in SOURCES and len(lines) > SOURCE_LINES and not file.stem.endswith("_generated"):
            faults.append(f"{path}: {len(lines)} lines; split a file of over {SOURCE_LINES}")
        if path.parts[0] == "test" and path.match("test_*.cpp") and not includes_doctest(file):
            faults.append(f"{path}: include <doctest/doctest.h>: nvcc has no precompiled headers")
        if file.suffix in CODE:
            if in_room and path.parts[1] not in ROOMS:
                faults.append(f"{path}: {path.parts[1]} is no room; add it to ROOMS, in order")
            else:
                faults += check_includes(path.as_posix(), lines)
            edges += between_sub_rooms(path.as_posix(), lines)
    faults += check_circles(edges)
    faults += check_umbrella(root)
    return faults, count


def self_test():
    """Each planted fault, alone in an otherwise clean tree, must be found by its sentence."""
    clean = {"teff/base/error.hpp": "#pragma once\n", "teff/base/error_cuda.cpp": "\n",
             "teff/base/README.md": "See `error.hpp`, `x/way.cpp`.\n",
             "teff/array/view.hpp": "#include <vector>\n#include <teff/base/error.hpp>\n",
             "teff/array/view.cpp": "#include <teff/array/view.hpp>\n",
             "teff/array/README.md": "See `view.{hpp,cpp}` and `teff/base/error.hpp`.\n",
             "teff/teff.hpp": "#include <teff/array/view.hpp>\n",
             "teff/stencil/warps/way.hpp": "#include <teff/stencil/levels/levels.hpp>\n",
             "teff/stencil/levels/levels.hpp": "#include <teff/array/view.hpp>\n",
             "teff/stencil/README.md": "`warps/`, and `levels/levels.hpp`.\n",
             "bench/a.hpp": "#include <teff/array/view.hpp>\n",
             "apps/teff/main.cpp": "#include <bench/a.hpp>\n#include <teff/lab/case.hpp>\n",
             "apps/teff/solve/solvers/heat.cpp": "#include <teff/array/view.hpp>\n",
             "test/array/test_view.cpp": '#include "../compare.hpp"\n',
             "test/compare.hpp": "#include <doctest/doctest.h>\n",
             "docs/a.md": "```\n|" + " " * 200 + "\n```\n<!-- generated: x -->\n|" + " " * 200
                          + "\n<!-- end -->\nSee `view.hpp`, `x_cpu.hpp`, [that](../README.md).\n",
             "README.md": "Read [this](teff/base/README.md).\n"}
    base = clean["teff/base/README.md"]
    planted = {
        "must not include array": {"teff/base/error.hpp": "#include <teff/array/view.hpp>\n"},
        "includes base's detail": {"teff/array/view.cpp": "#include <teff/base/detail/x.hpp>\n"},
        "bench includes base's detail": {"bench/a.hpp": "#include <teff/base/detail/x.hpp>\n"},
        "write #include <teff/": {"teff/array/view.cpp": '#include "view.hpp"\n'},
        "there is no room util": {"teff/array/view.cpp": "#include <teff/util/x.hpp>\n"},
        "util is no room": {"teff/util/a.cpp": "\n"},
        "is for programs that use": {"teff/array/view.hpp": "#include <teff/teff.hpp>\n"},
        "includes no other way": {"teff/stencil/warps/a.hpp": "#include <teff/stencil/tiles/a.hpp>\n"},
        "array/a, teff/array/b, teff/array/c include": {
            "teff/array/README.md": "`view.{hpp,cpp}`, `a/`, `b/`, `c/`.\n",
            "teff/array/a/x.hpp": "#include <teff/array/b/x.hpp>\n",
            "teff/array/b/x.hpp": "#include <teff/array/c/x.hpp>\n",
            "teff/array/c/x.hpp": "#include <teff/array/view.hpp>\n",
            "teff/array/c/y.hpp": "#include <teff/array/a/x.hpp>\n"},
        "bench/README.md: does not list b.hpp": {"bench/README.md": "See `a.hpp`.\n",
                                                 "bench/b.hpp": "\n"},
        "levels, teff/stencil/warps include": {"teff/stencil/levels/levels.hpp":
                                               "#include <teff/stencil/warps/way.hpp>\n"},
        "bench must not include apps": {"bench/a.hpp": "#include <apps/teff/x.hpp>\n"},
        "apps must not include teff/array": {"apps/teff/main.cpp": "#include <teff/array/view.hpp>\n"},
        "solvers must not include teff/lab": {"apps/teff/solve/solvers/heat.cpp":
                                              "#include <teff/lab/case.hpp>\n"},
        "the oracle stands alone": {"bench/naive/a.hpp": "#include <bench/algo/a.hpp>\n"},
        "names gone.hpp": {"teff/base/README.md": base + "See `gone.hpp`.\n"},
        "names view.cuh": {"teff/array/README.md": "`view.{hpp,cuh}`\n"},
        "names none.hpp": {"docs/b.md": "`none.hpp`\n"},
        "names a/view.hpp": {"CONTRIBUTING.md": "`a/view.hpp`\n"},
        "names docs/gone.md": {"README.md": "Read [this](docs/gone.md).\n"},
        "does not list a.hpp": {"teff/base/a.hpp": "\n", "teff/base/a.cpp": "\n"},
        "does not list alone.cpp": {"teff/base/alone.cpp": "\n"},
        "does not list levels/a.hpp": {"teff/stencil/levels/a.hpp": "\n"},
        "has no README": {"teff/kernel/a.hpp": "\n"},
        "explains itself in 40": {"teff/base/README.md": base + "\n" * 40},
        "101 columns": {"teff/base/README.md": base + "x" * 101 + "\n"},
        "102 columns": {"README.md": "y" * 102 + "\n"},
        "a row of 141 columns": {"docs/a.md": "|" + "x" * 140 + "\n"},
        "nvcc has no precompiled headers": {"test/array/test_a.cpp": "#include <vector>\n"},
        "error.hpp: <mutex> would be read": {"teff/base/error.hpp": "#include <mutex>\n"},
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
