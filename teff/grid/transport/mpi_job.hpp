// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <teff/grid/ranks.hpp>

/// The processes that a launcher (mpirun, srun) has started, as ranks. MPI is initialised where the
/// first of their grids is made, and finalised when the program ends, unless the program does it; a
/// program that nobody launched loads no MPI.
namespace teff::runtime {

/// The ranks that a grid was asked for.
/// @param on null: all of this job @param comm null, or a user's communicator
/// @throws error (usage) where both are given; where processes are not connected by an MPI: there
/// is no shim for theirs, or it sees others than the launcher; where MPI has been finalised, or
/// promises that there are no threads
ranks ranks_for(const std::optional<ranks>& on, const void* comm);

}  // namespace teff::runtime
