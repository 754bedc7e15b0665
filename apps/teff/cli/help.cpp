// SPDX-License-Identifier: MIT
#include <apps/teff/cli/help.hpp>

namespace teff::app {

namespace {

constexpr const char* overview = R"(How close does a computation come to what memory can do?
teff COMMAND --help says more about one command, with examples.

Examples:
  teff lab                              everything at default sizes, a report
  teff info                             the devices here, and what they can do
  teff bench diffusion2d                the heat step, every way to write it
  teff bench copy --shape 4096x4096 --type f32 --json copy.json
  teff ladder cumsum --dim 0            from naive to the best, step by step
  teff scale pressure2d --chart t.svg   over sizes, with the limit as a line
  teff solve diffusion2d --show         a solver, with a picture
  teff compare before.json after.json   what became slower?
  teff rerun before.json                measured once more, and compared
  teff report before.json               a page to read and to pass on
  teff ab copy --variant array,kernel   two ways in turns: which is faster?
)";

constexpr const char* info_text = R"(Shows the devices here, their memory, and how fast it is.

Examples:
  teff info
  teff info --quick      without measuring
)";

constexpr const char* peak_text =
    R"(Measures T_peak, the highest memory throughput here: copy, add, triad, read and
write, over sizes and launch shapes; also the peak FLOP/s. Says which way of
copying was best, and at which size. Everything is checked before it is timed.

Examples:
  teff peak
  teff peak --device cpu --json peak.json
)";

constexpr const char* list_text =
    R"(Lists the cases that can be measured; with a name, its variants, types, dims and
default shapes.

Examples:
  teff list
  teff list cumsum
)";

constexpr const char* bench_text =
    R"(Times the variants of cases. Every variant is first compared with serial loops,
element by element, at the size that is timed, and again afterwards. T_eff is
the bytes that must be moved, each field read once and written once, over the
time. It is compared with what memory did in the same run, the ceiling.

On a GPU nJ/cell is the energy that its board took, where it tells. --counters
has NVIDIA's ncu count what DRAM reads and writes in a step, and names the unit
that comes nearest to its peak (docs/profilers.md).

Examples:
  teff bench copy triad
  teff bench diffusion2d --shape 4096x4096 --type f64,f32
  teff bench copy --device cuda:0 --variant kernel --threads 32x8,64x4,256
  teff bench diffusion2d --variant temporal --depth 2,4,8
  teff bench diffusion2d --device cuda:0 --counters     what DRAM moves, by ncu
  teff bench copy --json copy.json      the table, and all samples in a file
  teff bench copy --json - | jq .       JSON only
)";

constexpr const char* ladder_text =
    R"(Climbs from the naive way to the best, one rung after the other: how fast each
is, what it gained over the rung before and why, and the figure of the lesson
that teaches it. Checked and timed as by bench. On a CPU the block kernels of a
GPU are emulated: checked on a small shape, not timed. Of cumsum and gemv the
emulator counts the 32-byte sectors that warps ask for, on every device:
sectors / needed is 1 where neighbours read neighbours.

Examples:
  teff ladder cumsum --dim 0
  teff ladder reduce --shape 1024x1024x1 --type f32     the lesson's size
  teff ladder cumsum --dim 0 --json ladder.json --markdown
  teff ladder reduce | grep warp
  teff ladder grid2d --ranks 2                          halos ever more seldom
)";

constexpr const char* scale_text =
    R"(Measures one case over sizes: how T_eff grows until memory limits it, and what a
cache gives. By default the sizes are 32 * 2^k points along each dim (fluids:
one less), up to the case's default shape, and the variants its best one and one
step per pass. Checked and timed as by bench.

With --ranks (cases grid2d, grid3d, grid_pressure2d) it goes over numbers of
ranks instead, each with as many threads: what more of them gain, and what
exchanging halos costs.
With --exchange-every it says how near the chosen steps between exchanges are to
the best.

Examples:
  teff scale pressure2d --chart pressure2d.svg      with T_peak as a line
  teff scale copy --type f64,f32
  teff scale diffusion2d --variant temporal --depth 4,8 --shape 511x511,999x999
  teff scale pressure2d --budget 60 --csv
  teff scale copy --json sizes.json
  teff scale --from sizes.json --chart sizes.svg    drawn later, or elsewhere
  teff scale grid2d --ranks 1,2 --json ranks.json   one grid, more ranks
  teff scale grid2d --ranks 1,2 --weak              a part for each rank
  teff scale grid2d --ranks 2 --exchange-every 1,2,4,8,16
)";

constexpr const char* solve_text =
    R"(Runs a solver, with progress on a terminal, and says what it reached: steps,
time, T_eff, and the range of its leading field. A run can leave pictures, an
animation, fields for NumPy and ParaView, and checkpoints from which it goes on
to the same bits, on this or another device. Without a name it lists the
solvers.

Examples:
  teff solve                                        the solvers, their numbers
  teff solve diffusion2d --show                     a picture in the terminal
  teff solve diffusion2d --shape 255x255 --type f32 --picture T.png --save T.npy
  teff solve wave2d --steps 500 --set K=2,rho=1 --every 10 --animation sound.gif
  teff solve pressure2d --shape 127x127 --tolerance 1e-6 --json - | jq .residual
  teff solve diffusion3d --checkpoint heat.ckpt --save heat.vti
  teff solve --resume heat.ckpt --steps 2000 --picture heat.png
)";

constexpr const char* compare_text =
    R"(Says for each result of two JSON files whether B is the same, faster or slower
than A, or whether that is unclear. Judged from all samples: a difference counts
if the 99 % interval of the ratio of medians excludes 1 and the ratio is beyond
the threshold. That the machine changed its speed between the two runs is not
seen in the samples; teff ab measures both in turns. Exit status 4 if anything
became slower.

Examples:
  teff bench copy --json before.json
  teff bench copy --json after.json                 once more, after a change
  teff compare before.json after.json
  teff compare before.json after.json --threshold 5
)";

constexpr const char* rerun_text =
    R"(Runs the command that made a JSON file (of peak, bench, ladder, scale or lab)
once more, here and now, and compares as teff compare does: the file is A, the
new results are B. Where the results of the command went does not matter; its
device, shapes and types do. Of lab the page and the picture land in a folder
named like the new file.

Examples:
  teff rerun copy.json                              after a change, or an update
  teff rerun copy.json --output today.json --threshold 5
)";

constexpr const char* report_text =
    R"(Makes one page of JSON files that bench, ladder, scale, peak or lab wrote:
first the machine, what was found and the share of the ceiling of every case,
then what is left to gain, the limits, the roofline, and each case with charts,
checks and notes. With --against it tells what changed since an earlier run, as
compare judges it. The page is one file that loads nothing and needs no scripts.

Examples:
  teff report teff-lab/results.json                  what teff lab wrote
  teff report teff-lab/results.json --picture teff-lab/temperature.png
  teff bench copy --json copy.json
  teff report copy.json -o copy.html
  teff report teff-lab/results.json copy.json        several runs on one machine
  teff report after.json --against before.json       and what changed since
)";

constexpr const char* ab_text =
    R"(Judges two variants of a case, or two builds of teff, by measuring them in
turns: a machine that changes its speed changes it for both. Which comes first
is tossed for. Everything is checked before it is timed. With two variants the
first is A, and exit status 4 means that the second is slower. With --against
the other program is A and this one is B, which then take turns at coming first;
4 means that this build became slower. Each run is a process of its own and
counts as one number.

Examples:
  teff ab diffusion2d --variant stepwise,temporal
  teff ab diffusion2d --variant temporal --depth 4,8 --shape 4095x4095
  teff ab copy --variant array,array                 the same, twice
  teff ab diffusion2d --variant temporal --against old/teff
  teff ab copy --variant array --against old/teff --rounds 16 --json ab.json
)";

constexpr const char* lab_text =
    R"(Does it all at default sizes for this machine: the ceilings, every case, a
picture of diffused heat. First comes what a user would write, of every case
in f64 and f32, then other variants while there is time. Writes report.html,
results.json and temperature.png into the folder teff-lab, and prints a table.
Its last words are what it found, in a sentence, and the path of the report.

Examples:
  teff lab
  teff lab --budget 30 -o results/today
)";

constexpr const char* completion_text =
    R"(Writes a script with which a shell completes commands, options, and the names of
cases, variants, types and devices. An installation brings it along; without
one, load it in the shell's start-up file.

Examples:
  source <(teff completion bash)
  teff completion zsh > "$HOME/.zfunc/_teff"
  teff completion fish > "$HOME/.config/fish/completions/teff.fish"
)";

constexpr const char* document_text =
    R"(Writes what is generated from the tree of options: the manual page, or the
tables of docs/cli.md.

Examples:
  teff document man | man -l -
  teff document markdown
)";

}  // namespace

const char* const exit_statuses =
    R"(Exit status: 0 ok, 1 failed while running, 2 wrong usage, 3 a result was wrong,
4 something became slower, 5 out of memory, 6 a field is not finite, 7 no such
device, 130 interrupted.)";

const char* help_of(command c) {
  switch (c) {
    case command::info:
      return info_text;
    case command::peak:
      return peak_text;
    case command::list:
      return list_text;
    case command::bench:
      return bench_text;
    case command::ladder:
      return ladder_text;
    case command::scale:
      return scale_text;
    case command::solve:
      return solve_text;
    case command::compare:
      return compare_text;
    case command::rerun:
      return rerun_text;
    case command::report:
      return report_text;
    case command::ab:
      return ab_text;
    case command::lab:
      return lab_text;
    case command::completion:
      return completion_text;
    case command::document:
      return document_text;
    case command::none:
      break;
  }
  return overview;
}

}  // namespace teff::app
