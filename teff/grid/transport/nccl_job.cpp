// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include <teff/grid/transport/mpi_transport.hpp>
#include <teff/grid/transport/nccl_job.hpp>
#include <teff/grid/transport/nccl_transport.hpp>

namespace teff::runtime {

namespace {

/// By the ranks' own transport, and the GPU. It is never destroyed, as MPI's are not: NCCL is left
/// before CUDA is, when the program ends.
using transports_between_gpus =
    std::map<std::pair<transport*, int>, std::shared_ptr<nccl_transport>>;
transports_between_gpus& all_between_gpus() {
  static auto* const all = new transports_between_gpus;
  return *all;
}

}  // namespace

ranks between_gpus(const ranks& on, device dev, double timeout_s) {
  auto* const processes = dynamic_cast<mpi_transport*>(&on.through());
  if (dev.is_cpu() || processes == nullptr) return on;
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<nccl_transport>& one = all_between_gpus()[{processes, dev.ordinal()}];
  if (!one) {
    one = std::make_shared<nccl_transport>(on.shared_transport(),
                                           nccl_rank{this_nccl(), dev, known_device(dev).uuid});
    static const int registered = std::atexit([] {
      for (const auto& [whose, made] : all_between_gpus()) made->end();
    });
    (void)registered;
  }
  one->limit_waiting(timeout_s);
  return ranks(one, on.dev());
}

}  // namespace teff::runtime
