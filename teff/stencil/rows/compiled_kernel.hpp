// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <teff/base/stream.hpp>
#include <teff/kernel/block_options.hpp>
#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/fused/fused_facts.hpp>
#include <teff/stencil/resident/resident_facts.hpp>
#include <teff/stencil/warps/pass_facts.hpp>

namespace teff::runtime {

/// A kernel of a whole step, or of several, whose types its host does not know.
/// @tparam Facts what the host does know
template <class Facts>
class compiled_kernel {
 public:
  virtual ~compiled_kernel() = default;
  virtual const Facts& facts() const = 0;
  /// Its parameter with a formula's numbers; what changes from launch to launch is not set.
  virtual std::vector<std::byte> parameter(const stream& on, const double* reals,
                                           const i64* integers) const = 0;
  /// @sync on a GPU asynchronous on the stream @throws error if the launch is refused
  virtual void launch(const stream& on, const block_options& options,
                      std::vector<std::byte>& parameter) const = 0;
  /// What the compiler made of it, and how much of it fits on a multiprocessor.
  /// @param shared_bytes that a launch asks for
  virtual kernel_facts use(device dev, int threads, int shared_bytes) const = 0;
};
using fused_kernel = compiled_kernel<fused_facts>;        // fused/kernel.hpp
using pass_kernel = compiled_kernel<pass_facts>;          // warps/kernel.hpp
using resident_kernel = compiled_kernel<resident_facts>;  // resident/blocks.hpp

/// Those of one formula, as far as they are compiled.
struct compiled_kernels {
  std::vector<std::shared_ptr<const pass_kernel>> passes;  ///< those of fewer levels first
  std::shared_ptr<const fused_kernel> fused;
  std::shared_ptr<const resident_kernel> resident;

  /// Two formulas have no kernel in common.
  const void* identity() const {
    if (!passes.empty()) return passes.front().get();
    return fused ? static_cast<const void*>(fused.get()) : resident.get();
  }
};

/// Of a cubin for this GPU, as python/teff/pass_text.py writes its text, of a formula with so many
/// numbers. It stays loaded.
/// @throws error for a cubin that the GPU does not take
std::shared_ptr<const pass_kernel> loaded_pass_kernel(device dev, const void* cubin, int reals,
                                                      int integers);
std::shared_ptr<const fused_kernel> loaded_fused_kernel(device dev, const void* cubin, int reals,
                                                        int integers);
std::shared_ptr<const resident_kernel> loaded_resident_kernel(device dev, const void* cubin,
                                                              int reals, int integers);

}  // namespace teff::runtime
