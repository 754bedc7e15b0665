// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <teff/lab/result.hpp>
#include <teff/lab/selection.hpp>

namespace teff::lab {

/// The ceilings that follow from verified results of probes, by mix and type. Results that fit in
/// the cache do not count.
limits ceilings_from(const std::vector<result>& probe_results);

/// Which ceilings rest on samples that something disturbed, and by what; "" where none does.
std::string doubts_about_ceilings(const std::vector<result>& probe_results);

/// What is known of the ceilings while a session goes on. A machine may change its speed, so they
/// are measured in turns with the cases, and again where a result passes them; the highest counts.
class ceiling_watch {
 public:
  /// Measures these probes; an empty list if there is no time.
  using measurement = std::function<std::vector<result>(const std::vector<job>&)>;

  ceiling_watch(const std::vector<job>& probes, measurement measure)
      : probes_(probes), measure_(std::move(measure)) {}

  /// Takes what probes found, all of them or some.
  void take(const std::vector<result>& found);

  /// Measures the ceilings of these results again: by all probes of a mix where one passes it, else
  /// by the probe that was fastest, unless `part_so_far`, of the session's time, is too much.
  void follow(std::span<const result> results, double part_so_far);

  /// Measures the ceilings again that a result still passes.
  void follow_passing(std::span<const result> results);

  const limits& ceilings() const { return highest_; }
  const std::vector<result>& found() const { return found_; }

  /// What was passed, and what changed.
  std::vector<std::string> notes() const;

 private:
  const result* passing(std::span<const result> results, mix m) const;
  void measure_again(mix m, const result& passes);
  const result* fastest(mix m) const;
  std::vector<job> probes_of(mix m, const result* only) const;

  const std::vector<job>& probes_;
  measurement measure_;
  std::vector<result> found_;
  limits lowest_, highest_;
  std::vector<std::string> passed_;
};

}  // namespace teff::lab
