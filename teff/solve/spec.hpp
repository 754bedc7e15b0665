// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <teff/base/device.hpp>
#include <teff/base/index.hpp>
#include <teff/formula/flow_rule.hpp>
#include <teff/grid/ranks.hpp>
#include <teff/stencil/report.hpp>

namespace teff {
class grid_report;
}

/// What a solver is to the command that runs it, in plain C++: what is behind it is compiled by the
/// CUDA compiler where there is one.
namespace teff::solve {

/// A field of a run.
struct solver_field {
  std::string name;
  std::vector<index_t> shape;    ///< x first
  std::vector<double> origin;    ///< position of its first value, by dim
  std::vector<double> spacings;  ///< between its values, by dim
};

/// The ranks that shared a run's grid.
struct rank_use {
  int count = 1;
  std::string cuts = {}, transport = {};  ///< "1x2", "threads"
  index_t exchange_every = 0;             ///< steps between exchanges of halos
};

/// What a run reports of its steps.
struct made_steps {
  made_steps(const iterate_report& report);  // NOLINT(google-explicit-constructor): @sync waits
  made_steps(const grid_report& report);     // NOLINT(google-explicit-constructor)

  index_t steps = 0;
  double time_s = 0, passes = 0;
  traffic per_step = {};
  std::optional<double> residual = {};
  bool has_converged = false;
  teff::schedule schedule = teff::schedule::stepwise;
  std::string reason = {};  ///< of the schedule
  rank_use ranks = {};

 private:
  template <class Report>
  made_steps(const Report& report, rank_use by);
};

/// A solver with its fields, between two time steps.
class solver_run {
 public:
  virtual ~solver_run() = default;

  /// Makes steps. @throws non_finite_error as iterate() does, or another error (non_finite) where
  /// no good state is left
  virtual made_steps advance(const iterate_options& options) = 0;
  /// The time step; 0 where time has no meaning, and where it follows the flow.
  virtual double dt() const { return 0; }
  /// A time step that follows the flow, as it is now. @sync waits
  virtual std::optional<double> following_dt() const { return {}; }
  /// Rules of the numbers that follow the flow: their values are a part of the state.
  virtual runtime::flow_rules rules() const { return {}; }

  /// The leading one first; some may be known and not evolve.
  const std::vector<solver_field>& fields() const { return fields_; }
  /// Values of a field in the type of the run, x first. @sync waits
  virtual void read(std::size_t field, void* to) const = 0;
  virtual void write(std::size_t field, const void* from) = 0;

 protected:
  std::vector<solver_field> fields_;
};

struct solver_limits {
  double lower = 0, upper = 1;
};

/// One of a solver's numbers, with its default.
struct solver_number {
  std::string name;
  double value;
  std::string about;
  /// What it may be, both ends included; without, any number above 0.
  std::optional<solver_limits> range = {};

  bool takes(double other) const;
  /// "a number above 0", "a number from 0 to 1"
  std::string expected() const;
};

/// What a run is made of. Another device and another schedule give the same bits; all else counts.
struct setup {
  device dev = device::cpu();
  std::string type = "f64";
  std::vector<index_t> shape = {};
  std::vector<solver_number> numbers = {};
  double dt = 0;                ///< 0: chosen by the solver
  bool takes_unstable = false;  ///< dt or cfl, even above the stability limit
  /// Who shares the grid, of a solver that may be shared; nothing: this process has all of it.
  std::optional<ranks> on = {};

  /// @throws error for one that the solver has not declared
  double number(const std::string& name) const;
  /// The time step that was asked for, else the usual one.
  double dt_or(double usual) const { return dt > 0 ? dt : usual; }
};

/// A solver as a command sees it. Only the name and `make` must be given.
struct spec {
  std::string name, about = {};
  std::string quantity = {};  ///< of the leading field, for axes: "temperature T [unit of height]"
  std::string places = "points";  ///< what a shape counts: points or cells
  /// By default; none: the fields' extents follow from the numbers, and there is no --shape.
  std::vector<index_t> shape = {};
  std::vector<index_t> cuda_shape = {};  ///< on a GPU; none: the same
  index_t steps = 1000;
  index_t cuda_steps = 0;                           ///< on a GPU; 0: as many
  std::vector<std::string> types = {"f64", "f32"};  ///< of its fields, the default first
  bool has_dt = true;
  /// The largest stable dt; with it a larger --dt is refused, unless there is --force-dt.
  std::function<double(const setup&)> dt_limit = {};
  double tolerance = 0;       ///< by default; 0 where there is no residual
  index_t check_every = 100;  ///< steps between checks of the residual, by default
  std::vector<solver_number> numbers = {};
  /// What the leading field stays within, for colours; without, what it holds when it is drawn.
  std::function<solver_limits(const setup&)> limits = {};
  std::function<std::unique_ptr<solver_run>(const setup&)> make = {};
  /// `make` makes a run on a grid where setup::on says who shares it: all ranks call it, read()
  /// gives all cells to the root and write() takes them there.
  bool is_for_ranks = false;

  std::size_t rank() const { return shape.size(); }
  const std::vector<index_t>& shape_on(device dev) const {
    return dev.is_cpu() || cuda_shape.empty() ? shape : cuda_shape;
  }
  index_t steps_on(device dev) const {
    return dev.is_cpu() || cuda_steps == 0 ? steps : cuda_steps;
  }
};

/// @throws error that says what of it can not be: a name that is no word, a default out of range
void check_spec(const spec& what);

/// "511x511"
std::string shape_text(const std::vector<index_t>& shape);

/// The shortest text that reads as the same number.
std::string number_text(double value);

}  // namespace teff::solve
