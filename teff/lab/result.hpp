// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <teff/base/index.hpp>

/// What the lab found: plain records, the C++ side of the JSON of schema 1. A number that is not
/// known is absent, never NaN, and `reason` says why.
namespace teff::lab {

/// The mixes of reading and writing that have a ceiling of their own.
enum class mix : std::uint8_t { copy, triad, read, write };
inline constexpr mix all_mixes[] = {mix::copy, mix::triad, mix::read, mix::write};
const char* name_of(mix m);

/// The measured limits of a device. 1 GB = 10^9 bytes.
struct limits {
  std::optional<double> copy_gb_per_s, triad_gb_per_s, read_gb_per_s, write_gb_per_s;
  std::optional<double> f64_gflop_per_s, f32_gflop_per_s;

  std::optional<double>& of(mix m);
  const std::optional<double>& of(mix m) const;
  /// T_peak: the largest ceiling.
  std::optional<double> t_peak_gb_per_s() const;
};

/// The machine and the program; no host name, user or path.
struct machine {
  std::string device = {};       ///< "cpu", "cuda:0": where the ceilings were measured
  std::string device_name = {};  ///< "NVIDIA H200"
  std::string driver = {};
  std::uint64_t memory_bytes = 0;
  std::uint64_t cache_bytes = 0;
  int processors = 0;  ///< cores used, or streaming multiprocessors
  double nominal_gb_per_s = 0;
  double clock_ghz = 0;  ///< the highest, where it is known
  std::string cpu_name = {};
  int cpu_cores = 0;
  std::string compiler = {};
  std::string cuda = {};    ///< version of the CUDA compiler, or "none"
  std::string commit = {};  ///< "unknown" where it was not built from git
  std::string teff_version = {};
  std::string command = {};  ///< command line; of file names only the last part
  std::string date = {};     ///< UTC, ISO 8601
};

struct check_result {
  bool ok = false;
  std::string reference = {};  ///< what the result was compared with
  std::optional<double> max_error =
      {};  ///< largest absolute difference; absent if an element was no number
  double tolerance = 0;
  std::string reason = {};  ///< why it is not ok: how many elements differ, and the first of them
  std::string same_bits_as =
      {};  ///< the variant to which every bit of the result was compared and is equal
};

struct timing {
  double min_s = 0, median_s = 0, iqr_s = 0;  ///< of one step
  std::vector<double> samples_s;
};
/// Sorts nothing away: all samples are kept. @throws error if there are none
timing timing_of(std::vector<double> samples_s);

/// What a variant's kernel takes of a GPU's multiprocessor.
struct kernel_use {
  int registers = 0;                ///< of a thread
  std::uint64_t spilled_bytes = 0;  ///< of a thread: what did not fit in registers
  double occupancy = 0;             ///< resident threads of those that it can have, 0 to 1
  bool fills_registers = false;     ///< there are none for one more block
  double bytes_in_flight = 0;       ///< loads that can be on their way together
};

/// Sectors of 32 bytes that a kernel's warps ask for in global memory, as the emulator counts them
/// on a small shape.
struct sector_use {
  std::uint64_t asked = 0;
  std::uint64_t needed = 0;  ///< if what each access asks for lay side by side
  std::vector<index_t> shape = {};
};

/// What a GPU's counters say of one step.
struct counter_use {
  double dram_read_bytes = 0, dram_written_bytes = 0;
  std::string limit = {};  ///< the unit that is nearest to its peak: "dram", "l2", "fp64"
  double limit_part = 0;   ///< of that peak, 0 to 1
  int kernels = 0;         ///< of a run
};

/// How a grid was shared out to ranks.
struct rank_use {
  int count = 1;
  int threads = 1;              ///< of each
  int devices = 1;              ///< that share the work: GPUs, or one CPU
  std::string cuts, transport;  ///< "1x2", "threads"
  int exchange_every = 0;       ///< steps between exchanges of halos; 0: there are none
  double exchange_s = 0;        ///< of a step, waiting included, on the rank where it was longest
  std::optional<double> hidden =
      {};  ///< on GPUs, of exchanges, what steps did not wait for: 0 to 1
};

/// One variant of one case, measured. Times, bytes and flop are those of one step.
struct result {
  std::string case_name, variant, device, type;
  std::vector<index_t> shape;
  std::optional<int> dim;
  std::vector<int> threads;          ///< of a block; empty where nothing was launched that has some
  std::optional<kernel_use> kernel;  ///< where it is one, on a GPU, and its facts were asked for
  std::optional<sector_use> sectors;    ///< of a rung of a ladder, where they were counted
  std::optional<counter_use> counters;  ///< where a profiler was asked
  std::optional<rank_use> ranks;        ///< where it ran on a grid
  int steps_per_pass = 1;
  std::uint64_t a_eff_bytes = 0, t_tot_bytes = 0, flop = 0, cells = 0;
  std::optional<timing> time;
  std::optional<double> energy_j = {};  ///< of one step: what the whole board took, where it tells
  mix ceiling = mix::copy;
  std::optional<double> fraction_of_ceiling;
  check_result check;
  std::vector<std::string> flags;
  std::string reason;   ///< why there is no time, or ""
  std::size_t run = 0;  ///< of the report's runs, the one that measured it

  /// Rates; absent without a time, or where nothing is moved or computed.
  std::optional<double> t_eff_gb_per_s() const { return rate(a_eff_bytes, 1e9); }
  std::optional<double> t_tot_gb_per_s() const { return rate(t_tot_bytes, 1e9); }
  std::optional<double> gflop_per_s() const { return rate(flop, 1e9); }
  std::optional<double> cells_per_s() const { return rate(cells, 1); }
  std::optional<double> joules_per_cell() const {
    if (!energy_j || cells == 0) return std::nullopt;
    return *energy_j / static_cast<double>(cells);
  }
  bool has_flag(const std::string& flag) const;
  /// Checked before and after it was timed: only such a result may be called best.
  bool is_verified() const { return check.ok && time.has_value(); }

 private:
  std::optional<double> rate(std::uint64_t amount, double unit) const {
    if (!time || time->median_s <= 0 || amount == 0) return std::nullopt;
    return static_cast<double>(amount) / unit / time->median_s;
  }
};

/// The flags of a result, as in tables and JSON.
namespace flag {
inline constexpr const char* noisy = "noisy";                  ///< IQR above 5 % of the median
inline constexpr const char* throttled = "throttled";          ///< the GPU lowered its clocks
inline constexpr const char* fits_in_cache = "fits in cache";  ///< less than 4 times the last cache
inline constexpr const char* above_ceiling =
    "above ceiling";  ///< which is too low: > 1.02 with one step per pass
inline constexpr const char* shared_device = "shared device";  ///< others use it at the same time
inline constexpr const char* cold_cache = "cold cache";  ///< caches emptied before each sample
inline constexpr const char* unverified = "unverified";  ///< its result was wrong
inline constexpr const char* emulated = "emulated";      ///< checked by the emulator, not timed
inline constexpr const char* smaller = "smaller shape";  ///< than that of the others
}  // namespace flag

/// How notes of a report begin that say what the time budget left out, or made smaller.
inline constexpr std::string_view left_out_note = "left out: ", smaller_note = "smaller shapes";

/// One of the runs that were put together.
struct single_run {
  machine where;
  limits ceilings;
};

/// A result that was planned and is not there.
struct omission {
  std::string case_name, type;
  std::vector<index_t> shape;
  int ranks = 0;  ///< 0: of no grid
  std::string variant;

  auto operator<=>(const omission&) const = default;
};

struct report {
  static constexpr int schema = 1;
  machine where;
  limits ceilings;
  std::vector<result> results;
  std::vector<std::string> notes;  ///< what was left out, and what was odd
  /// How many results there would be if nothing had been left out; 0 where that is not known.
  std::size_t planned = 0;
  std::vector<omission> left_out;  ///< why tell the notes
  /// Of runs that were put together, in the order of their dates: results then refer to their own
  /// runs' ceilings, of which the highest are kept. Empty for one run.
  std::vector<single_run> runs;
};

/// The ceilings of the run that measured a result of the report.
const limits& ceilings_of(const report& all, const result& r);

/// "16384x16384"
std::string shape_text(const std::vector<index_t>& shape);
/// " on 2 ranks", or "" where there are none: what of a result's identity is about ranks.
std::string ranks_text(const result& r);
double cells_of(const std::vector<index_t>& shape);
/// What a ceiling, that of one device, is to be multiplied by: GPUs that a result ran on, else 1.
int devices_of(const result& r);

}  // namespace teff::lab
