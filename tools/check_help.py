#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples of `teff --help` and `teff COMMAND --help`; prints each fault, then `N passed, ...`.

check_help.py [BUILD]      runs those of BUILD/bin/teff (default build/release), all in one temporary
                           folder: an example may read what one before it wrote. Each must succeed, made
                           quick by shown_commands.py, or be skipped for a reason of SKIPPED
check_help.py --self-test  plants each fault and sees it caught
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # no __pycache__ among the sources
from shown_commands import ENVIRONMENT, Count, Fault, conclude, run, run_shown

# By a part of the example.
SKIPPED = {
    "--device cuda": "needs a GPU",
    "source <(": "for the start-up file of a shell",
}
# What an example finds that no other makes: another build, folders of shells, what `teff lab` writes.
PREPARE = ['mkdir -p old .zfunc .config/fish/completions && ln -s "$(command -v teff)" old/teff',
           "teff lab"]
WIDEST = 80  # columns: what a terminal has at least


def help_of(command, folder, env):
    status, said = run(f"teff {command} --help", folder, env)
    if status:
        raise Fault(f"exit status {status}: {said}")
    return said


def commands_of(overview):
    """Those that `teff --help` lists, and `document`, which it does not; "" is teff itself, last."""
    listed = overview.partition("ommands:\n")[2].partition("\n\n")[0]
    names = re.findall(r"^  (\w+)", listed, re.M)
    if not names:
        raise Fault("lists no commands")
    return [*names, "document", ""]


def examples_of(text):
    """Each line after `Examples:` up to an empty one, without the remark after two blanks."""
    block = re.search(r"^Examples:\n(.*?)\n\n", text, re.M | re.S)
    if not block:
        raise Fault("has no examples")
    return [re.split(r" {2,}", line.strip())[0] for line in block[1].splitlines()]


def check_width(text):
    for line in text.splitlines():
        if len(line) > WIDEST:
            raise Fault(f"{len(line)} columns where {WIDEST} are the most: {line}")


def why_skipped(example, skipped):
    reasons = [reason for part, reason in skipped.items() if part in example]
    reasons += [f"no {program} here" for program in re.findall(r"\| (\w+)", example)
                if shutil.which(program) is None]
    return reasons[0] if reasons else ""


def check(folder, env, prepare=PREPARE, skipped=SKIPPED):
    count, seen = Count(), []

    def check_command(command):
        text = help_of(command, folder, env)
        check_width(text)
        for example in examples_of(text):
            seen.append(example)
            if reason := why_skipped(example, skipped):
                count.skipped.append(f"{example}: {reason}")
            else:
                count.take(example, lambda e=example: run_shown(e, folder, env))

    def check_all():
        for line in prepare:
            run_shown(line, folder, env)
        for command in commands_of(help_of("", folder, env)):
            name = f"teff {command} --help" if command else "teff --help"
            count.take(name, lambda c=command: check_command(c))

    count.take("teff", check_all)
    count.faults += [f"no example holds '{part}', which SKIPPED names" for part in skipped
                     if not any(part in example for example in seen)]
    return count


def environment(folder, programs):
    return {**ENVIRONMENT, "HOME": folder, "PATH": f"{programs}:{ENVIRONMENT['PATH']}"}


FAKE = """#!/bin/bash
case $* in
  --help) printf 'Examples:\\n  teff ab 1\\n\\nCommands:\\n  one   does\\n  ab    fails\\n\\n' ;;
  *--help) cat "$HOME/$1" ;;
  *write) echo > file ;;
  *read) cat file ;;
  *) exit 4 ;;
esac
"""


def self_test():
    """Each planted fault, alone among helps that are otherwise clean, must be found by its sentence."""
    clean = {"ab": "Examples:\n  teff ab 1   slower: no fault\n\n",
             "document": "Examples:\n  teff document write\n\nOptions:\n",
             "one": "Examples:\n  teff one write   remark\n  teff one read | nowhere\n  teff one read\n\n"}
    planted = {
        "": {},
        "exit status 4: teff one fails": {"one": "Examples:\n  teff one fails\n\n"},
        "teff one --help: has no examples": {"one": "Does.\n"},
        "teff document --help: exit status": {"document": None},
        "81 columns where 80 are the most": {"one": clean["one"] + "-" * 81},
        "no example holds 'nowhere'": {"one": "Examples:\n  teff one write\n\n"},
    }
    faults = []
    for sentence, changed in planted.items():
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**clean, **changed}.items():
                if text is not None:
                    (Path(folder) / name).write_text(text)
            teff = Path(folder) / "teff"
            teff.write_text(FAKE)
            teff.chmod(0o755)
            skipped = {"nowhere": "a reason"} if sentence.startswith("no example") else {}
            found = check(folder, environment(folder, folder), [], skipped)
            if len(found.faults) != bool(sentence) or sentence not in "".join(found.faults):
                faults.append(f"self-test: '{sentence}', found {found.faults}")
            if not sentence and found.skipped != ["teff one read | nowhere: no nowhere here"]:
                faults.append(f"self-test: skipped {found.skipped}")
    return faults, len(planted)


def main():
    if sys.argv[1:] == ["--self-test"]:
        faults, total = self_test()
        conclude(total - len(faults), faults)
    programs = Path((sys.argv[1:] or ["build/release"])[0]).resolve() / "bin"
    with tempfile.TemporaryDirectory() as folder:
        count = check(folder, environment(folder, programs))
    conclude(count.passed, count.faults, count.skipped)


if __name__ == "__main__":
    main()
