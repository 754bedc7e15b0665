// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

struct teff_mpi;

/// Which MPI a program runs under, and the shim of it: a small library beside Teff's that is loaded
/// where a launcher has started several processes, so that nothing else needs an MPI.
namespace teff::runtime {

enum class mpi_kind { open_mpi, mpich };
/// "Open MPI", "MPICH".
const char* name_of(mpi_kind kind);

/// What started this process, by the variables that it left.
struct launcher {
  std::string variable;          ///< that says so, "PMI_SIZE"; "": nobody did
  int processes = 1;             ///< 0: it is not said how many
  bool is_of[2] = {true, true};  ///< by mpi_kind: may it be that MPI's?
};
/// @param value_of a variable of the environment, or null
launcher launcher_of(const char* (*value_of)(const char*));
launcher this_launcher();

/// An MPI that the program itself has linked or loaded, if any.
bool has_loaded(mpi_kind kind);

/// The shims that were found, by kind: their paths, "" where there is none. TEFF_MPI_SHIM, a folder
/// or a file, says where else than beside the library they are; elsewhere none is then looked for.
struct mpi_shims {
  std::string path[2];
  std::vector<std::string> folders;  ///< that were looked at
};
mpi_shims found_shims();

/// The functions of the shim for this job. @throws error that says what to do
const teff_mpi& loaded_shim(const launcher& by);

}  // namespace teff::runtime
