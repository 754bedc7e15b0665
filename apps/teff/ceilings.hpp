// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/base/device.hpp>
#include <teff/lab/session.hpp>

#include <apps/teff/cli/arguments.hpp>

namespace teff::app {

/// The device that --device names, else the default one.
device device_of(const arguments& all);

/// What the arrays of a case may take of the memory that is free: half on a GPU, a quarter on a
/// CPU.
double bytes_for_arrays(device dev);

/// The probes that give the ceilings of a run: every way that is known, at one size far beyond the
/// cache. A budget (0: none) of a few seconds makes them smaller; if they then fit in the cache,
/// there are no ceilings.
std::vector<lab::job> ceiling_probes(device dev, double budget_s);

/// All probes over sizes and launch shapes, for `teff peak`.
std::vector<lab::job> peak_probes(device dev);

/// Makes shapes smaller where arrays would take more than bytes_for_arrays(), and where `scale`
/// below 1 asks for fewer cells.
void fit_to_device(std::vector<lab::job>& jobs, double scale);

}  // namespace teff::app
