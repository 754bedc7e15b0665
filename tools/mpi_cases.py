# SPDX-License-Identifier: MIT
"""What tools/test_mpi.py runs: each case a job of ranks, and what it must come to."""

from dataclasses import dataclass, field

FAILED = "not 0"
LIMIT_S = 60  # of a run that hangs


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
    on_gpus("throws_before_a_message", 6, seconds=10, says=("no more",)),  # others may not get to it
    on_gpus("returns_before_a_message", 1, seconds=10,
            says=("grid: rank 0 waits for rank 1, which has ended: " + LATE + "rank 1, period 3",)),
    Case("--no-colors=1 --source-file=*/grid/test_grid_bits.cpp", says=("SUCCESS!",), times=0,
         environment={"TEFF_TEST_JOB": "1"}, program="teff_test_cuda"),
]


def formulas(ranks, files, is_long=False):
    """Generated runs of test/grid, with the job's ranks."""
    sources = ",".join(f"*/grid/{file}.cpp" for file in files)
    return Case(f"--no-colors=1 --source-file={sources}", ranks, times=0,
                says=("SUCCESS!", "cases: grids: heat"), environment={"TEFF_TEST_JOB": "1"},
                is_long=is_long, program="teff_test")


CASES += [formulas(3, ["test_grid_bits"]), Case("", says=("hottest",), program="22_grid"),
          *(formulas(ranks, ["test_grid_bits", "test_grid_formulas"], is_long=True)
            for ranks in (2, 3, 4, 5))]
