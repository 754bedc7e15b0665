// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <string>
#include <thread>

#include <teff/base/device.hpp>

#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// TEFF_DEVICE as long as it lives; null: not set.
class environment {
 public:
  explicit environment(const char* value) {
    const char* old = std::getenv("TEFF_DEVICE");
    was_set_ = old != nullptr;
    if (was_set_) old_ = old;
    set(value);
  }
  ~environment() { set(was_set_ ? old_.c_str() : nullptr); }
  environment(environment&&) = delete;
  environment& operator=(environment&&) = delete;

 private:
  static void set(const char* value) {
    if (value == nullptr)
      unsetenv("TEFF_DEVICE");
    else
      setenv("TEFF_DEVICE", value, 1);
  }
  bool was_set_ = false;
  std::string old_;
};

}  // namespace

TEST_CASE("device: names, kinds, equality") {
  const device cpu = device::cpu(), pinned = device::cpu_pinned();
  CHECK(cpu.name() == "cpu");
  CHECK(cpu.is_cpu());
  CHECK_FALSE(cpu.is_cuda());
  CHECK(cpu.kind() == device_kind::cpu);
  CHECK(cpu == pinned);
  CHECK(pinned.is_pinned());
  CHECK_FALSE(cpu.is_pinned());
  CHECK(pinned.ordinal() == 0);
}

TEST_CASE("device: read from text") {
  CHECK(parse_device("cpu") == device::cpu());
  for (const char* wrong : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CPU", "", "cuda0"}) {
    CAPTURE(std::string(wrong));
    CHECK(message_of([&] { parse_device(wrong); }) ==
          "unknown device '" + std::string(wrong) + "': expected cpu, cuda or cuda:N");
    CHECK(kind_of([&] { parse_device(wrong); }) == failure::usage);
  }
}

TEST_CASE("device: TEFF_DEVICE decides, an unknown one is an error") {
  {
    const environment asked("cpu");
    CHECK(default_device() == device::cpu());
    CHECK(choose_device(true) == device::cpu());
  }
  {
    const environment asked("");
    CHECK(choose_device(false) == device::cpu());
  }
  {
    const environment asked("tpu:0");
    CHECK(message_of([] { default_device(); }) ==
          "unknown device 'tpu:0': expected cpu, cuda or cuda:N");
    CHECK(kind_of([] { default_device(); }) == failure::usage);
  }
  {
    const environment asked("cuda:99");
    CHECK(contains(message_of([] { default_device(); }), "no device cuda:99"));
    CHECK(kind_of([] { default_device(); }) == failure::no_device);
  }
  const environment asked(nullptr);
  CHECK(default_device().is_cuda() == (is_cuda_unit && cuda_device_count() > 0));
  CHECK(choose_device(false) == device::cpu());
}

TEST_CASE("device: where there is no GPU, asking for one says why") {
  if (cuda_device_count() > 0) {
    CHECK(why_no_cuda() == "");
    const std::string text = message_of([] { device::cuda(cuda_device_count()); });
    CHECK(contains(text, "GPUs, from cuda:0 to cuda:"));
    CHECK(device::cuda(0).name() == "cuda:0");
    CHECK(parse_device("cuda") == device::cuda(0));
    CHECK(describe(device::cuda(0)).processors > 0);
    CHECK(describe(device::cuda(0)).max_threads_per_block >= 512);
    CHECK(describe(device::cuda(0)).shared_bytes_per_block >= 48 * 1024);
    CHECK(describe(device::cuda(0)).f32_per_f64 >= 1);
    return;
  }
  CHECK(why_no_cuda() != "");
  CHECK(message_of([] { device::cuda(0); }) ==
        "no device cuda:0: " + why_no_cuda() + "; the device cpu is always there");
  CHECK(kind_of([] { device::cuda(1); }) == failure::no_device);
  CHECK(kind_of([] { parse_device("cuda"); }) == failure::no_device);
  CHECK(kind_of([] { parse_device("cuda:3"); }) == failure::no_device);
}

TEST_CASE("device: in a plain C++ unit there is no kernel to run on a GPU") {
  if (cuda_device_count() == 0) return;
  const environment asked("cuda:0");
  CHECK(kind_of([] { choose_device(false); }) == failure::no_device);
  CHECK(choose_device(true) == device::cuda(0));
}

TEST_CASE("device: what is known of the CPU") {
  const device_info info = describe(device::cpu());
  CHECK(info.name != "");
  CHECK(info.memory_bytes > (std::size_t{1} << 28));
  CHECK(info.free_bytes > 0);
  CHECK(info.free_bytes <= info.memory_bytes);
  CHECK(info.processors >= 1);
  CHECK(info.threads_per_processor == 1);
  CHECK(info.shared_bytes_per_block == 0);
  CHECK(info.driver != "");
  CHECK(&known_device(device::cpu()) == &known_device(device::cpu()));
  CHECK(known_device(device::cpu()).name == info.name);
  // What is told may be the cache of a whole host, or of all dies.
  CHECK(info.cache_bytes <= std::max<std::size_t>(64, 64 * std::thread::hardware_concurrency())
                                << 20);
}
