// SPDX-License-Identifier: MIT
#pragma once

#include <teff/grid/exchange_model.hpp>
#include <teff/grid/ranks.hpp>

/// How fast ranks exchange, measured.
namespace teff::runtime {

/// Every rank sends to the next and receives from the one before, small messages and large ones, 20
/// of each, or fewer where that would take more than about 10 ms; packing and unpacking included,
/// as copies. Collective. @param dev where this rank's fields are @returns the same on all ranks,
/// the slowest one's medians
exchange_speed measured_exchange(const ranks& on, device dev);

/// What is taken for granted of a transport until somebody measures.
exchange_speed assumed_exchange(const ranks& on);

}  // namespace teff::runtime
