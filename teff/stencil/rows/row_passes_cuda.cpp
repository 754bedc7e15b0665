// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include <cuda_runtime_api.h>

#include <teff/base/current_device.cuh>
#include <teff/stencil/rows/row_passes.hpp>
#include <teff/stencil/warps/cut.hpp>

namespace teff::runtime {

#if CUDART_VERSION >= 12080
namespace {

constexpr std::size_t most_parameter_bytes = 32 * 1024;  // of a kernel
/// Before the parameter, whose alignment is unknown here.
constexpr std::size_t room_of_facts = (sizeof(pass_facts) + 255) / 256 * 256;
constexpr index_t plain_shared_bytes = 48 * 1024;  // more must be asked for, on each device

class loaded_pass : public pass_kernel {
 public:
  loaded_pass(device dev, const void* cubin, int reals, int integers)
      : dev_(dev), reals_(reals), integers_(integers) {
    const cuda::current_device here(dev.ordinal());
    TEFF_CHECK(cudaFree(nullptr));    // makes the device's context, if this is its first use
    cudaLibrary_t library = nullptr;  // it stays, and so does the memory
    TEFF_CHECK(cudaLibraryLoadData(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0));
    TEFF_CHECK(cudaLibraryGetKernel(&pass_, library, "teff_pass"));
    TEFF_CHECK(cudaLibraryGetKernel(&prepare_, library, "teff_pass_prepare"));
    TEFF_CHECK(cudaFuncGetAttributes(&attributes_, static_cast<const void*>(pass_)));
    TEFF_CHECK(cudaMalloc(&prepared_, room_of_facts + most_parameter_bytes));
    TEFF_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    const std::vector<double> ones(static_cast<std::size_t>(reals), 1.0);
    const std::vector<i64> one(static_cast<std::size_t>(integers), 1);
    facts_ = prepare(ones.data(), one.data());
  }
  loaded_pass(const loaded_pass&) = delete;
  loaded_pass& operator=(const loaded_pass&) = delete;

  const pass_facts& facts() const override { return facts_; }

  std::vector<std::byte> parameter(const stream&, const double* reals,
                                   const i64* integers) const override {
    const std::lock_guard lock(guard_);
    if (numbers_ != numbers_of(reals, integers)) prepare(reals, integers);
    return parameter_;
  }

  void launch(const stream& on, const block_options& options,
              std::vector<std::byte>& parameter) const override {
    void* arguments[] = {parameter.data()};
    const cuda::current_device here(on.dev().ordinal());
    if (options.shared_bytes > plain_shared_bytes)
      TEFF_CHECK(cudaFuncSetAttribute(static_cast<const void*>(pass_),
                                      cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(options.shared_bytes)));
    const cudaError_t status = cudaLaunchKernel(
        static_cast<const void*>(pass_), dim3(static_cast<unsigned>(options.blocks.n[0])),
        dim3(static_cast<unsigned>(options.threads.n[0])), arguments,
        static_cast<std::size_t>(options.shared_bytes), static_cast<cudaStream_t>(on.native()));
    if (status != cudaSuccess) cuda::throw_failed_call(status, "cudaLaunchKernel", site::here());
  }

  kernel_facts use(device) const override {
    kernel_facts use;
    use.shape = warp_shape_text(facts_.threads, 32 * facts_.cells, facts_.rows, facts_.levels);
    use.threads = facts_.threads;
    use.registers = attributes_.numRegs;
    use.local_bytes = attributes_.localSizeBytes;
    use.shared_bytes = attributes_.sharedSizeBytes + static_cast<std::size_t>(facts_.shared_bytes);
    use.blocks_per_processor = facts_.blocks;
    use.fills_registers = true;
    use.bytes_in_flight =
        static_cast<double>(facts_.bytes_in_flight) * facts_.threads * facts_.blocks;
    return use;
  }

 private:
  /// As the kernel that prepares takes them.
  std::vector<unsigned long long> numbers_of(const double* reals, const i64* integers) const {
    std::vector<unsigned long long> words(
        static_cast<std::size_t>(std::max(reals_, 1) + std::max(integers_, 1)));
    if (reals_ > 0)
      std::memcpy(words.data(), reals, sizeof(double) * static_cast<std::size_t>(reals_));
    if (integers_ > 0)
      std::memcpy(words.data() + std::max(reals_, 1), integers,
                  sizeof(i64) * static_cast<std::size_t>(integers_));
    return words;
  }
  /// The parameter for these numbers. On a stream of its own: it does not wait for what is enqueued
  /// elsewhere. @returns the facts, which do not depend on the numbers
  pass_facts prepare(const double* reals, const i64* integers) const {
    const cuda::current_device here(dev_.ordinal());
    std::vector<unsigned long long> numbers = numbers_of(reals, integers);
    void* facts = prepared_;
    void* parameter = static_cast<std::byte*>(prepared_) + room_of_facts;
    void* arguments[] = {numbers.data(), &facts, &parameter};
    pass_facts found{};
    numbers_.clear();
    TEFF_CHECK(cudaLaunchKernel(static_cast<const void*>(prepare_), dim3(1), dim3(1), arguments, 0,
                                stream_));
    TEFF_CHECK(cudaMemcpyAsync(&found, facts, sizeof(found), cudaMemcpyDeviceToHost, stream_));
    TEFF_CHECK(cudaStreamSynchronize(stream_));
    parameter_.resize(static_cast<std::size_t>(found.bytes));
    TEFF_CHECK(cudaMemcpyAsync(parameter_.data(), parameter, parameter_.size(),
                               cudaMemcpyDeviceToHost, stream_));
    TEFF_CHECK(cudaStreamSynchronize(stream_));
    numbers_ = std::move(numbers);
    return found;
  }

  device dev_;
  int reals_, integers_;
  cudaKernel_t pass_ = nullptr, prepare_ = nullptr;
  cudaFuncAttributes attributes_{};
  cudaStream_t stream_ = nullptr;
  void* prepared_ = nullptr;
  mutable std::mutex guard_;
  pass_facts facts_{};
  mutable std::vector<unsigned long long> numbers_;
  mutable std::vector<std::byte> parameter_;
};

}  // namespace

std::shared_ptr<const pass_kernel> loaded_pass_kernel(device dev, const void* cubin, int reals,
                                                      int integers) {
  return std::make_shared<loaded_pass>(dev, cubin, reals, integers);
}
#else
std::shared_ptr<const pass_kernel> loaded_pass_kernel(device dev, const void*, int, int) {
  throw error("passes on " + dev.name() + " take a Teff that is built with CUDA 12.8 or later");
}
#endif

}  // namespace teff::runtime
