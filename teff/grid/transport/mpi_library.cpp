// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

#include <teff/base/error.hpp>
#include <teff/grid/transport/mpi_library.hpp>
#include <teff/grid/transport/mpi_shim.h>

namespace teff::runtime {

namespace {

constexpr mpi_kind kinds[2] = {mpi_kind::open_mpi, mpi_kind::mpich};
constexpr const char* file_of[2] = {"libteff_mpi_openmpi.so", "libteff_mpi_mpich.so"};
constexpr const char* package_of[2] = {"libopenmpi-dev", "libmpich-dev"};

std::size_t at(mpi_kind kind) {
  return static_cast<std::size_t>(kind);
}

/// What launchers say of the number of processes. (A batch script of Slurm has a SLURM_NTASKS, too,
/// but only srun starts as many.)
struct variable {
  const char* name;
  bool is_of[2];
};
constexpr variable sizes[] = {{"OMPI_COMM_WORLD_SIZE", {true, false}},
                              {"MV2_COMM_WORLD_SIZE", {false, true}},
                              {"PMI_SIZE", {false, true}},
                              {"SLURM_STEP_NUM_TASKS", {true, true}}};

}  // namespace

const char* name_of(mpi_kind kind) {
  return kind == mpi_kind::open_mpi ? "Open MPI" : "MPICH";
}

launcher launcher_of(const char* (*value_of)(const char*)) {
  launcher by;
  for (const variable& one : sizes) {
    const char* const text = value_of(one.name);
    if (text == nullptr) continue;
    by.variable = one.name;
    by.processes = std::max(std::atoi(text), 1);
    for (const mpi_kind kind : kinds) by.is_of[at(kind)] = one.is_of[at(kind)];
    // Of srun either MPI may know.
    if (value_of("SLURM_STEP_NUM_TASKS") != nullptr && by.variable == "PMI_SIZE")
      by.is_of[at(mpi_kind::open_mpi)] = true;
    return by;
  }
  if (value_of("PMIX_RANK") != nullptr) {
    by.variable = "PMIX_RANK";
    by.processes = 0;
  }
  return by;
}

launcher this_launcher() {
  return launcher_of([](const char* name) -> const char* { return std::getenv(name); });
}

bool has_loaded(mpi_kind kind) {
  const auto is_loaded = [](const char* name) {
    void* const handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (handle != nullptr) dlclose(handle);
    return handle != nullptr;
  };
  const bool is_open_mpi = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != nullptr ||
                           is_loaded("libmpi.so.40") || is_loaded("libmpi.so.20");
  if (kind == mpi_kind::open_mpi) return is_open_mpi;
  return (!is_open_mpi && dlsym(RTLD_DEFAULT, "MPI_Init") != nullptr) ||
         is_loaded("libmpich.so.12") || is_loaded("libmpi.so.12");
}

mpi_shims found_shims() {
  namespace fs = std::filesystem;
  mpi_shims found;
  std::error_code none;
  if (const char* const asked = std::getenv("TEFF_MPI_SHIM")) {
    if (const fs::path path(asked); !fs::is_directory(path, none)) {
      found.folders.push_back(asked);
      for (const mpi_kind kind : kinds)
        if (path.filename() == file_of[at(kind)] && fs::exists(path, none))
          found.path[at(kind)] = asked;
      return found;
    }
    found.folders.push_back(asked);
  } else {
    // Beside the program or library that Teff is linked to; in its prefix; where it was built.
    Dl_info self{};
    static const char here = 0;
    if (dladdr(&here, &self) != 0 && self.dli_fname != nullptr) {
      std::string file = self.dli_fname;
      if (file.find('/') == std::string::npos || !fs::exists(file, none))
        file = fs::read_symlink("/proc/self/exe", none);
      const fs::path folder = fs::absolute(file, none).lexically_normal().parent_path();
      found.folders.push_back(folder);
      found.folders.push_back((folder / ".." / TEFF_LIBDIR).lexically_normal());
    }
    found.folders.emplace_back(TEFF_MPI_BUILT);
  }
  for (const std::string& folder : found.folders)
    for (const mpi_kind kind : kinds)
      if (const fs::path file = fs::path(folder) / file_of[at(kind)];
          found.path[at(kind)].empty() && fs::exists(file, none))
        found.path[at(kind)] = file;
  return found;
}

namespace {

/// "a, b and c".
std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + all[i];
  return text;
}

[[noreturn]] void refuse(const launcher& by, const std::string& why) {
  if (by.variable.empty())
    throw error(failure::no_device, "grid: this program has an MPI of its own, " + why);
  throw error(failure::no_device,
              "grid: this job has " +
                  (by.processes > 0 ? std::to_string(by.processes) : "an unknown number of") +
                  " processes, as " + by.variable + " says, " + why);
}

/// The MPI that the program has; else that of the launcher, of which there is a shim.
mpi_kind kind_for(const launcher& by, const mpi_shims& shims) {
  for (const mpi_kind kind : kinds)
    if (has_loaded(kind)) return kind;
  for (const mpi_kind kind : kinds)
    if (by.is_of[at(kind)] && !shims.path[at(kind)].empty()) return kind;
  return by.is_of[at(mpi_kind::open_mpi)] ? mpi_kind::open_mpi : mpi_kind::mpich;
}

}  // namespace

const teff_mpi& loaded_shim(const launcher& by) {
  const mpi_shims shims = found_shims();
  const mpi_kind kind = kind_for(by, shims);
  std::vector<std::string> names;
  // The loader knows what a program was linked to find, the folder of an installed Teff: not that
  // where it was built.
  if (std::getenv("TEFF_MPI_SHIM") == nullptr) names.emplace_back(file_of[at(kind)]);
  const std::string& path = shims.path[at(kind)];
  if (!path.empty())
    names.insert(path.starts_with(TEFF_MPI_BUILT "/") ? names.end() : names.begin(), path);
  void* library = nullptr;
  std::string why;
  for (const std::string& name : names) {
    if (library != nullptr) break;
    // Global, as Open MPI's own plugins look its symbols up.
    library = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) why = dlerror();
  }
  if (library == nullptr && path.empty()) {
    const std::string other = shims.path[1 - at(kind)].empty()
                                  ? ""
                                  : std::string(" (there is one for ") +
                                        name_of(kinds[1 - at(kind)]) +
                                        ", whose mpirun could start it)";
    refuse(by, std::string("but Teff has no shim for ") + name_of(kind) + other + ": no " +
                   file_of[at(kind)] + " in " + listed(shims.folders) + "; install " +
                   name_of(kind) + "'s mpicc (Debian: " + package_of[at(kind)] +
                   ") and build Teff again, name the shim's folder by TEFF_MPI_SHIM, or start one "
                   "process, without a launcher");
  }
  if (library == nullptr)
    refuse(by, "but Teff's shim for " + std::string(name_of(kind)) + " can not be loaded: " + why +
                   "; its libraries must be where the loader looks (LD_LIBRARY_PATH)");
  const auto entry = reinterpret_cast<teff_mpi_entry*>(dlsym(library, "teff_mpi_functions"));
  if (entry == nullptr || entry()->version != teff_mpi_version)
    refuse(by, std::string("but the shim for ") + name_of(kind) +
                   " that was found is one of another version of Teff; build or install it anew");
  return *entry();
}

}  // namespace teff::runtime
