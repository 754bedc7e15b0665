// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/io/any_field.hpp>
#include <teff/solve/spec.hpp>

namespace teff::solve {

/// The part of a solver of one's own that knows no types: its fields' names, and their cells to the
/// host and back.
class run_of_any_fields : public solver_run {
 public:
  double dt() const override { return dt_; }
  std::optional<double> following_dt() const override {
    return following_dt_ ? std::optional(following_dt_()) : std::nullopt;
  }
  void read(std::size_t field, void* to) const override;
  void write(std::size_t field, const void* from) override;
  /// The type of all fields.
  const char* type() const;
  /// @throws error if they are not as many as the leading field has dims
  void space(const std::vector<double>& spacings);
  /// The field of this name is the leading one, the others keep their order.
  /// @throws error if there is none
  void lead(const std::string& name);
  /// The time step is what this says, at any moment.
  void follow(std::function<double()> dt) { following_dt_ = std::move(dt); }

 protected:
  /// @throws error for a dt that is negative or not finite, and for fields whose labels are not
  /// names or which differ in their types
  run_of_any_fields(double dt, std::vector<io::any_field> cells);

 private:
  double dt_;
  std::function<double()> following_dt_;
  std::vector<io::any_field> cells_;
};

}  // namespace teff::solve
