// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include <cuda_runtime_api.h>

#include <teff/base/current_device.cuh>
#include <teff/stencil/rows/compiled_kernel.hpp>

namespace teff::runtime {

#if CUDART_VERSION >= 12080
namespace {

constexpr std::size_t most_parameter_bytes = 32 * 1024;  // of a kernel
/// Before the parameter, whose alignment is unknown here.
template <class Facts>
constexpr std::size_t room_of = (sizeof(Facts) + 255) / 256 * 256;
constexpr index_t plain_shared_bytes = 48 * 1024;  // more must be asked for, on each device

template <class Facts>
class loaded_kernel : public compiled_kernel<Facts> {
 public:
  /// @param name of the kernel in the cubin; that which prepares its parameter has one like it
  loaded_kernel(device dev, const void* cubin, const std::string& name, int reals, int integers)
      : dev_(dev), reals_(reals), integers_(integers) {
    const cuda::current_device here(dev.ordinal());
    TEFF_CHECK(cudaFree(nullptr));    // makes the device's context, if this is its first use
    cudaLibrary_t library = nullptr;  // it stays, and so does the memory
    TEFF_CHECK(cudaLibraryLoadData(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0));
    TEFF_CHECK(cudaLibraryGetKernel(&kernel_, library, name.c_str()));
    TEFF_CHECK(cudaLibraryGetKernel(&prepare_, library, (name + "_prepare").c_str()));
    TEFF_CHECK(cudaFuncGetAttributes(&attributes_, static_cast<const void*>(kernel_)));
    TEFF_CHECK(cudaMalloc(&prepared_, room_of<Facts> + most_parameter_bytes));
    TEFF_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    const std::vector<double> ones(static_cast<std::size_t>(reals), 1.0);
    const std::vector<i64> one(static_cast<std::size_t>(integers), 1);
    facts_ = prepare(ones.data(), one.data());
  }
  loaded_kernel(const loaded_kernel&) = delete;
  loaded_kernel& operator=(const loaded_kernel&) = delete;

  const Facts& facts() const override { return facts_; }

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
    allow(options.shared_bytes);
    cudaLaunchAttribute cooperative{};
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = options.all_resident ? 1 : 0;
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(static_cast<unsigned>(options.blocks.n[0]));
    launch.blockDim = dim3(static_cast<unsigned>(options.threads.n[0]));
    launch.dynamicSmemBytes = static_cast<std::size_t>(options.shared_bytes);
    launch.stream = static_cast<cudaStream_t>(on.native());
    launch.attrs = &cooperative;
    launch.numAttrs = options.all_resident ? 1 : 0;
    const cudaError_t status =
        cudaLaunchKernelExC(&launch, static_cast<const void*>(kernel_), arguments);
    if (status != cudaSuccess) cuda::throw_failed_call(status, "cudaLaunchKernelExC", site::here());
  }

  kernel_facts use(device dev, int threads, int shared_bytes) const override {
    const cuda::current_device here(dev.ordinal());
    allow(shared_bytes);
    const auto bytes = static_cast<std::size_t>(shared_bytes);
    kernel_facts use;
    use.threads = threads;
    use.registers = attributes_.numRegs;
    use.local_bytes = attributes_.localSizeBytes;
    use.shared_bytes = attributes_.sharedSizeBytes + bytes;
    TEFF_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &use.blocks_per_processor, static_cast<const void*>(kernel_), threads, bytes));
    return use;
  }

 private:
  void allow(index_t shared_bytes) const {
    if (shared_bytes > plain_shared_bytes)
      TEFF_CHECK(cudaFuncSetAttribute(static_cast<const void*>(kernel_),
                                      cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(shared_bytes)));
  }
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
  Facts prepare(const double* reals, const i64* integers) const {
    const cuda::current_device here(dev_.ordinal());
    std::vector<unsigned long long> numbers = numbers_of(reals, integers);
    void* facts = prepared_;
    void* parameter = static_cast<std::byte*>(prepared_) + room_of<Facts>;
    void* arguments[] = {numbers.data(), &facts, &parameter};
    Facts found{};
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
  cudaKernel_t kernel_ = nullptr, prepare_ = nullptr;
  cudaFuncAttributes attributes_{};
  cudaStream_t stream_ = nullptr;
  void* prepared_ = nullptr;
  mutable std::mutex guard_;
  Facts facts_{};
  mutable std::vector<unsigned long long> numbers_;
  mutable std::vector<std::byte> parameter_;
};

}  // namespace

std::shared_ptr<const pass_kernel> loaded_pass_kernel(device dev, const void* cubin, int reals,
                                                      int integers) {
  return std::make_shared<loaded_kernel<pass_facts>>(dev, cubin, "teff_pass", reals, integers);
}
std::shared_ptr<const fused_kernel> loaded_fused_kernel(device dev, const void* cubin, int reals,
                                                        int integers) {
  return std::make_shared<loaded_kernel<fused_facts>>(dev, cubin, "teff_fused", reals, integers);
}
std::shared_ptr<const resident_kernel> loaded_resident_kernel(device dev, const void* cubin,
                                                              int reals, int integers) {
  return std::make_shared<loaded_kernel<resident_facts>>(dev, cubin, "teff_resident", reals,
                                                         integers);
}
#else
namespace {
[[noreturn]] void throw_too_old(device dev) {
  throw error("passes on " + dev.name() + " take a Teff that is built with CUDA 12.8 or later");
}
}  // namespace
std::shared_ptr<const pass_kernel> loaded_pass_kernel(device dev, const void*, int, int) {
  throw_too_old(dev);
}
std::shared_ptr<const fused_kernel> loaded_fused_kernel(device dev, const void*, int, int) {
  throw_too_old(dev);
}
std::shared_ptr<const resident_kernel> loaded_resident_kernel(device dev, const void*, int, int) {
  throw_too_old(dev);
}
#endif

}  // namespace teff::runtime
