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
from dataclasses import dataclass, field
from pathlib import Path

KINDS = {"openmpi": "Open MPI", "mpich": "MPICH"}
OTHER = {"openmpi": "mpich", "mpich": "openmpi"}
LAUNCHER = {"openmpi": "OMPI_COMM_WORLD_SIZE", "mpich": "PMI_SIZE"}
PACKAGES = {"openmpi": "libopenmpi-dev openmpi-bin", "mpich": "libmpich-dev mpich"}
FAILED = "not 0"
LIMIT_S = 60  # of a run that hangs
# As root, on fewer cores than ranks, that others use too.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "self,vader",
               "OMP_WAIT_POLICY": "passive", "TEFF_SCHEDULES": ""}


BETWEEN = {"OMPI_MCA_btl": "self,tcp", "OMPI_MCA_plm_rsh_no_tree_spawn": "1"}  # machines


@dataclass
class Case:
    """A run, and what it must come to. `{...}` in `says` are names of the MPI."""
    mode: str  # of test/grid/mpi_program.cpp
    ranks: int = 2
    status: object = 0
    says: tuple = ()
    seconds: float = LIMIT_S  # that --long allows: another machine may be busy
    environment: dict = field(default_factory=dict)
    is_long: bool = False
    is_quick_once: bool = False  # without --long under MPICH only, which starts and ends sooner
    launcher: str = ""  # the other MPI's; "none"
    program: str = "teff_test_mpi"
    times: int = 1  # that it says the first of them; 0: as often as it likes

    def name(self):
        return ", ".join([self.mode or self.program, f"{self.ranks} ranks",
                          *(f"{name}={value}" for name, value in self.environment.items())])


FIRST = "grid: rank {last} failed, which ends the grid on rank 0, too: "
CASES = [
    Case("bits", 2, says=("23 steps of 37x53 f64",), times=2),
    Case("bits", 3, says=("3 ranks, 3x1 processes by MPI",)),
    Case("bits", 4, says=("4 ranks",), times=0, is_long=True),
    Case("bits", 7, says=("7 ranks",), times=0, is_long=True),
    Case("bits", 1, says=("23 steps of 37x53 f64",), times=2),
    Case("ranks", 2, says=("2 ranks, threads {share} {share}",)),
    Case("ranks", 2, says=("2 ranks, threads 3 3",), environment={"OMP_NUM_THREADS": "3"},
         is_quick_once=True),
    Case("goes_on", says=("enough",), is_quick_once=True),
    Case("late", 2),
    # Errors. Those of one rank alone end the job, by their text and exit status.
    Case("refused_alike", status=2, says=("has not a cell for each of 1000 parts along x",), times=0,
         seconds=5, is_quick_once=True),
    Case("throws", status=6, says=(FIRST + "no more",), seconds=5),
    Case("throws uncaught", status=6, seconds=5, times=0,
         says=("threw, and nobody caught it: ", "no more",), is_quick_once=True),
    Case("throws", 3, status=6, says=("no more",), times=0, seconds=5, is_long=True),
    Case("throws_elsewhere uncaught", status=1, seconds=5,
         says=("rank {last} threw, and nobody caught it: of the user's",), is_quick_once=True),
    Case("returns", status=1, seconds=5,
         says=("grid: rank 0 waits for rank 1, which has ended: max is called by every rank, but not "
               "by rank 1",)),
    Case("exits", status=9, seconds=5, is_quick_once=True),
    Case("killed", status=FAILED, seconds=5),
    Case("stopped", status=1, seconds=1 + 1 + 3, times=0,
         says=("grid: rank 0 has waited for 1 s: on_step of iterate is called by every rank, but not "
               "by rank 1",)),
    Case("stopped_in_a_halo", status=1, seconds=1 + 1 + 3, is_long=True, times=0,
         says=("grid: rank 0 has waited for 1 s: the halo of field 0, 'T', side +y has not come from "
               "rank 1, period 3, before step 1",)),
    Case("stopped", 3, status=1, seconds=1 + 1 + 3, is_long=True, times=0,
         says=("rank 0 has waited for 1 s: on_step of iterate is called by every rank, but not by "
               "rank 2",)),
    Case("other_call", status=1, seconds=5,
         says=("grid: every rank makes the same calls, in the same order, but rank 0 calls max_abs "
               "and rank 1 min",), times=0, is_quick_once=True),
    Case("short", status=1, seconds=5, times=0,
         says=("grid: rank 0 expected 32 bytes from rank 1, got 24: the halo of field 0, 'T', side "
               "+y, period 17",)),
    Case("long", status=1, seconds=5, times=0,
         says=("grid: rank 0 expected 32 bytes from rank 1, got 40: the halo of field 0, 'T', side "
               "+y, period 17",), is_quick_once=True),
    Case("short_of_pieces", status=1, seconds=5, times=0,
         says=("grid: rank 0 expected 250 bytes from rank 1, got 200: ",), is_quick_once=True),
    # Processes that no MPI connects.
    Case("ranks", status=7, environment={"TEFF_MPI_SHIM": "/nowhere"}, times=0, seconds=5,
         says=("grid: this job has 2 processes, as {variable} says, but Teff has no shim for {MPI}: "
               "no libteff_mpi_{kind}.so in /nowhere; install {MPI}'s mpicc",)),
    Case("ranks", status=7, environment={"TEFF_MPI_SHIM": "{lib}/libteff_mpi_{other}.so"}, times=0,
         says=("but Teff has no shim for {MPI} (there is one for {other MPI}, whose mpirun could "
               "start it)",)),
    Case("other_mpi", status=7, environment={"TEFF_TEST_USER": "{other user}"}, times=0,
         says=("grid: this job has 2 processes, as {variable} says, but {other MPI} sees one",)),
    Case("ranks", 1, status=7, environment={"SLURM_STEP_NUM_TASKS": "4"}, launcher="none",
         says=("grid: this job has 4 processes, as SLURM_STEP_NUM_TASKS says, but ",)),
    Case("ranks", 1, launcher="none", says=("1 ranks, threads",)),
    # Programs with an MPI of their own.
    Case("of_the_user", 3, says=("2 ranks of the user's",), environment={"TEFF_TEST_USER": "{user}"}),
    Case("user_finalises", status=1, seconds=5, environment={"TEFF_TEST_USER": "{user}"},
         says=("grid: rank 0 waits for rank 1, which has ended: max is called",)),
    Case("used_after", status=2, seconds=5, environment={"TEFF_TEST_USER": "{user}"}, times=0,
         says=("grid: MPI has been finalised, so rank 0 has no others any more",), is_quick_once=True),
    Case("user_returns", status=6, seconds=5, environment={"TEFF_TEST_USER": "{user}"},
         says=("no more",), is_quick_once=True),
    Case("no_threads", status=2, seconds=5, environment={"TEFF_TEST_USER": "{user}"}, times=0,
         says=("grid: MPI was initialised for programs without threads",), is_quick_once=True),
    Case("finalised", status=2, seconds=5, environment={"TEFF_TEST_USER": "{user}"}, times=0,
         says=("grid: MPI has been finalised",), is_quick_once=True),
]


# On two GPUs.
NCCL, LATE = "processes by MPI, messages by NCCL ", "the halo of field 0, 'T', side +y has not come from "


def on_gpus(mode, status=0, **more):
    return Case(mode, status=status, program="teff_test_mpi_cuda", **{"times": 0, **more})


GPU_CASES = [
    on_gpus("sent", says=(NCCL,)),
    on_gpus("sent", says=("processes by MPI, staged: rank 0: TEFF_NCCL is off",),
            environment={"TEFF_NCCL": "off"}),
    on_gpus("sent", says=("processes by MPI, staged: rank 0: NCCL can not be loaded: /nowhere",),
            environment={"TEFF_NCCL": "/nowhere"}),
    on_gpus("sent", says=("processes by MPI, staged: ranks 0 and 1 share GPU-",),
            environment={"TEFF_DEVICE": "cuda:0"}),
    on_gpus("bits", says=("23 steps of 37x53 f64", NCCL)),
    on_gpus("periods", says=("an exchange every step", "an exchange every 8 steps", NCCL)),
    on_gpus("periods", says=("an exchange every 8 steps", "staged"), environment={"TEFF_NCCL": "off"}),
    on_gpus("goes_on", says=("enough",)),
    on_gpus("throws", 6, says=(FIRST + "no more",), seconds=10),
    on_gpus("killed", FAILED, seconds=10),
    on_gpus("stopped", 1, seconds=10, says=("grid: rank 0 has waited for 1 s: on_step of iterate",)),
    on_gpus("killed_before_a_message", FAILED, seconds=10),
    on_gpus("stopped_before_a_message", 1, seconds=10,
            says=("grid: rank 0 has waited for 2 s: " + LATE + "rank 1, period 3",)),
    on_gpus("throws_before_a_message", 6, seconds=10, says=(FIRST + "no more",)),
    on_gpus("returns_before_a_message", 1, seconds=10,
            says=("grid: rank 0 waits for rank 1, which has ended: " + LATE + "rank 1, period 3",)),
    Case("--no-colors=1 --source-file=*/grid/test_grid_bits.cpp", says=("SUCCESS!",), times=0,
         environment={"TEFF_TEST_JOB": "1"}, program="teff_test_cuda"),
]


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


def formulas(ranks, files, is_long=False):
    """Generated runs of test/grid, with the job's ranks."""
    sources = ",".join(f"*/grid/{file}.cpp" for file in files)
    return Case(f"--no-colors=1 --source-file={sources}", ranks, times=0,
                says=("SUCCESS!", "cases: grids: heat"), environment={"TEFF_TEST_JOB": "1"},
                is_long=is_long, program="teff_test")


CASES += [formulas(3, ["test_grid_bits"]), Case("", says=("hottest",), program="22_grid"),
          *(formulas(ranks, ["test_grid_bits", "test_grid_formulas"], is_long=True)
            for ranks in (2, 3, 4, 5))]


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
