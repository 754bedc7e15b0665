// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include <teff/base/device.hpp>

namespace teff::lab {

/// Joules that a device took since some time; absent where nobody tells.
using energy_counter = std::function<std::optional<double>()>;

/// That of a GPU's management library; of a CPU none.
energy_counter energy_counter_of(device dev);

/// Joules of one of the runs of a batch that lasts about `batch_s`.
/// @param run enqueues one; `wait` until all that was enqueued is done
/// @param run_s about what one takes
/// @returns nothing where the counter tells nothing, or stands still
std::optional<double> joules_of_run(const energy_counter& joules, const std::function<void()>& run,
                                    const std::function<void()>& wait, double run_s,
                                    double batch_s);

}  // namespace teff::lab
