// SPDX-License-Identifier: MIT
#include <teff/base/detail/cuda_runtime.hpp>
#include <teff/base/peers.hpp>

namespace teff::runtime {

bool can_reach(device by, device of) {
  return by.is_cuda() && of.is_cuda() && !(by == of) && cuda::can_reach(by.ordinal(), of.ordinal());
}

}  // namespace teff::runtime
