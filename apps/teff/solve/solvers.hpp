// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <teff/base/device.hpp>
#include <teff/base/index.hpp>
#include <teff/stencil/report.hpp>

/// The solvers that `teff solve` runs, behind one interface of plain C++: what is behind it, in
/// solvers/, is compiled by the CUDA compiler where there is one.
namespace teff::app {

/// A field of a run.
struct solver_field {
  std::string name;
  std::vector<index_t> shape;    ///< x first
  std::vector<double> origin;    ///< position of its first value, by dim
  std::vector<double> spacings;  ///< between its values, by dim
};

/// A solver with its fields, between two time steps.
class solver_run {
 public:
  virtual ~solver_run() = default;

  /// Makes steps. @throws non_finite_error as iterate() does, or another error (non_finite) where
  /// no good state is left
  virtual iterate_report advance(const iterate_options& options) = 0;
  /// The time step; 0 where time has no meaning.
  virtual double dt() const { return 0; }

  /// The leading one first; some may be known and not evolve.
  const std::vector<solver_field>& fields() const { return fields_; }
  /// Values of a field in the type of the run, x first. @sync waits
  virtual void read(std::size_t field, void* to) const = 0;
  virtual void write(std::size_t field, const void* from) = 0;

 protected:
  std::vector<solver_field> fields_;
};

/// One of a solver's numbers, with its default.
struct solver_number {
  std::string name;
  double value;
  std::string about;
};

/// What a run is made of. Another device and another schedule give the same bits; all else counts.
struct solver_setup {
  device dev = device::cpu();
  std::string type = "f64";
  std::vector<index_t> shape = {};
  std::vector<solver_number> numbers = {};
  double dt = 0;                ///< 0: chosen by the solver
  bool takes_unstable = false;  ///< dt or cfl, even above the stability limit

  double number(const std::string& name) const;
};

struct solver_limits {
  double lower = 0, upper = 1;
};

/// A row of the table.
struct solver_entry {
  std::string name, about;
  std::string quantity = {};  ///< of the leading field, for axes: "temperature T [unit of height]"
  std::string places = "points";  ///< what a shape counts: points or cells
  std::vector<index_t> cpu_shape = {}, cuda_shape = {};
  index_t cpu_steps = 0, cuda_steps = 0;
  bool has_dt = true;
  double tolerance = 0;       ///< by default; 0 where there is no residual
  index_t check_every = 100;  ///< steps between checks of the residual, by default
  std::vector<solver_number> numbers = {};
  /// What the leading field stays within, for colours.
  std::function<solver_limits(const solver_setup&)> limits = {};
  std::unique_ptr<solver_run> (*start)(const solver_setup&) = nullptr;

  std::size_t rank() const { return cpu_shape.size(); }
};

/// All of them, in the order of their pages in docs/.
const std::vector<solver_entry>& solvers();

/// @throws error (usage) that names the nearest, or lists all
const solver_entry& find_solver(const std::string& name);

}  // namespace teff::app
