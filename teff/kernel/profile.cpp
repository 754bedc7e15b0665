// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <teff/base/bytes.hpp>
#include <teff/base/decimal.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/kernel/profile.hpp>

namespace teff {

namespace runtime {

std::atomic<int> profiles_alive{0};

namespace {

struct line {
  std::vector<std::unique_ptr<timer>> pending;
  long calls = 0;
  double time_s = 0;
  traffic moved;
  device dev = device::cpu();
  std::string launch;

  void settle() {
    for (const auto& t : pending) time_s += t->elapsed_s();
    pending.clear();
  }
};

struct recorder {
  std::mutex mutex;
  std::map<std::string, line> lines;
};
recorder& the_recorder() {
  static recorder& one = *new recorder;  // outlives every array and profile
  return one;
}

std::string row(const std::string& name, const line& l, double peak) {
  char text[256];
  const double bytes = l.moved.a_eff_bytes();
  const std::string time_ms = decimal(l.time_s * 1e3, 3, decimal_form::fixed);
  if (bytes > 0) {
    const double t_eff = gb_per_s(bytes, l.time_s);
    std::snprintf(
        text, sizeof text, "%-44.44s %7ld %12s %12s %10s %8s  %s\n", name.c_str(), l.calls,
        time_ms.c_str(),
        bytes_text(static_cast<std::size_t>(bytes / static_cast<double>(l.calls))).c_str(),
        decimal(t_eff, 1, decimal_form::fixed).c_str(),
        decimal(100 * t_eff / peak, 1, decimal_form::fixed).c_str(), l.launch.c_str());
  } else {
    std::snprintf(text, sizeof text, "%-44.44s %7ld %12s %12s %10s %8s  %s\n", name.c_str(),
                  l.calls, time_ms.c_str(), "-", "-", "-", l.launch.c_str());
  }
  return text;
}

}  // namespace

namespace {
void print_whole_program();
}

struct profiled_call::recorded_call {
  std::string kind;
  call_description description;
  std::unique_ptr<timer> time;
  device dev;
};

void profiled_call::begin(const stream& on, const char* kind,
                          call_description (*describe)(const void*), const void* context) {
  // Registered after the CUDA runtime's own end, and so run before it: the table needs its events.
  static const int registered = std::atexit(print_whole_program);
  (void)registered;
  auto recorded = std::make_unique<recorded_call>(
      recorded_call{kind, describe(context), std::make_unique<timer>(on), on.dev()});
  recorded->time->start();
  recorded_ = recorded.release();
}

void profiled_call::moved(const traffic& moved, const std::string& launch) {
  if (recorded_ == nullptr) return;
  recorded_->description.moved = moved;
  recorded_->description.launch = launch;
}

void profiled_call::counted(const std::string& what) {
  if (recorded_ == nullptr || what.empty()) return;
  std::string& launch = recorded_->description.launch;
  launch += (launch.empty() ? "" : "; ") + what;
}

void profiled_call::end() noexcept {
  const std::unique_ptr<recorded_call> recorded(recorded_);
  try {
    recorded->time->stop();
    auto& r = the_recorder();
    const std::lock_guard lock(r.mutex);
    line& l = r.lines[recorded->kind + " -> " + recorded->description.target];
    ++l.calls;
    l.moved += recorded->description.moved;
    l.launch = recorded->description.launch;
    l.dev = recorded->dev;
    l.pending.push_back(std::move(recorded->time));
    if (l.pending.size() > 1000) l.settle();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "teff: profile: a call was not recorded: %s\n", e.what());
  }
}

namespace {

/// TEFF_PROFILE=1: a profile as long as the program.
bool is_whole_program_asked() {
  const char* asked = std::getenv("TEFF_PROFILE");
  return asked != nullptr && std::string(asked) == "1";
}
profile* whole_program = is_whole_program_asked() ? new profile("whole program") : nullptr;

void print_whole_program() {
  delete whole_program;
  whole_program = nullptr;
}

}  // namespace
}  // namespace runtime

profile::profile(std::string name) : name_(std::move(name)) {
  ++runtime::profiles_alive;
}

std::string profile::table() const {
  auto& r = runtime::the_recorder();
  const std::lock_guard lock(r.mutex);
  std::string text = "profile: " + name_ + "\n";
  char head[256];
  std::snprintf(head, sizeof head, "%-44s %7s %12s %12s %10s %8s  %s\n", "call", "calls", "time/ms",
                "A_eff", "T_eff/GB/s", "%T_peak", "launch");
  text += head;
  std::map<std::string, double> peaks;
  for (auto& [name, l] : r.lines) {
    l.settle();
    auto [peak, is_new] = peaks.try_emplace(l.dev.name(), 0.0);
    if (is_new) peak->second = measured_copy_gb_per_s(l.dev);
    text += runtime::row(name, l, peak->second);
  }
  for (const auto& [dev, peak] : peaks)
    text += "T_peak of " + dev + ": " + decimal(peak, 1, decimal_form::fixed) +
            " GB/s (copy, measured now)\n";
  return text;
}

profile::~profile() {
  try {
    std::fputs(table().c_str(), stderr);
    if (--runtime::profiles_alive == 0) {
      auto& r = runtime::the_recorder();
      const std::lock_guard lock(r.mutex);
      r.lines.clear();
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "teff: profile: no table: %s\n", e.what());
  }
}

}  // namespace teff
