// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <teff/stencil/plan.hpp>

/// The ways to make steps. Each is a folder: a way.cpp with its words and its model (tiles and
/// warps share that of levels/), and a way.hpp with a class that makes steps of a formula
/// (way_concept.hpp); both have an entry in a list (ways.cpp, bound_stepper.hpp). README.md, "One
/// more schedule", has the places.
namespace teff::runtime {

/// What the model knows of a kind of device. The figures came from readings under results/; they
/// need to be right only so far that the order of the depths is.
struct device_model {
  double copy_gb_per_s;     // memory alone
  double gflop_per_s;       // all on chip
  double pass_s;            // to start a pass
  double memory_share;      // of the time at memory that a deep pass does not spend computing, too
  double tile_gflop_per_s;  // of resident blocks, as fast as shared memory feeds them
  bool is_gpu;
  double pass_cost;    // of an operation of a pass, in those of a single step
  double single_cost;  // of a byte of a single step, in those of a copy

  double memory_s(double bytes) const { return bytes / (copy_gb_per_s * 1e9); }
  double chip_s(double operations) const { return operations / (gflop_per_s * 1e9); }
};

/// Which fields a way steps between two arrays.
enum class second_arrays { none, where_stages_need_them, all_that_last };

/// A way in words and numbers.
class way {
 public:
  virtual ~way() = default;
  virtual teff::schedule schedule() const = 0;
  virtual const char* name() const = 0;  ///< of the schedule, as a user writes it
  /// As in lists of readings, and in the file of schedules.
  virtual std::string short_text(int depth) const = 0;
  /// The depth in such a text (1 where it says none); nothing if the text is not of this way.
  virtual std::optional<int> depth_of(std::string_view short_text) const;
  virtual std::string text(int depth) const = 0;
  /// A depth can be asked for.
  virtual bool has_depths() const { return false; }
  /// What makes a pass of one step.
  virtual const way& of_one_step() const { return *this; }
  virtual runtime::second_arrays second_arrays() const = 0;
  /// The least steps of a run that the model gives to it, and of one that takes it because it was
  /// the fastest in another run.
  virtual index_t least_steps(int depth) const = 0;
  virtual index_t least_steps_if_known(int depth) const { return least_steps(depth); }
  /// Steps by which its kernel is compared with single ones: a whole pass, and what is left over.
  virtual index_t steps_to_compare(int depth) const { return 2 * depth - 1; }
  /// What a step takes. @param overlap cells that it computes for each one that counts
  virtual double seconds(const device_model& on, const step_facts& facts, int depth, double overlap,
                         index_t steps) const = 0;
};

/// All, the one that can always run first.
const std::vector<const way*>& ways();
const way& way_of(schedule s);

/// The operations of a step by one way; copies count as one for each cell.
double operations_of(const step_facts& facts, schedule by);
/// @throws error: there is no kernel for a plan on this device
[[noreturn]] void throw_no_kernel(const step_plan& plan, device dev);
/// "4 steps".
std::string steps_text(int steps);

}  // namespace teff::runtime
