// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <teff/base/device.hpp>
#include <teff/base/stream.hpp>
#include <teff/kernel/kernel_facts.hpp>
#include <teff/lab/result.hpp>
#include <teff/traffic/traffic.hpp>

/// How bench/ tells the lab what there is to measure. A case says what to run and how to check it,
/// never how to time it. Everything here is a plain type, the same in C++ and CUDA units.
namespace teff::lab {

/// What a case is made ready for.
struct setting {
  device dev = device::cpu();
  std::string type = "f64";
  std::vector<index_t> shape = {};
  int ranks = 0;            ///< of a case on a grid; 0: default_ranks()
  int threads_of_rank = 0;  ///< on a CPU; 0: its share of the cores
};

/// What a user may choose of a variant; empty and 0 leave it to Teff.
struct tuning {
  std::vector<int> threads = {};  ///< of a block
  int depth = 0;                  ///< steps per pass
  int exchange_every = 0;         ///< steps between exchanges of halos
};

/// What one step moves and computes, from the library's own records.
struct workload {
  traffic ideal = {};      ///< A_eff: each field once; the same for all variants of a case
  double t_tot_bytes = 0;  ///< what the variant's statements ask for, array by array
  int steps_per_run = 1;
  int steps_per_pass = 1;
};

/// One variant, ready to run again and again on its case's arrays.
class experiment {
 public:
  experiment() = default;
  virtual ~experiment() = default;
  experiment(experiment&&) = delete;
  experiment& operator=(experiment&&) = delete;

  /// Inputs as at the start; the target full of NaN (integers: of a value that no result has), so
  /// that a variant that leaves cells out is found.
  virtual void reset() = 0;

  /// Enqueues one run.
  virtual void run() = 0;

  /// Compares every element of the target with the serial reference for one run after reset().
  /// @sync waits.
  virtual check_result check() = 0;

  /// True if any number of runs after reset() leaves the same result as one: it can then be checked
  /// just as the timed runs left it.
  virtual bool is_repeatable() const { return true; }

  /// May be asked after the first run.
  virtual workload work() const = 0;
  /// Threads of a block; empty where there are none, or several kernels.
  virtual std::vector<int> threads() const { return {}; }
  /// The kernel, where it is one and known.
  virtual std::optional<kernel_facts> kernel() const { return std::nullopt; }
  /// Where it runs on ranks. May be asked after the first run.
  virtual std::optional<rank_use> ranks() const { return std::nullopt; }
};

/// A case with its arrays on a device, and the reference result, shared by the experiments made of
/// it.
class prepared_case {
 public:
  prepared_case() = default;
  virtual ~prepared_case() = default;
  prepared_case(prepared_case&&) = delete;
  prepared_case& operator=(prepared_case&&) = delete;

  virtual stream on() const = 0;
  /// `variant` is a name of the table, without threads or depth. The experiment must not outlive
  /// the case.
  /// @throws error if this variant can not run here, and why
  virtual std::unique_ptr<experiment> make(const std::string& variant, const tuning& how) = 0;
};

/// What a user may choose of a variant, and what a number at the end of its name means.
enum class knob : std::uint8_t { none, threads, depth, exchange };

/// Where a variant is worth measuring.
enum class place : std::uint8_t { everywhere, cpu, cuda };

/// One way to do what a case is about.
struct variant {
  std::string name;
  std::string about = {};  ///< one sentence for `teff list`
  knob takes = knob::none;
  place runs = place::everywhere;
  std::vector<std::string> types = {};  ///< that it takes; empty: all of the case's
  std::optional<int> dim = {};  ///< along which it works, where a case has a ladder for each dim
  /// What it gains over the variant before it, and why: one sentence. It makes a rung of the
  /// ladder.
  std::string gain = {};
  std::string cpu_gain = {};     ///< the sentence for a CPU, where that of a GPU is not true
  std::string lesson = {};       ///< the lesson's own figure and its GPU: "336 GB/s, P100"
  bool is_block_kernel = false;  ///< on a CPU the emulator runs it: checked, not timed
  bool counts_sectors = false;   ///< a kernel of views: the emulator can count what its warps ask
                                 ///< for in global memory, for `teff ladder`
  bool takes_small = false;      ///< slow, or made for small sizes: a GPU times it on the
                                 ///< case's small shape at most
  bool is_for_ladder_only = false;  ///< `teff lab` leaves it out

  bool runs_on(device dev) const {
    return runs == place::everywhere || (runs == place::cpu) == dev.is_cpu();
  }
  bool takes_type(const std::string& type) const {
    return types.empty() || std::ranges::find(types, type) != types.end();
  }
  bool is_emulated_on(device dev) const { return is_block_kernel && dev.is_cpu(); }
};

/// One line of the table of cases.
struct bench_case {
  std::string name;
  std::string about = {};  ///< what it shows, one sentence
  std::string group = {};  ///< of cases that a page shows together: "time steps"
  std::string axes = {};   ///< what it takes: "a shape of two extents"
  std::vector<std::string> types = {};
  int least_rank = 1, most_rank = 3;
  std::vector<index_t> cpu_shape = {}, cuda_shape = {};  ///< defaults, far beyond the caches
  std::vector<index_t> small_shape = {};                 ///< the most for variants that take_small
  std::vector<index_t> emulated_shape = {};              ///< the most for the emulator, likewise
  std::vector<index_t> counted_shape = {};               ///< of kernels whose sectors are counted
  int sweep_less = 0;     ///< `teff scale` takes 32 * 2^k points less these
  int arrays = 2;         ///< held on the device at once, for fitting sizes to memory
  int moved_arrays = 2;   ///< that a run moves, for sizes beyond the caches; 0: next to nothing
  std::string best = {};  ///< the variant that a user of Teff would write
  std::vector<std::string> best_along = {};  ///< the same of each dim, where a case has dims
  bool is_in_lab = true;                     ///< false: `teff lab` leaves it out
  bool is_on_ranks = false;                  ///< its grid is cut into parts, one for each rank
  std::string no_ceiling = {};               ///< where memory is not the limit, what is: one clause
  std::vector<variant> variants = {};        ///< from naive to best
  std::function<std::unique_ptr<prepared_case>(const setting&)> prepare = {};

  bool runs_on(device dev) const {
    return std::ranges::any_of(variants, [&](const variant& v) { return v.runs_on(dev); });
  }
  const std::vector<index_t>& default_shape(device dev) const {
    return dev.is_cpu() ? cpu_shape : cuda_shape;
  }
};

/// How many ranks a case on a grid has where nobody says: one for each core, 8 at most.
int default_ranks(device dev);

/// The ceiling that a mix of reading and writing is compared with: copy for as much read as
/// written, triad for more read than written, read where up to 2 % of it is written, write where
/// nothing is read.
mix mix_of(const traffic& moved);

}  // namespace teff::lab
