// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <map>
#include <mutex>
#include <sched.h>
#include <thread>
#include <unistd.h>

#include <omp.h>

#include <teff/base/device.hpp>
#include <teff/base/error.hpp>
#include <teff/grid/transport/checked_transport.hpp>
#include <teff/grid/transport/mpi_job.hpp>
#include <teff/grid/transport/mpi_library.hpp>
#include <teff/grid/transport/mpi_shim.h>
#include <teff/grid/transport/mpi_transport.hpp>

namespace teff::runtime {

namespace {

/// What of MPI this process has.
struct job {
  std::mutex mutex;
  const teff_mpi* mpi = nullptr;
  bool is_ours = false;  ///< we have initialised MPI, and finalise it
  bool has_threads = false;
  std::map<void*, std::shared_ptr<mpi_transport>> opened;
  std::terminate_handler before = nullptr;
};

/// It is never destroyed: it ends after all that has a destructor.
job& this_job() {
  static job* const one = new job;
  return *one;
}

/// Other ranks, too, and mpirun get a moment to say what they have to say.
[[noreturn]] void abort_job(int status) noexcept {
  std::cout.flush();
  std::fflush(nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  this_job().mpi->abort(status);
  ::_exit(status);
}

bool is_in_use() noexcept {
  const teff_mpi* const mpi = this_job().mpi;
  return mpi != nullptr && mpi->state() == teff_mpi_in_use;
}

void abort_if_failed(int status) noexcept {
  for (const auto& [comm, one] : this_job().opened)
    if (one->failed_status() != 0) abort_job(status != 0 ? status : one->failed_status());
}

/// MPI_Finalize would wait for ever for ranks that wait for this one. So all say that they have
/// ended before they call it; and where one has failed, or ends alone with an exit status, the job
/// is aborted.
void end_together(int status) noexcept {
  constexpr std::chrono::seconds for_others_to_fail_alike(1);
  static bool has_ended = false;
  if (has_ended || !is_in_use()) return;
  has_ended = true;
  abort_if_failed(status);
  const job& all = this_job();
  for (const auto& [comm, one] : all.opened) one->end();
  const auto end = std::chrono::steady_clock::now() + for_others_to_fail_alike;
  for (int looks = 0;; ++looks) {
    bool have_all = true;
    for (const auto& [comm, one] : all.opened) have_all = one->have_all_ended() && have_all;
    abort_if_failed(status);
    if (have_all) return;
    if (status != 0 && std::chrono::steady_clock::now() > end) abort_job(status);
    std::this_thread::sleep_for(std::chrono::microseconds(looks < 100 ? 50 : 2000));
  }
}

/// The program ends; if MPI is in use and not ours, then without the user's MPI_Finalize.
void end_by_status(int status, void*) {
  if (!is_in_use()) return;
  abort_if_failed(status);
  if (this_job().is_ours) {
    end_together(status);
    this_job().mpi->finalise();
  } else if (status != 0) {
    abort_job(status);
  }
}

/// An exception that nobody catches ends all ranks, with its text.
[[noreturn]] void end_by_exception() {
  int status = static_cast<int>(failure::runtime), rank = 0;
  std::string text;
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const error& e) {
    status = e.exit_status();
    text = e.what();
  } catch (const std::exception& e) {
    text = e.what();
  } catch (...) {
    text = "what is no std::exception";
  }
  if (!text.empty() && is_in_use()) {
    for (const auto& [comm, one] : this_job().opened) rank = one->rank();
    std::fprintf(stderr, "rank %d threw, and nobody caught it: %s\n", rank, text.c_str());
    abort_job(status);
  }
  if (this_job().before != nullptr) this_job().before();
  std::abort();
}

[[noreturn]] void refuse(failure kind, const std::string& why) {
  throw error(kind, "grid: " + why);
}

void initialise() {
  job& all = this_job();
  const teff_mpi& mpi = *all.mpi;
  if (mpi.state() == teff_mpi_finalised)
    refuse(
        failure::usage,
        "MPI has been finalised, so this process has no other ranks any more; make and use grids "
        "before MPI_Finalize");
  if (mpi.state() == teff_mpi_unused) {
    if (mpi.initialise() != 0)
      refuse(failure::runtime, std::string(mpi.name) + " can not be initialised");
    all.is_ours = true;
    all.before = std::set_terminate(end_by_exception);
  }
#ifdef __GLIBC__
  static const int registered = on_exit(end_by_status, nullptr);
#else
  static const int registered = std::atexit([] { end_by_status(0, nullptr); });
#endif
  static const int called = mpi.before_finalise([] { end_together(0); });
  (void)registered, (void)called;
}

/// MPI is called by this thread, while others compute.
void check_threads() {
  const teff_mpi& mpi = *this_job().mpi;
  int level = 0, is_main_thread = 1;
  if (mpi.thread_level(&level, &is_main_thread) != 0) return;
  if (level == 0)
    refuse(failure::usage,
           "MPI was initialised for programs without threads, but Teff computes with several; "
           "initialise it by MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided)");
  if (level == 1 && is_main_thread == 0)
    refuse(failure::usage,
           "MPI was initialised for calls by the main thread, but this is another one; make grids "
           "in the main thread, or initialise MPI with MPI_THREAD_SERIALIZED");
}

/// The cores that this process may use, shared with the other ranks that may use them; by the first
/// of its communicators.
void share_cores(mpi_transport& through) {
  job& all = this_job();
  (void)known_device(device::cpu());  // as it is with all threads, not with a rank's share
  cpu_set_t mine;
  CPU_ZERO(&mine);
  (void)sched_getaffinity(0, sizeof mine, &mine);
  const auto sets = through.all_gather("grid", &mine, sizeof mine);
  double share = 0;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &mine)) continue;
    int users = 0;
    for (std::size_t r = 0; r < sets->size(); ++r) {
      cpu_set_t theirs;
      std::memcpy(&theirs, (*sets)[r].data(), sizeof theirs);
      const std::vector<int>& machine = through.machine_of();
      users += machine[r] == machine[static_cast<std::size_t>(through.rank())] &&
               CPU_ISSET(core, &theirs);
    }
    share += 1.0 / users;
  }
  // (Nothing is known of a machine with more cores than such a set has.)
  if (share == 0 || all.has_threads || std::getenv("OMP_NUM_THREADS") != nullptr) return;
  all.has_threads = true;
  omp_set_num_threads(std::max(1, static_cast<int>(share + 1e-6)));
}

std::shared_ptr<mpi_transport> opened(const void* comm) {
  job& all = this_job();
  void* handle = nullptr;
  if (const int failed = all.mpi->open(comm, &handle); failed != 0) {
    char text[1000];
    all.mpi->error_text(failed, text, sizeof text);
    refuse(failure::runtime, std::string("the communicator can not be duplicated; ") +
                                 all.mpi->name + " says: " + text);
  }
  std::shared_ptr<mpi_transport>& one = all.opened[handle];
  if (!one) {
    one = std::make_shared<mpi_transport>(*all.mpi, handle);
    share_cores(*one);
  }
  return one;
}

/// What the launcher says must be what MPI sees.
void check_count(const launcher& by, const mpi_transport& through) {
  if (by.processes <= 1 || through.ranks() > 1) return;
  refuse(failure::no_device,
         "this job has " + std::to_string(by.processes) + " processes, as " + by.variable +
             " says, but " + this_job().mpi->name +
             " sees one, since another MPI's launcher has started them; start the program by the "
             "mpirun of " +
             this_job().mpi->name +
             " (of srun: by an --mpi= that it knows), or name the shim of "
             "the launcher's MPI by TEFF_MPI_SHIM");
}

/// Where nobody launched the program, its own MPI may still have other ranks; that there is no shim
/// of it then means that there are none for Teff.
const teff_mpi* mpi_for(const launcher& by, const void* comm) {
  const bool is_launched = by.processes != 1;
  if (is_launched || comm != nullptr) return &loaded_shim(by);
  if (!has_loaded(mpi_kind::open_mpi) && !has_loaded(mpi_kind::mpich)) return nullptr;
  try {
    return &loaded_shim(by);
  } catch (const error&) {
    return nullptr;
  }
}

}  // namespace

ranks ranks_for(const std::optional<ranks>& on, const void* comm) {
  if (on && comm != nullptr)
    refuse(failure::usage,
           "of grid_options::on and comm one says what the ranks are; both were given");
  if (on) return *on;
  job& all = this_job();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const launcher by = this_launcher();
  if (all.mpi == nullptr) all.mpi = mpi_for(by, comm);
  if (all.mpi == nullptr) return {};
  if (comm != nullptr && all.mpi->state() == teff_mpi_unused)
    refuse(failure::usage,
           "grid_options::comm is a communicator of an MPI that the program has initialised, but "
           "it has not");
  if (comm == nullptr && by.processes == 1 && all.mpi->state() != teff_mpi_in_use) return {};
  initialise();
  check_threads();
  const std::shared_ptr<mpi_transport> through = opened(comm);
  if (comm == nullptr) check_count(by, *through);
  if (through->ranks() == 1) return {};
  return ranks(checked_if_asked(through));
}

}  // namespace teff::runtime
