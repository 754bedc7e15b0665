// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sched.h>
#include <unistd.h>

#include <omp.h>

#include <teff/base/detail/cuda_runtime.hpp>
#include <teff/base/device.hpp>
#include <teff/base/error.hpp>
#include <teff/base/free_memory.hpp>

namespace teff {

namespace {

/// The value behind `key` in a file of "key : value" lines such as /proc/cpuinfo; "" if it is not
/// there.
std::string field_of(const char* path, const std::string& key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(key, 0) != 0) continue;
    const auto colon = line.find(':');
    const auto start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

std::size_t memory_field(const std::string& key) {
  return std::strtoull(field_of("/proc/meminfo", key).c_str(), nullptr, 10) * 1024;
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Of a cache of a processor, as Linux tells it ("32768K"); 0 where it does not.
std::size_t told_cache_bytes(const std::string& folder) {
  const std::string kib = first_line(folder + "size");
  return kib.empty() || kib.back() != 'K' ? 0 : std::strtoull(kib.c_str(), nullptr, 10) * 1024;
}

std::string cache_folder(int cpu, int index) {
  return "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" +
         std::to_string(index) + "/";
}

/// The last-level caches that this program's processors share, together. A virtual machine of few
/// processors may be shown that of its whole host, and sysconf may count those of all dies of the
/// chip: then no more is believed than most chips have for so many processors, or for two dies.
std::size_t last_cache_bytes() {
  constexpr std::size_t of_two_dies = std::size_t{64} << 20, of_processor = std::size_t{4} << 20;
  const auto believed = [&](std::size_t told, std::size_t processors) {
    return std::min(told, std::max(of_two_dies, processors * of_processor));
  };
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) CPU_ZERO(&usable);
  struct shared_cache {
    std::size_t told = 0, processors = 0;
  };
  std::map<std::string, shared_cache> caches;  // by the processors that share them
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &usable)) continue;
    const std::string folder = cache_folder(cpu, 3);
    const std::size_t told = told_cache_bytes(folder);
    if (told == 0) continue;
    shared_cache& found = caches[first_line(folder + "shared_cpu_list")];
    found.told = told;
    ++found.processors;
  }
  std::size_t bytes = 0;
  for (const auto& [shared_by, found] : caches) bytes += believed(found.told, found.processors);
  if (bytes > 0) return bytes;
  const long told = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return told > 0 ? believed(static_cast<std::size_t>(told), 1) : 0;
}

device_info describe_cpu() {
  device_info info;
  info.name = field_of("/proc/cpuinfo", "model name");
  if (info.name.empty()) info.name = "CPU";
  info.memory_bytes = memory_field("MemTotal");
  info.free_bytes = runtime::free_host_memory().bytes;
  info.cache_bytes = last_cache_bytes();
  info.core_cache_bytes = told_cache_bytes(cache_folder(0, 2));
  info.processors = omp_get_max_threads();
  info.threads_per_processor = 1;
  info.driver = "compiled by " __VERSION__;
  return info;
}

struct cuda_devices {
  std::string why_none;
  int count = runtime::cuda::device_count(why_none);
};

/// Asked once: a driver does not come or go while a program runs.
const cuda_devices& found_devices() {
  static const cuda_devices devices;
  return devices;
}

}  // namespace

int cuda_device_count() {
  return found_devices().count;
}
std::string why_no_cuda() {
  return found_devices().why_none;
}

device device::cuda(int ordinal) {
  const int count = cuda_device_count();
  const std::string asked = "cuda:" + std::to_string(ordinal);
  if (count == 0)
    throw error(failure::no_device,
                "no device " + asked + ": " + why_no_cuda() + "; the device cpu is always there");
  if (ordinal < 0 || ordinal >= count)
    throw error(failure::no_device, "no device " + asked + ": there are " + std::to_string(count) +
                                        " GPUs, from cuda:0 to cuda:" + std::to_string(count - 1));
  return {device_kind::cuda, ordinal};
}

std::string device::name() const {
  return is_cpu() ? "cpu" : "cuda:" + std::to_string(ordinal_);
}

device_info describe(device dev) {
  return dev.is_cpu() ? describe_cpu() : runtime::cuda::describe(dev.ordinal());
}

const device_info& known_device(device dev) {
  static std::mutex mutex;
  static std::map<int, device_info> known;  // by ordinal; -1: the CPU
  const std::lock_guard lock(mutex);
  auto [entry, is_new] = known.try_emplace(dev.is_cpu() ? -1 : dev.ordinal());
  if (is_new) entry->second = describe(dev);
  return entry->second;
}

device parse_device(std::string_view text) {
  if (text == "cpu") return device::cpu();
  if (text == "cuda") return device::cuda(0);
  constexpr std::string_view prefix = "cuda:";
  if (text.substr(0, prefix.size()) == prefix) {
    const std::string_view number = text.substr(prefix.size());
    int ordinal = -1;
    const char* end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, ordinal);
    if (read.ec == std::errc{} && read.ptr == end && ordinal >= 0) return device::cuda(ordinal);
  }
  throw error(failure::usage,
              "unknown device '" + std::string(text) + "': expected cpu, cuda or cuda:N");
}

device choose_device(bool has_kernels) {
  const char* asked = std::getenv("TEFF_DEVICE");
  if (asked != nullptr && *asked != '\0') {
    const device dev = parse_device(asked);
    if (dev.is_cuda() && !has_kernels)
      throw error(failure::no_device,
                  "TEFF_DEVICE asks for " + dev.name() +
                      ", but this part of the program was compiled as plain C++ and holds no "
                      "kernels; compile it with nvcc (CMake: teff_enable_cuda(target))");
    return dev;
  }
  return has_kernels && cuda_device_count() > 0 ? device::cuda(0) : device::cpu();
}

}  // namespace teff
