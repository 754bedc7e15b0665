// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <teff/lab/gpu_monitor.hpp>

namespace teff::lab {

namespace {

constexpr int success = 0;

/// nvmlReturn_t of a process query whose buffer is too small; the count is then the true one.
constexpr int insufficient_size = 7;

/// Bits of nvmlDeviceGetCurrentClocksThrottleReasons that mean a lowered clock: software power cap,
/// hardware slowdown, software and hardware thermal slowdown, power brake.
constexpr unsigned long long lowered_clocks = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

template <class... A>
int call(void* library, const char* name, A... arguments) {
  using function = int (*)(A...);
  const auto f = library == nullptr ? nullptr : reinterpret_cast<function>(dlsym(library, name));
  return f == nullptr ? -1 : f(arguments...);
}

/// The PCI address of the GPU that CUDA counts as `ordinal`: the management library counts
/// otherwise.
bool find_pci_address(const char* library, int ordinal, char* address, int size) {
  void* driver = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  int gpu = 0;
  const bool found = call(driver, "cuInit", 0U) == success &&
                     call(driver, "cuDeviceGet", &gpu, ordinal) == success &&
                     call(driver, "cuDeviceGetPCIBusId", address, size, gpu) == success;
  if (driver != nullptr) dlclose(driver);
  return found;
}

}  // namespace

bool are_clocks_lowered(unsigned long long reasons) {
  return (reasons & lowered_clocks) != 0;
}

gpu_monitor::gpu_monitor(int cuda_ordinal, const char* library, const char* driver)
    : library_(dlopen(library, RTLD_LAZY | RTLD_LOCAL)) {
  char address[32] = {};
  if (call(library_, "nvmlInit_v2") != success ||
      !find_pci_address(driver, cuda_ordinal, address, 32))
    return;
  const char* text = address;
  (void)call(library_, "nvmlDeviceGetHandleByPciBusId_v2", text, &gpu_);
}

gpu_monitor::~gpu_monitor() {
  if (library_ == nullptr) return;
  (void)call(library_, "nvmlShutdown");
  dlclose(library_);
}

int gpu_monitor::processes() const {
  if (gpu_ == nullptr) return 0;
  unsigned count = 0;
  void* no_buffer = nullptr;
  const int status =
      call(library_, "nvmlDeviceGetComputeRunningProcesses_v3", gpu_, &count, no_buffer);
  return status == success || status == insufficient_size ? static_cast<int>(count) : 0;
}

bool gpu_monitor::is_throttled() const {
  unsigned long long reasons = 0;
  return gpu_ != nullptr &&
         call(library_, "nvmlDeviceGetCurrentClocksThrottleReasons", gpu_, &reasons) == success &&
         are_clocks_lowered(reasons);
}

std::optional<double> gpu_monitor::energy_j() const {
  unsigned long long millijoules = 0;
  if (gpu_ == nullptr ||
      call(library_, "nvmlDeviceGetTotalEnergyConsumption", gpu_, &millijoules) != success)
    return std::nullopt;
  return 1e-3 * static_cast<double>(millijoules);
}

}  // namespace teff::lab
