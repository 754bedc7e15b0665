// SPDX-License-Identifier: MIT
#include <teff/base/bytes.hpp>
#include <teff/base/free_memory.hpp>
#include <teff/grid/transport/mpi_library.hpp>
#include <teff/grid/transport/nccl_library.hpp>
#include <teff/kernel/has_emulator.hpp>
#include <teff/lab/case.hpp>
#include <teff/lab/rank_link.hpp>
#include <teff/lab/report_table.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>

namespace teff::app {

namespace {

void print_line(const char* what, const std::string& value) {
  std::string line = std::string("  ") + what;
  line.resize(25, ' ');
  to_stdout(line + value + "\n");
}

std::string measured(device dev) {
  lab::session_options options;
  options.show_progress = lab::progress::on_terminal();
  options.measure.sampling.budget_s = 0.2;
  return text_of(run_session({}, ceiling_probes(dev, 0), options).ceilings);
}

/// Ranks of a grid on a CPU, and what lies between two of them.
void print_ranks(bool is_quick) {
  const device cpu = device::cpu();
  std::string text = "threads of a process; by default " + std::to_string(lab::default_ranks(cpu)) +
                     ", one a core";
  if (!is_quick) text += "; between two " + lab::rank_link_text();
  print_line("ranks", text);
}

void describe_device(device dev, bool is_quick) {
  const device_info info = describe(dev);
  to_stdout(dev.name() + ": " + info.name + "\n");
  print_line(dev.is_cpu() ? "cores used" : "multiprocessors", std::to_string(info.processors));
  print_line("memory",
             bytes_text(info.memory_bytes) + ", free " +
                 (dev.is_cpu() ? runtime::free_host_memory().text() : bytes_text(info.free_bytes)));
  print_line("last cache", info.cache_bytes == 0 ? "not known" : bytes_text(info.cache_bytes));
  if (info.nominal_gb_per_s > 0)
    print_line("nominal throughput", lab::significant(info.nominal_gb_per_s, 4) + " GB/s");
  if (dev.is_cuda()) print_line("driver", info.driver);
  if (!is_quick) print_line("measured", measured(dev));
  if (dev.is_cpu()) print_ranks(is_quick);
}

/// The shims that ranks under mpirun would load.
std::string mpi_text() {
  std::string text;
  const runtime::mpi_shims shims = runtime::found_shims();
  for (const runtime::mpi_kind kind : {runtime::mpi_kind::open_mpi, runtime::mpi_kind::mpich})
    if (const std::string& path = shims.path[static_cast<std::size_t>(kind)]; !path.empty())
      text += (text.empty() ? "" : ", ") + std::string(runtime::name_of(kind)) + " by " + path;
  return text.empty() ? "none: built where no mpicc was" : text;
}

}  // namespace

int run_info(const arguments& all) {
  to_stdout(version_text() + "\n");
  print_line("MPI", mpi_text());
  const runtime::found_nccl& nccl = runtime::this_nccl();
  print_line("NCCL", nccl.why_not.empty()
                         ? nccl.library.version_text() + " by " + nccl.library.file
                         : "none, messages between GPUs of processes are staged: " + nccl.why_not);
  if (!why_no_emulator().empty()) print_line("emulator", "none: built without Boost.Context");
  describe_device(device::cpu(), all.is_quick);
  const int gpus = cuda_device_count();
  for (int i = 0; i < gpus; ++i) describe_device(device::cuda(i), all.is_quick);
  if (gpus == 0) to_stdout("no GPU: " + why_no_cuda() + "\n");
  return 0;
}

}  // namespace teff::app
