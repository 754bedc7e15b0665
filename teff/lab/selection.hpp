// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/base/words.hpp>
#include <teff/lab/case.hpp>

namespace teff::lab {

/// What a user asked for, as words. Empty lists mean the defaults.
struct request {
  std::vector<std::string> cases = {};     ///< empty: all
  std::vector<std::string> types = {};     ///< empty: the first of the case
  std::vector<std::string> variants = {};  ///< all, best, names; empty: all
  std::vector<std::string> shapes = {};    ///< empty: the default of the case on this device
  std::vector<std::string> threads = {};   ///< launch shapes for the variants that take one
  std::vector<int> depths = {};            ///< steps per pass for the variants that take them
  std::vector<int> exchanges = {};         ///< steps between exchanges, likewise
  std::vector<int> ranks = {};             ///< how many, for cases on a grid; empty: the default
  int threads_of_rank = 0;                 ///< on a CPU; 0: its share of the cores
  std::vector<int> dims = {};              ///< only variants along these; empty: all
  device dev = device::cpu();
};

/// A variant with what was chosen for it.
struct rung {
  std::string name;     ///< as in results: "kernel-32x8", "temporal-4"
  std::string variant;  ///< as in the table: "kernel", "temporal"
  tuning how = {};
  std::optional<int> dim = {};  ///< along which it works
  /// Why it runs on a smaller shape than was asked for: flag::emulated (it is not timed then),
  /// flag::smaller, or "".
  std::string flag = {};
};

/// One case on one type and shape, with the variants to measure.
struct job {
  const bench_case* what = nullptr;
  setting where = {};
  std::vector<rung> rungs = {};
  bool may_shrink = false;  ///< its shape, to keep to a session's budget
};

/// Variants that are slow, or that are emulated on a CPU, get a job of their own before the
/// others', on the small shape of their case if that has fewer cells.
/// @throws error (usage) for a name that is not known, with the nearest one, and for a shape, type,
///         dim or variant that a case does not have
std::vector<job> plan(std::span<const bench_case> cases, const request& wanted);

/// The variants of a case that can be timed on a device, for a type; along these dims unless there
/// are none.
std::vector<std::string> timed_variants(const bench_case& c, device dev, const std::string& type,
                                        const std::vector<int>& dims);

/// What `teff lab` measures: every case that is in it and takes this type, on shapes that may
/// shrink. Left out is what would take most of the time: the ladders' own rungs, which `teff
/// ladder` shows, and launch shapes but for those of a copy.
std::vector<job> plan_lab(std::span<const bench_case> cases, device dev, const std::string& type);

using runtime::parse_shape;
using runtime::unknown_name;

/// Reads "32x8": up to three numbers from 1 to 1024. @throws error (usage)
std::vector<int> parse_threads(const std::string& text);

/// @throws error (usage) that lists what there is, or names the nearest
const bench_case& find_case(std::span<const bench_case> cases, const std::string& name);

}  // namespace teff::lab
