# SPDX-License-Identifier: MIT
"""Runs the commands that pages and `--help` show, made quick, and counts what passed."""

import os
import re
import shlex
import signal
import subprocess
import sys

SECONDS = 120
# What takes the place of a command's own options: the longest beginning of the command counts.
QUICK = {
    "info": "--quick",
    "peak": "--budget 0.3",
    "bench": "--shape 31x31 --no-ceilings",
    "bench cumsum": "--shape 9x8x7 --no-ceilings --budget 1",
    "bench reduce": "--shape 9x8x7 --no-ceilings --budget 1",
    "ladder": "--shape 9x8x7 --budget 0.3",
    "ladder gemv": "--shape 31x31 --budget 0.3",
    "ladder grid2d": "--shape 31x31 --budget 0.3",
    "ladder segmented_sum": "--shape 20x50 --budget 0.3",
    "scale": "--shape 31x31 --budget 0.3",
    "scale --from": "",
    "scale grid3d": "--shape 9x8x7 --budget 0.3",
    "solve diffusion2d": "--shape 31x31 --steps 20",
    "solve diffusion3d": "--shape 9x8x7 --steps 20",
    "solve pressure2d": "--shape 31x31",
    "solve wave2d": "--shape 31x31 --steps 20",
    "ab": "--shape 31x31 --budget 1 --rounds 8",
    "lab": "--budget 0.3",
}
# Threads that wait without sleeping are slow where others want the cores.
ENVIRONMENT = {**{name: value for name, value in os.environ.items() if name != "COLUMNS"}, "TEFF_DEVICE": "cpu", "TEFF_SCHEDULES": "", "OMP_WAIT_POLICY": "passive"}


class Fault(Exception):
    """What is wrong, one sentence."""


class Count:
    def __init__(self):
        self.passed, self.faults, self.skipped = 0, [], []

    def take(self, where, job):
        """Runs a job; a Fault is a failed test."""
        try:
            job()
            self.passed += 1
        except Fault as fault:
            text = str(fault)
            self.faults.append(text if text.startswith(where) else f"{where}: {text}")


def run(command, folder, env, seconds=SECONDS):
    """A program's words, or a line for bash. Past `seconds` all that it started ends, too."""
    by_shell = isinstance(command, str)
    with subprocess.Popen(command, cwd=folder, env=env, text=True, errors="replace", shell=by_shell,
                          executable="/bin/bash" if by_shell else None, start_new_session=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as started:
        try:
            said = started.communicate(timeout=seconds)[0]
        except BaseException as why:  # Ctrl-C does not reach another session
            os.killpg(started.pid, signal.SIGKILL)
            if not isinstance(why, subprocess.TimeoutExpired):
                raise
            return 124, f"took longer than {seconds} s"
    return started.returncode, said


def made_quick(command):
    """`teff ...` with the options of QUICK in place of its own."""
    words = shlex.split(command)
    if words[0] != "teff" or len(words) == 1:
        return command
    beginnings = [" ".join(words[1:n]) for n in range(len(words), 1, -1)]
    quick = next((QUICK[b] for b in beginnings if b in QUICK), "")
    for option in re.findall(r"(--[\w-]+) [^-]", quick):
        command = re.sub(rf"{option} \S+", "", command)
    return re.sub(r"^teff \S+", rf"\g<0> {quick}", command) if quick else command


def run_shown(command, folder, env):
    """What a command prints, made quick. A Fault if it fails."""
    command = made_quick(command)
    status, said = run(f"set -o pipefail; {command}", folder, env)
    is_by_chance = status == 4 and re.match(r"teff (ab|compare|rerun) ", command) or \
        status == 1 and "nothing was measured in" in said  # slower; made too quick
    if status and not is_by_chance:
        raise Fault(f"exit status {status}: {command}\n{said}")
    return said


def conclude(passed, faults, skipped=()):
    """Prints what was found and its counts, and exits with 1 if there are faults."""
    print(*(f"skipped: {reason}" for reason in skipped), *faults, sep="\n")
    print(f"{passed} passed, {len(faults)} failed, {len(skipped)} skipped")
    sys.exit(bool(faults))
