// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <teff/base/device.hpp>

namespace teff::lab {

/// Watches what could spoil a measurement: other work on the CPU (also that of other virtual
/// machines, where the kernel reports stolen time), other processes on the GPU, and lowered GPU
/// clocks. What it can not know, such as the clocks of a CPU, it does not flag.
class disturbance_watch {
 public:
  explicit disturbance_watch(device dev);
  ~disturbance_watch();
  disturbance_watch(disturbance_watch&&) = delete;
  disturbance_watch& operator=(disturbance_watch&&) = delete;

  void begin();
  /// The flags that apply to the time since begin(): `shared device`, `throttled`.
  std::vector<std::string> end();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Seconds of all CPUs together since the start of the machine.
struct cpu_seconds {
  double busy = 0, idle = 0, stolen = 0;
};

/// Reads the first line of /proc/stat: "cpu  user nice system idle iowait irq softirq steal ...".
/// All zero if it is not such a line.
cpu_seconds parse_cpu_line(const std::string& line, double ticks_per_s);

/// The flags of a GPU on which so many processes compute, this one included (0: not known).
std::vector<std::string> gpu_flags(int processes, bool is_throttled);

/// True if others used more than 5 % of the CPUs, or more than 2 % were stolen.
bool cpu_was_shared(const cpu_seconds& before, const cpu_seconds& after, double own_s);

}  // namespace teff::lab
