#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles and runs what the documentation shows; prints each fault, then `N passed, ...`.

check_docs.py [BUILD]      installs BUILD (default build/release) to a temporary prefix, builds every
                           program of docs/**/*.md and README.md against it, and runs every command
check_docs.py --write      rewrites what is between `<!-- generated: COMMAND -->` and `<!-- end -->`
check_docs.py --self-test  plants each fault and sees it caught

By the language of a fenced block:
  cpp      with a main: a program, compiled and run. Else a fragment: the body of a function that
           knows teff.hpp and `using namespace teff`.
  cuda     compiled by nvcc, where there is one.
  sh       commands: `teff ...`, made quick by shown_commands.py; for a program of the page `./a`,
           `mpirun -n 2 ./a` where an MPI is, and the one line that compiles it.
  console  the same after `$ `, and what they print.
  python   run by test/python/test_docs.py, a page from its top to its end.
  text     anything else; cmake needs a reason to be skipped.
What a test needs to know stands in comments before the block:
  <!-- test: file a.cpp -->         the name of a program
  <!-- test: around CODE -->        code around a fragment; its line `...` is the fragment
  <!-- test: same output -->, or `numbers vary` (the words are compared), or `output varies`
  <!-- test: skip: REASON -->       not compiled, not run, and counted as skipped
Links to files and headings are checked in every Markdown file that git knows.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True  # no __pycache__ among the sources
from doc_page import OUTPUTS, blocks_of, check_links, commands_of, fragments_of
from shown_commands import ENVIRONMENT, Count, Fault, conclude, run, run_shown
from test_mpi import ENVIRONMENT as MPI_ENVIRONMENT

GENERATED = re.compile(r"(<!-- generated: (.*?) -->\n)(.*?)(<!-- end -->)", re.S)
# What a reader types. The test compiles by lab.compile: sooner, and with warnings.
COMPILE = re.compile(r"g\+\+ -O3 (\w+)\.cpp \$\(pkg-config --cflags --libs teff(-io|-solve)?\) -o \1")


@dataclass
class Lab:
    """Where things are built and run."""
    root: Path
    work: Path
    flags: list
    libs: list
    env: dict

    def has_mpi(self):
        return shutil.which("mpirun") and any(self.work.glob("prefix/lib*/**/libteff_mpi_*.so"))

    def compile(self, source, name):
        # -O1: this is about what holds, not how fast
        command = ["g++", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers",
                   *self.flags, source.name, *self.libs, "-o", name]
        status, said = run(command, source.parent, self.env, 600)
        if status:
            raise Fault(f"does not compile:\n{said}")


def words_of(output):
    """Numbers, units of time and widths of columns left out."""
    output = re.sub(r"[-+]?\d[\d.]*(e[-+]?\d+)?( ?(ns|us|ms|s)\b)?", "#", output)
    return re.sub(r"[ -]+", " ", output).split()


def check_output(block, shown, said):
    if block.output == "same output" and shown.strip() != said.strip():
        raise Fault(f"prints something else:\n{said}")
    if block.output == "numbers vary" and words_of(shown) != words_of(said):
        raise Fault(f"prints other words:\n{said}")


def check_commands(lab, block, folder):
    for command, shown in commands_of(block):
        if command.startswith("g++ "):
            built = COMPILE.fullmatch(command)
            if not built:
                raise Fault("a program is compiled by `g++ -O3 a.cpp "
                            f"$(pkg-config --cflags --libs teff) -o a`: {command}")
            if not (folder / built[1]).exists():
                raise Fault(f"there is no program {built[1]}.cpp before: {command}")
            continue
        words = shlex.split(re.sub(r"^([A-Z_]+=\S+ )+", "", command))  # variables before it
        if words[0].endswith("bin/teff"):
            command = command.replace(words[0], "teff", 1)
        elif words[0] not in ("teff", "mpirun") and not words[0].startswith("./"):
            raise Fault(f"not a command that the test runs; say `skip: REASON`: {command}")
        said = run_shown(command, folder, lab.env)
        if shown.strip() and not block.output:
            raise Fault(f"say how its output compares: {', '.join(sorted(OUTPUTS))}")
        check_output(block, shown, said)


def check_program(lab, folder, name):
    status, said = run([f"./{name}"], folder, lab.env)
    if status:
        raise Fault(f"exit status {status}:\n{said}")


def check_cuda(lab, block, folder):
    source = folder / f"block_{block.line}.cu"
    source.write_text(block.text)
    status, said = run(["nvcc", "-std=c++20", "-ptx", str(source), "-o", "/dev/null"], folder, lab.env)
    if status:
        raise Fault(f"does not compile:\n{said}")


def check_generated(lab, page, text):
    """(what fails, what is stale, the page as it should be: what fails stays as it is)"""
    failed, stale = [], []

    def renewed(match):
        status, said = run(match[2], lab.work, lab.env)
        if status:
            failed.append(f"{page}: cannot generate, {match[2]}: {said}")
            return match[0]
        if said.strip() != match[3].strip():
            stale.append(f"{page}: not what `{match[2]}` says; tools/check_docs.py --write renews it")
        return f"{match[1]}{said.strip()}\n{match[4]}"

    return failed, stale, GENERATED.sub(renewed, text)


def markdown_of(root):
    """Of git, so that what lies about is not read; all files where there is no git."""
    known = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=root, text=True, check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    files = [root / name for name in known.split("\0") if name] or root.rglob("*.md")
    return sorted(file for file in files if file.exists())


def pages_of(root):
    return [file for file in markdown_of(root)
            if file == root / "README.md" or root / "docs" in file.parents]


def write_generated(lab):
    """Renews what is generated in the pages; the faults."""
    faults = []
    for path in pages_of(lab.root):
        text = path.read_text(encoding="utf-8")
        failed, _, renewed = check_generated(lab, str(path.relative_to(lab.root)), text)
        faults += failed
        if renewed != text:
            path.write_text(renewed, encoding="utf-8")
    return faults


def check(lab):
    """Compilations first, all cores at once; then commands and programs, one after the other."""
    count, blocks, compilations, alone, runs = Count(), [], [], [], []
    for path in pages_of(lab.root):
        page = str(path.relative_to(lab.root))
        text = path.read_text(encoding="utf-8")
        try:
            blocks += blocks_of(page, text)
        except Fault as fault:
            count.faults.append(str(fault))
        if GENERATED.search(text):
            failed, stale, _ = check_generated(lab, page, text)
            faults = failed + stale
            count.faults += faults
            count.passed += not faults
    for path in markdown_of(lab.root):
        faults = list(check_links(lab.root, path, path.read_text(encoding="utf-8")))
        count.faults += faults
        count.passed += not faults

    folders = {}
    for block in blocks:
        folders[block.page] = lab.work / re.sub(r"\W", "_", block.page)
        folders[block.page].mkdir(exist_ok=True)
    for page, folder in folders.items():
        fragments = []
        for block in (b for b in blocks if b.page == page and b.language not in ("text", "python")):
            if block.skip:
                count.skipped.append(f"{block.where()}: {block.skip}")
            elif block.language == "cmake":
                count.faults.append(f"{block.where()}: say `skip: REASON`")
            elif block.is_program():
                name = Path(block.file or f"block_{block.line}.cpp")
                (folder / name).write_text(block.text)
                compilations.append((block.where(), folder / name, name.stem))
                if block.file and not any(f"./{name.stem}" in other.text for other in blocks
                                          if other.page == page and not other.skip):
                    count.faults.append(f"{block.where()}: no command runs {block.file}")
                elif not block.file:
                    alone.append((block.where(), folder, name.stem))
            elif block.language == "cpp":
                fragments.append(block)
            elif block.language == "cuda" and shutil.which("nvcc") is None:
                count.skipped.append(f"{block.where()}: no nvcc here")
            elif "mpirun" in block.text and block.language in ("sh", "console") and not lab.has_mpi():
                count.skipped.append(f"{block.where()}: no MPI here, or none when this was built")
            else:
                runs.append((block.where(), block))
        if fragments:
            try:
                (folder / "fragments.cpp").write_text(fragments_of(fragments))
            except Fault as fault:
                count.faults.append(str(fault))
                continue
            where = f"{page}: {len(fragments)} fragments"
            compilations.append((where, folder / "fragments.cpp", "fragments"))
            alone.append((where, folder, "fragments"))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda c: count.take(c[0], lambda: lab.compile(c[1], c[2])), compilations))
    for where, folder, name in alone:
        if (folder / name).exists():  # else that was the fault
            count.take(where, lambda f=folder, n=name: check_program(lab, f, n))
    for where, block in runs:
        checker = check_cuda if block.language == "cuda" else check_commands
        count.take(where, lambda b=block, c=checker: c(lab, b, folders[b.page]))
    return count


def installed(root, build, work):
    """A lab in which programs are built against an installation, as a reader's are."""
    prefix = work / "prefix"
    done = subprocess.run(["cmake", "--install", build, "--prefix", str(prefix)], cwd=root, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}\ncannot install {build}: build it first (`./run build` or `./run test`)\n"
                 "0 passed, 1 failed, 0 skipped")
    env = {**ENVIRONMENT, **MPI_ENVIRONMENT, "PATH": f"{prefix}/bin:{ENVIRONMENT['PATH']}",
           "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig"}
    asked = [subprocess.run(["pkg-config", what, "teff-solve"], env=env, text=True, check=True,
                            stdout=subprocess.PIPE).stdout.split() for what in ("--cflags", "--libs")]
    return Lab(root, work, *asked, env)


def self_test():
    """Each planted fault, alone in an otherwise clean tree, must be found by its sentence."""
    program = "<!-- test: file a.cpp -->\n```cpp\nint main() { return 0; }\n```\n"
    line = "g++ -O3 {0}.cpp $(pkg-config --cflags --libs teff) -o {0}"
    clean = program + (f"```sh\n{line.format('a')}\n./a  # runs\n```\n<!-- test: around\n"
                       "int x = 1;\n...\n-->\n```cpp\nif (x != 1) return 1;\n```\n"
                       "# One\n[link](#one)\n```text\n[no](link)\n```\n")

    def shown(directive, output):
        return ('<!-- test: file b.cpp -->\n```cpp\n#include <cstdio>\nint main() { std::puts("one 1"); }'
                f"\n```\n{directive}\n```console\n$ ./b\n{output}\n```\n")

    same, vary = "<!-- test: same output -->", "<!-- test: numbers vary -->"
    planted = {
        "does not end": "```text\n",
        "stands right before": "<!-- test: same output -->\nbut\n```text\n```\n",
        "no command runs c.cpp": "<!-- test: file c.cpp -->\n```cpp\nint main() {}\n```\n",
        "does not compile": "```cpp\nint main() { return x; }\n```\n",
        "exit status 3": "```cpp\nint main() { return 3; }\n```\n",
        "exit status 1": "```cpp\nreturn 1;\n```\n",
        "docs/a.md:22:9": "```cpp\nint y = z;\n```\n",
        "needs a line `...`": "<!-- test: around x -->\n```cpp\nint y;\n```\n",
        "a block is one of": "```ruby\n```\n",
        "no such directive": "<!-- test: skip -->\n```cpp\n```\n",
        "not a command that the test runs": "```sh\nmake\n```\n",
        "there is no program gone.cpp": f"```sh\n{line.format('gone')}\n```\n",
        "a program is compiled by": f"```sh\n{line.format('a').replace('--libs ', '')}\n```\n",
        "say how its output compares": shown("", "one 1"),
        "prints something else": shown(same, "one 2"),
        "prints other words": shown(vary, "two 1"),
        "begins with `$ `": "```console\none\n```\n",
        "links to gone.md": "[gone](gone.md)\n",
        "no such heading": "[two](#two)\n",
        "--write renews it": "<!-- generated: echo one -->\ntwo\n<!-- end -->\n",
        "cannot generate": "<!-- generated: false -->\n\n<!-- end -->\n",
    }
    right = {"the same": shown(same, "one 1"),
             "numbers": shown(vary, "one  2.5e-3 us"),
             "skipped": "<!-- test: skip: a reason -->\n```sh\nmake\n```\n"}
    faults = []

    def plant(sentence, text, is_fault):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "root"
            (root / "docs").mkdir(parents=True)
            (root / "teff").mkdir()
            (root / "teff/teff.hpp").write_text("namespace teff {}\n")
            (root / "README.md").write_text("# Root\n[page](docs/a.md#one)\n")
            (root / "docs/a.md").write_text(clean + text)
            work = Path(folder) / "work"
            work.mkdir()
            found = check(Lab(root, work, ["-std=c++20", f"-I{root}"], [], dict(os.environ)))
            if len(found.faults) != is_fault or is_fault and sentence not in found.faults[0]:
                faults.append(f"self-test: '{sentence}', found {found.faults}")
            if len(found.skipped) != (sentence == "skipped"):
                faults.append(f"self-test: '{sentence}', skipped {found.skipped}")

    for is_fault, texts in (False, {"clean": ""}), (False, right), (True, planted):
        for sentence, text in texts.items():
            plant(sentence, text, is_fault)
    faults += self_test_write() + self_test_run()
    return faults, 1 + len(right) + len(planted) + 2


def self_test_write():
    """What can not be generated stays as it was, and is said; the rest is renewed."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "README.md"
        block = "<!-- generated: {} -->\n{}\n<!-- end -->\n"
        page.write_text(block.format("echo half; false", "old") + block.format("echo new", "old"))
        faults = write_generated(Lab(Path(folder), Path(folder), [], [], dict(os.environ)))
        right = block.format("echo half; false", "old") + block.format("echo new", "new")
        if page.read_text() != right or len(faults) != 1 or "cannot generate" not in faults[0]:
            return [f"self-test: --write leaves {page.read_text()!r} and says {faults}"]
    return []


def self_test_run():
    """A command that takes too long ends with all that it started, which holds its output open."""
    start = time.monotonic()
    status, _ = run("sleep 60 & sleep 60", ".", dict(os.environ), seconds=1)
    took_s = time.monotonic() - start
    return [] if status == 124 and took_s < 30 else [f"self-test: {status} after {took_s:.0f} s"]


def main():
    root = Path(__file__).resolve().parent.parent
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        faults, total = self_test()
        conclude(total - len(faults), faults)
    is_write = arguments[:1] == ["--write"]
    build = (arguments[is_write:] or ["build/release"])[0]
    with tempfile.TemporaryDirectory() as work:
        lab = installed(root, build, Path(work))
        if is_write:
            faults = write_generated(lab)
            print(*faults, sep="\n", end="\n" if faults else "")
            sys.exit(bool(faults))
        count = check(lab)
    conclude(count.passed, count.faults, count.skipped)


if __name__ == "__main__":
    main()
