// SPDX-License-Identifier: MIT
#include <fstream>
#include <locale>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

#include <teff/lab/disturbance.hpp>
#include <teff/lab/gpu_monitor.hpp>
#include <teff/lab/result.hpp>

namespace teff::lab {

namespace {

cpu_seconds cpu_seconds_now() {
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  return parse_cpu_line(line, static_cast<double>(sysconf(_SC_CLK_TCK)));
}

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

cpu_seconds parse_cpu_line(const std::string& line, double ticks_per_s) {
  std::istringstream in(line);
  in.imbue(std::locale::classic());
  std::string name;
  double user = 0, nice = 0, system = 0, idle = 0, io_wait = 0, irq = 0, soft_irq = 0, steal = 0;
  in >> name >> user >> nice >> system >> idle >> io_wait >> irq >> soft_irq >> steal;
  if (!in || name != "cpu") return {};
  return {(user + nice + system + irq + soft_irq) / ticks_per_s, (idle + io_wait) / ticks_per_s,
          steal / ticks_per_s};
}

bool cpu_was_shared(const cpu_seconds& before, const cpu_seconds& after, double own_s) {
  const double busy = after.busy - before.busy;
  const double stolen = after.stolen - before.stolen;
  const double all = busy + stolen + after.idle - before.idle;
  // Ticks of 10 ms make the shares of a very short time meaningless.
  if (all < 0.2) return false;
  return busy - own_s > 0.05 * all || stolen > 0.02 * all;
}

std::vector<std::string> gpu_flags(int processes, bool is_throttled) {
  std::vector<std::string> flags;
  if (processes > 1) flags.emplace_back(flag::shared_device);
  if (is_throttled) flags.emplace_back(flag::throttled);
  return flags;
}

struct disturbance_watch::state {
  explicit state(device d) {
    if (d.is_cuda()) gpu = std::make_unique<gpu_monitor>(d.ordinal());
  }
  std::unique_ptr<gpu_monitor> gpu;
  cpu_seconds before;
  double own_before_s = 0;
};

disturbance_watch::disturbance_watch(device dev) : state_(std::make_unique<state>(dev)) {}
disturbance_watch::~disturbance_watch() = default;

void disturbance_watch::begin() {
  state_->before = cpu_seconds_now();
  state_->own_before_s = own_cpu_seconds();
}

std::vector<std::string> disturbance_watch::end() {
  std::vector<std::string> flags;
  if (state_->gpu) return gpu_flags(state_->gpu->processes(), state_->gpu->is_throttled());
  if (cpu_was_shared(state_->before, cpu_seconds_now(), own_cpu_seconds() - state_->own_before_s))
    flags.emplace_back(flag::shared_device);
  return flags;
}

}  // namespace teff::lab
