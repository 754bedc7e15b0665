#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kill_and_resume.py N [COMMAND] [--device NAME]: N runs of `teff solve`, each killed at random
moments and resumed until it is done; it must end with the bits of a run that nobody disturbed.

Each try is killed up to five times, by SIGINT, SIGTERM or SIGKILL. What SIGKILL may leave beside the
checkpoint are files that were being written; the checkpoint itself must be whole. A try that was
never resumed from a checkpoint shows nothing: it is made anew, up to 20 times. `--seed N` replays.
The last lines sum up: `N passed, N failed, N skipped` counts tries.
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = [
    ["diffusion2d", "--shape", "63x61", "--steps", "40000"],
    ["diffusion3d", "--shape", "23x21x19", "--steps", "8000", "--type", "f32"],
    ["wave2d", "--shape", "63x61", "--steps", "20000"],
    ["pressure2d", "--shape", "63x61", "--tolerance", "1e-10", "--check-every", "70"],
    ["nonlinear_diffusion2d", "--shape", "63x61", "--steps", "40000", "--type", "f32"],
    ["poisson2d_cg", "--shape", "303x301"],
]
MOST_RETRIES = 20
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


def heed_signals():
    """What is started in the background of a shell ignores SIGINT, and so would the command."""
    for s in (signal.SIGINT, signal.SIGTERM):
        signal.signal(s, signal.SIG_DFL)


def solve(command, folder, words, before_s=None, kill_with=None):
    """Runs the command; with `before_s` it is killed after so many seconds. Its status, its words."""
    run = subprocess.Popen([command, "solve", *words], cwd=folder, text=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           preexec_fn=heed_signals)
    if before_s is not None:
        time.sleep(before_s)
        run.send_signal(kill_with)
    said = run.communicate(timeout=600)[1]
    return run.returncode, said


def one_try(command, words, whole, length_s, pick):
    """A sentence on what went wrong, or ''; how often the run was stopped, by each signal; and
    whether it went on from a checkpoint after that."""
    stopped, resumed = dict.fromkeys(SIGNALS, 0), False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keep = ["--checkpoint", "a", "--checkpoint-every", str(pick.choice([0.005, 0.02, 0.1]))]
        resume = []
        for _ in range(5):
            resumed = resumed or bool(resume)
            with_signal = pick.choice(SIGNALS)
            before_s = pick.uniform(0, 0.6 * length_s)
            status, said = solve(command, folder, [*words, *keep, *resume], before_s, with_signal)
            if status == 0:
                break
            early = status == -with_signal  # before the program watched for signals, or SIGKILL
            if not early and status != 130:
                return f"status {status} after signal {with_signal}: {said}", stopped, resumed
            if not early and not re.match(r"teff: interrupted at step \d+ of \d+; to go on: ", said):
                return f"said {said!r}", stopped, resumed
            stopped[with_signal] += 1
            resume = ["--resume", "a"] if (folder / "a").exists() else []
            if not early and not resume:
                return "no checkpoint was left", stopped, resumed
        resumed = resumed or bool(resume)
        status, said = solve(command, folder, [*words, *resume, "--save", "end.npy", "--checkpoint", "b"])
        if status != 0:
            return f"status {status} when it was resumed: {said}", stopped, resumed
        if (folder / "end.npy").read_bytes() != whole[0]:
            return "the field has other bits", stopped, resumed
        if (folder / "b").read_bytes() != whole[1]:
            return "the state has other bits", stopped, resumed
    return "", stopped, resumed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tries", type=int)
    parser.add_argument("command", nargs="?", default="build/release/bin/teff")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    asked = parser.parse_args()
    os.environ["TEFF_SCHEDULES"] = ""  # what these runs find out is of no use to others
    command, pick = str(Path(asked.command).resolve()), random.Random(asked.seed)
    wholes = []
    for words in [[*run, "--device", asked.device] for run in RUNS]:
        with tempfile.TemporaryDirectory() as name:
            start = time.monotonic()
            status, said = solve(command, name, [*words, "--save", "end.npy", "--checkpoint", "b"])
            if status != 0:
                sys.exit(f"{' '.join(words)}: status {status}: {said}")
            files = [(Path(name) / f).read_bytes() for f in ("end.npy", "b")]
            wholes.append((words, files, time.monotonic() - start))
    good, stops = 0, dict.fromkeys(SIGNALS, 0)
    for number in range(asked.tries):
        words, files, length_s = wholes[number % len(wholes)]
        for _ in range(MOST_RETRIES):
            wrong, stopped, resumed = one_try(command, words, files, length_s, pick)
            for s in SIGNALS:
                stops[s] += stopped[s]
            if wrong or resumed:
                break
        else:
            wrong = "was never stopped and resumed"
        good += not wrong
        if wrong:
            print(f"try {number}, {' '.join(words)}: {wrong}", flush=True)
    print(f"{good} of {asked.tries} tries ended with the same bits; stopped "
          + ", ".join(f"{stops[s]} times by {s.name}" for s in SIGNALS) + f" (--seed {asked.seed})")
    print(f"{good} passed, {asked.tries - good} failed, 0 skipped")
    sys.exit(good != asked.tries or good == 0)


if __name__ == "__main__":
    main()
