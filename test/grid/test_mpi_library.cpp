// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <string>

#include <teff/grid/grid.hpp>
#include <teff/grid/transport/mpi_library.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

using runtime::launcher;
using runtime::launcher_of;
using runtime::mpi_kind;

std::map<std::string, std::string> variables;

launcher of(const std::map<std::string, std::string>& given) {
  variables = given;
  return launcher_of([](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}
bool is_of(const launcher& by, mpi_kind kind) {
  return by.is_of[static_cast<std::size_t>(kind)];
}

TEST_CASE("who started a program follows from its environment") {
  CHECK(of({}).variable == "");
  CHECK(of({}).processes == 1);
  // A batch script of Slurm is one process.
  CHECK(of({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}).processes == 1);

  const launcher open = of({{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "1"}});
  CHECK(open.variable == "OMPI_COMM_WORLD_SIZE");
  CHECK(open.processes == 4);
  CHECK((is_of(open, mpi_kind::open_mpi) && !is_of(open, mpi_kind::mpich)));

  const launcher hydra = of({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}, {"MPI_LOCALNRANKS", "3"}});
  CHECK(hydra.processes == 3);
  CHECK((!is_of(hydra, mpi_kind::open_mpi) && is_of(hydra, mpi_kind::mpich)));

  const launcher pmi = of({{"PMI_SIZE", "3"}, {"SLURM_STEP_NUM_TASKS", "3"}});
  CHECK(pmi.processes == 3);
  CHECK((is_of(pmi, mpi_kind::open_mpi) && is_of(pmi, mpi_kind::mpich)));

  const launcher srun = of({{"SLURM_STEP_NUM_TASKS", "5"}, {"PMIX_RANK", "2"}});
  CHECK(srun.variable == "SLURM_STEP_NUM_TASKS");
  CHECK(srun.processes == 5);
  CHECK(of({{"PMIX_RANK", "2"}}).processes == 0);
  CHECK(of({{"PMI_SIZE", "nonsense"}}).processes == 1);
}

TEST_CASE("shims are looked for where TEFF_MPI_SHIM says") {
  const temp_folder folder;
  const char* const before = std::getenv("TEFF_MPI_SHIM");
  const std::string kept = before == nullptr ? "" : before;
  const auto with = [](const std::string& value) {
    setenv("TEFF_MPI_SHIM", value.c_str(), 1);
    return runtime::found_shims();
  };
  const std::string file = folder / "libteff_mpi_mpich.so";
  CHECK(with(folder.path()).path[1] == "");
  std::ofstream(file) << "no library";
  CHECK(with(folder.path()).path[0] == "");
  CHECK(with(folder.path()).path[1] == file);
  CHECK(with(file).path[1] == file);
  CHECK(with(file).folders.size() == 1);
  const std::string said = message_of([] {
    (void)runtime::loaded_shim({"PMI_SIZE", 2, {false, true}});
  });
  CHECK(contains(said,
                 "grid: this job has 2 processes, as PMI_SIZE says, but Teff's shim for MPICH "
                 "can not be loaded: "));
  unsetenv("TEFF_MPI_SHIM");
  if (before != nullptr) setenv("TEFF_MPI_SHIM", kept.c_str(), 1);
}

TEST_CASE(
    "a communicator is of a program that has initialised MPI, and says alone what ranks are") {
  const int nothing = 0;
  CHECK(message_of([&] {
          grid g({10, 10}, {.on = ranks(), .comm = &nothing});
        }) == "grid: of grid_options::on and comm one says what the ranks are; both were given");
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test
