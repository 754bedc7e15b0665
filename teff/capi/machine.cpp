// SPDX-License-Identifier: MIT
#include <teff/base/bytes.hpp>
#include <teff/capi/handles.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/kernel/profile.hpp>

/// What is known of the machine and of the program's operations.

struct teff_profile {
  std::unique_ptr<teff::profile> of;
};

using namespace teff;
using namespace teff::capi;

namespace {

std::string text_of(device dev) {
  const device_info known = describe(dev);
  std::string text = dev.name() + ": " + known.name + ", " + std::to_string(known.processors) +
                     (dev.is_cpu() ? " cores" : " multiprocessors") + ", " +
                     bytes_text(known.memory_bytes);
  if (known.cache_bytes > 0) text += ", last cache " + bytes_text(known.cache_bytes);
  return text + ", " + known.driver + "\n";
}

}  // namespace

teff_status teff_info(char** text) {
  return guarded([&] {
    std::string all = text_of(device::cpu());
    const int gpus = cuda_device_count();
    for (int i = 0; i < gpus; ++i) all += text_of(device::cuda(i));
    if (gpus == 0) all += "no GPU: " + why_no_cuda() + "\n";
    *text = text_for_caller(all);
  });
}

teff_status teff_peak(const char* device, double* copy_gb_per_s) {
  return guarded([&] { *copy_gb_per_s = measured_copy_gb_per_s(parse_device(device)); });
}

teff_status teff_profile_start(const char* name, teff_profile** made) {
  return guarded([&] { *made = new teff_profile{std::make_unique<profile>(name)}; });
}
teff_status teff_profile_text(const teff_profile* profile, char** text) {
  return guarded([&] { *text = text_for_caller(profile->of->table()); });
}
void teff_profile_free(teff_profile* profile) {
  delete profile;
}
