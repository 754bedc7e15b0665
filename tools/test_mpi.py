#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_mpi.py BUILD [--long] [--gpus] [--only WORD...]: ranks that are processes, under each MPI that is here.

Runs test programs of BUILD under mpirun: the bits of one rank, and what goes wrong: its text, its
exit status, and that it ends in time. --long adds more ranks and formulas, what goes wrong with
more ranks, and two machines, made of network namespaces. --gpus runs on two GPUs instead what
./run gpu-test builds, with messages by NCCL (TEFF_NCCL says where it is) and without. Prints each fault, then `N passed, ...`.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mpi_cases import CASES, FAILED, GPU_CASES, LIMIT_S

KINDS = {"openmpi": "Open MPI", "mpich": "MPICH"}
OTHER = {"openmpi": "mpich", "mpich": "openmpi"}
LAUNCHER = {"openmpi": "OMPI_COMM_WORLD_SIZE", "mpich": "PMI_SIZE"}
PACKAGES = {"openmpi": "libopenmpi-dev openmpi-bin", "mpich": "libmpich-dev mpich"}
# As root, on fewer cores than ranks, that others use too.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "self,vader",
               "OMP_WAIT_POLICY": "passive", "TEFF_SCHEDULES": ""}


BETWEEN = {"OMPI_MCA_btl": "self,tcp", "OMPI_MCA_plm_rsh_no_tree_spawn": "1"}  # machines


def launcher_of(kind):
    """mpirun of that MPI, or None."""
    word = {"openmpi": "Open MPI|Open RTE", "mpich": "HYDRA"}[kind]
    for name in (f"mpirun.{kind}", "mpirun", "mpiexec.hydra"):
        if path := shutil.which(name):
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            if re.search(word, said):
                return path
    return None


def run(words, environment, limit_s, folder=None):
    """(exit status, what it says, seconds), whatever it started is gone."""
    start = time.monotonic()
    process = subprocess.Popen(words, env={**os.environ, **ENVIRONMENT, **environment}, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                               start_new_session=True, cwd=folder)
    try:
        said, _ = process.communicate(timeout=limit_s)
        status = process.returncode
    except subprocess.TimeoutExpired:
        status = "none: it hung"
        os.killpg(process.pid, signal.SIGTERM)
        try:
            said, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
    return status, said, time.monotonic() - start


def check(case, kind, build, is_strict):
    """"", or what is wrong; and the seconds it took."""
    lib = build / "lib"
    names = {"last": case.ranks - 1, "kind": kind, "other": OTHER[kind], "MPI": KINDS[kind],
             "other MPI": KINDS[OTHER[kind]], "variable": LAUNCHER[kind], "lib": lib,
             "user": lib / f"libmpi_user_{kind}.so",
             "other user": lib / f"libmpi_user_{OTHER[kind]}.so",
             "share": max(1, len(os.sched_getaffinity(0)) // case.ranks)}
    words = [] if case.launcher == "none" else [launcher_of(kind), "-n", str(case.ranks)]
    words += [str(build / "bin" / case.program), *case.mode.split()]
    environment = {name: value.format(**names) for name, value in case.environment.items()}
    status, said, took_s = run(words, environment, LIMIT_S)
    faults = []
    if status != case.status and not (case.status is FAILED and status not in (0, "none: it hung")):
        faults.append(f"status {status}, expected {case.status}")
    for text in (text.format(**names) for text in case.says):
        if text not in said:
            faults.append(f"does not say '{text}'")
        elif case.times and said.count(text) != case.times:
            faults.append(f"says '{text}' {said.count(text)} times, not {case.times}")
    if is_strict and took_s > case.seconds:
        faults.append(f"took {took_s:.1f} s, not {case.seconds}")
    return (f"{KINDS[kind]}: {case.name()}: {'; '.join(faults)}\n{said}" if faults else ""), took_s


def check_solve(kind, build):
    """Faults of `teff solve` on two processes, beside one: bits, files, who speaks."""
    teff, two = str(build / "bin" / "teff"), [launcher_of(kind), "-n", "2"]
    environment = {"TEFF_DEVICE": "cpu"}
    faults = []

    def expect(what, is_right, said):
        if not is_right:
            faults.append(f"{KINDS[kind]}: teff solve: {what}\n{said}")

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def solve(launcher, words):
            return run(launcher + [teff, "solve", *words.split()], environment, LIMIT_S, folder)[:2]

        for solver in ("diffusion2d --shape 41x37", "pressure2d --shape 23x31 --tolerance 0"):
            status, said = solve([], f"{solver} --steps 60 --save one.npy --picture one.png")
            expect(f"{solver} on one process: status {status}", status == 0, said)
            status, said = solve(two, f"{solver} --steps 30 --checkpoint state")
            expect(f"{solver}: status {status}", status == 0, said)
            expect(f"{solver} is not told once", said.count("2, 1x2 processes by MPI") == 1, said)
            status, said = solve(two, "--resume state --steps 60 --save two.npy --picture two.png")
            expect(f"{solver} goes on: status {status}", status == 0, said)
            for end in ("npy", "png"):
                files = [folder / f"{number}.{end}" for number in ("one", "two")]
                is_same = all(file.exists() for file in files) and \
                    files[0].read_bytes() == files[1].read_bytes()
                expect(f"{solver}: {end}: not the bytes of one process", is_same, said)
        status, said = solve(two, "wave2d --save no.npy")
        text = f"processes, as {LAUNCHER[kind]} says, and wave2d runs on one; start it without"
        expect("wave2d is not refused", status == 2 and text in said, said)
        expect("wave2d is not refused before it runs", not (folder / "no.npy").exists(), said)
    return faults


class TwoMachines:
    """This one and a network namespace beside it, that Open MPI takes for another machine: needs
    root. `with` says why not, or ""."""

    def __init__(self, build):
        self.build, self.here, self.there = build, f"tf{os.getpid()}a", f"tf{os.getpid()}b"
        self.net, self.folder = f"10.213.{os.getpid() % 250}", tempfile.mkdtemp()

    def ip(self, words):
        return subprocess.run(["ip", *words.split()], capture_output=True, text=True, check=False)

    def __enter__(self):
        if os.getuid() != 0 or not shutil.which("ip") or not shutil.which("unshare"):
            return "two machines need root, ip and unshare"
        for words in (f"netns add {self.there}",
                      f"link add {self.here} type veth peer name eth0 netns {self.there}",
                      f"addr add {self.net}.1/24 dev {self.here}", f"link set {self.here} up",
                      f"-n {self.there} addr add {self.net}.2/24 dev eth0",
                      f"-n {self.there} link set eth0 up", f"-n {self.there} link set lo up"):
            if (done := self.ip(words)).returncode:
                return f"two machines can not be made here: ip {words}: {done.stderr.strip()}"
        self.agent = Path(self.folder) / "agent.sh"  # it is given a host's name and a command
        self.agent.write_text("#!/bin/sh\nshift\n"
                              f"exec ip netns exec {self.there} unshare -u "
                              f'sh -c "hostname {self.there}; $*"\n')
        self.agent.chmod(0o755)
        return ""

    def __exit__(self, *_):
        for pid in self.ip(f"netns pids {self.there}").stdout.split():
            os.kill(int(pid), signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.ip(f"netns del {self.there}")
        self.ip(f"link del {self.here}")

    def words(self, mode):
        return [launcher_of("openmpi"), "--host", f"{os.uname().nodename}:1,{self.there}:1", "--mca",
                "plm_rsh_agent", str(self.agent), "--mca", "btl_tcp_if_include", f"{self.net}.0/24",
                "--mca", "oob_tcp_if_include", f"{self.net}.0/24", "-x", "TEFF_TEST_JOB=1",
                "-n", "2", *mode.split()]

    def cut_off(self):
        """A run whose network goes; the fault. (mpirun itself may then wait for its other half.)"""
        program = f"{self.build}/bin/teff_test_mpi long_run"
        process = subprocess.Popen(self.words(program), env={**os.environ, **ENVIRONMENT, **BETWEEN},
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        killer = threading.Timer(LIMIT_S, os.killpg, (process.pid, signal.SIGKILL))
        killer.start()
        said = ""
        for line in process.stdout:
            said += line
            if said.count("on 2 machines") == 2 and "waited" not in said:
                time.sleep(0.5)
                self.ip(f"link set {self.here} down")
            if "grid: rank 0 has waited for 2 s: the halo of field 0, 'T', side +y has not come" in line:
                said = ""
                break
        os.killpg(process.pid, signal.SIGTERM)
        time.sleep(1)
        os.killpg(process.pid, signal.SIGKILL)
        killer.cancel()
        process.stdout.close()
        process.wait()
        return said


def check_two_machines(build):
    """Faults, or why it is skipped; and how many runs there were."""
    machines = TwoMachines(build)
    with machines as why_not:
        if why_not:
            return [], why_not, 0
        faults = []
        runs = (f"{build}/bin/teff_test_mpi bits", f"{build}/bin/teff_test_mpi ranks",
                f"{build}/bin/teff_test --no-colors=1 --source-file=*/grid/test_grid_bits.cpp")
        says = ("2 ranks, 1x2", f"threads{2 * (' ' + str(len(os.sched_getaffinity(0))))}", "SUCCESS!")
        for mode, text in zip(runs, says):
            status, said, _ = run(machines.words(mode), BETWEEN, LIMIT_S)
            if status or text not in said:
                faults.append(f"two machines: {mode}: status {status}, or not '{text}'\n{said}")
        if said := machines.cut_off():
            faults.append(f"two machines: a cut network is not told: {said}")
        return faults, "", len(runs) + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--gpus", action="store_true")
    parser.add_argument("--only", nargs="+", default=[""])
    parser.add_argument("--times", action="store_true", help="say what each run took")
    asked = parser.parse_args()
    build = asked.build.resolve()
    cases = [case for case in (GPU_CASES if asked.gpus else CASES) if (asked.long or not case.is_long)
             and any(word in case.name() for word in asked.only)]
    missing = [kind for kind in KINDS if not (build / f"lib/libteff_mpi_{kind}.so").exists()
               or not launcher_of(kind)]
    for kind in missing:
        print(f"skipped: {KINDS[kind]} is not here, or was not when this was built (Debian: "
              f"{PACKAGES[kind]})")
    programs = {case.program for case in cases if not (build / "bin" / case.program).exists()}
    for program in programs:
        print(f"skipped: {program} was not built")
    cases = [case for case in cases if case.program not in programs]
    jobs = [(case, kind) for case in cases for kind in KINDS if kind not in missing
            and not (case.is_quick_once and kind == "openmpi" and not missing and not asked.long)
            and not (missing and "{other user}" in case.environment.get("TEFF_TEST_USER", ""))]

    def checked(job):
        fault, took_s = check(*job, build, asked.long or asked.gpus)
        if asked.times:
            print(f"{took_s:5.2f} s {job[1]} {job[0].name()}", flush=True)
        if fault:
            print(fault, flush=True)
        return not fault

    with ThreadPoolExecutor(1 if asked.long or asked.gpus else 3) as pool:  # most of the time they start, or wait
        right = list(pool.map(checked, jobs))
    passed, skipped = sum(right), len(missing) + len(programs)
    failed = len(right) - passed
    if not asked.gpus and any(word in "teff solve" for word in asked.only):
        if (build / "bin" / "teff").exists():
            for kind in KINDS:
                faults = check_solve(kind, build) if kind not in missing else []
                print(*faults, sep="\n", end="\n" if faults else "")
                passed, failed = passed + (kind not in missing and not faults), failed + len(faults)
        else:
            print("skipped: teff was not built")
            skipped += 1
    if asked.long and not asked.gpus and "openmpi" not in missing and asked.only == [""]:
        faults, why_not, runs = check_two_machines(build)
        print(*faults, *([f"skipped: {why_not}"] if why_not else []), sep="\n")
        passed, failed, skipped = (passed + runs - len(faults), failed + len(faults),
                                   skipped + bool(why_not))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
