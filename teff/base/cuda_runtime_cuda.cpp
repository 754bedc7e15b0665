// SPDX-License-Identifier: MIT
#include <limits>
#include <new>

#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include <teff/base/bytes.hpp>
#include <teff/base/cuda_check.cuh>
#include <teff/base/current_device.cuh>
#include <teff/base/detail/cuda_runtime.hpp>

namespace teff::runtime::cuda {

namespace {

/// Freed blocks stay in the device's pool, so that a temporary array costs no call of the driver.
void keep_freed_memory(int ordinal) {
  cudaMemPool_t pool = nullptr;
  TEFF_CHECK(cudaDeviceGetDefaultMemPool(&pool, ordinal));
  std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  TEFF_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

int attribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess) return value;
  (void)cudaGetLastError();  // the program's next look at it is not to find ours
  return 0;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// As nvidia-smi writes it.
std::string uuid_text(const cudaUUID_t& uuid) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "GPU";
  for (int byte = 0; byte < 16; ++byte) {
    if (byte == 0 || byte == 4 || byte == 6 || byte == 8 || byte == 10) text += '-';
    const auto value = static_cast<unsigned char>(uuid.bytes[byte]);
    text += digits[value / 16];
    text += digits[value % 16];
  }
  return text;
}

[[noreturn]] void throw_out_of_memory(std::size_t bytes, const std::string& label, int ordinal) {
  (void)cudaGetLastError();
  std::size_t free = 0, total = 0;
  (void)cudaMemGetInfo(&free, &total);
  throw error(failure::out_of_memory,
              "out of memory on cuda:" + std::to_string(ordinal) + ": asked " + bytes_text(bytes) +
                  " for " + (label.empty() ? "an array" : "array '" + label + "'") + ", free " +
                  bytes_text(free) + " of " + bytes_text(total) + "; use smaller extents or f32");
}

}  // namespace

void throw_failed_status(int code, const char* call, site where) {
  const auto status = static_cast<cudaError_t>(code);
  if (is_lost_by_fork(status))
    throw error(failure::no_device, std::string("CUDA: ") + lost_by_fork + "; found by " + call +
                                        " at " + where.file + ":" + std::to_string(where.line));
  if (status == cudaErrorAssert)
    throw error(
        std::string("CUDA: an assertion of a kernel failed; its text, with block, thread and ") +
        "place, is above on stderr. Found by " + call + " at " + where.file + ":" +
        std::to_string(where.line) + "; this process can not use the GPU any more: start it again");
  const std::string what = std::string("CUDA: ") + call + " gave " + cudaGetErrorName(status) +
                           " (" + cudaGetErrorString(status) + ") at " + where.file + ":" +
                           std::to_string(where.line);
  if (status == cudaErrorLaunchOutOfResources)
    throw launch_error(what +
                       "; a block's threads need more registers than there are: launch "
                       "fewer threads a block");
  if (status == cudaErrorCooperativeLaunchTooLarge)
    throw launch_error(what +
                       "; blocks that are all resident must fit on the device together: "
                       "launch fewer, or smaller ones");
  if (status == cudaErrorInvalidConfiguration) throw launch_error(what);
  throw error(what + "; if a kernel failed earlier, compute-sanitizer names it");
}

int device_count(std::string& why_none) noexcept {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  (void)cudaGetLastError();
  int driver = 0, runtime = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  if (is_lost_by_fork(status))
    why_none = lost_by_fork;
  else if (driver == 0)
    why_none = "no NVIDIA driver is installed";
  else if (status == cudaErrorInsufficientDriver)
    why_none = "the NVIDIA driver is too old: it supports CUDA " + version_text(driver) +
               ", this program needs " + version_text(runtime) + "; update the driver";
  else
    why_none = std::string("the driver lists no usable GPU (") + cudaGetErrorString(status) + ")";
  return 0;
}

device_info describe(int ordinal) {
  cudaDeviceProp properties{};
  TEFF_CHECK(cudaGetDeviceProperties(&properties, ordinal));
  const current_device here(ordinal);
  device_info info;
  info.name = properties.name;
  TEFF_CHECK(cudaMemGetInfo(&info.free_bytes, &info.memory_bytes));
  info.cache_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  info.processors = properties.multiProcessorCount;
  info.threads_per_processor = properties.maxThreadsPerMultiProcessor;
  info.max_threads_per_block = properties.maxThreadsPerBlock;
  info.shared_bytes_per_block = properties.sharedMemPerBlockOptin;
  const int ratio = attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, ordinal);
  if (ratio > 0) info.f32_per_f64 = ratio;
  const double memory_khz = attribute(cudaDevAttrMemoryClockRate, ordinal);
  info.nominal_gb_per_s = 2.0 * memory_khz * 1e3 * properties.memoryBusWidth / 8 / 1e9;
  info.clock_ghz = attribute(cudaDevAttrClockRate, ordinal) / 1e6;
  // Lanes of a multiprocessor in f32, by its architecture.
  const bool has_64 = properties.major == 7 || (properties.major == 8 && properties.minor == 0);
  info.nominal_f32_gflop_per_s = 2.0 * info.processors * (has_64 ? 64 : 128) * info.clock_ghz;
  int driver = 0, runtime = 0;
  TEFF_CHECK(cudaDriverGetVersion(&driver));
  TEFF_CHECK(cudaRuntimeGetVersion(&runtime));
  info.uuid = uuid_text(properties.uuid);
  info.driver = "CUDA driver " + version_text(driver) + ", runtime " + version_text(runtime);
  return info;
}

void* allocate(int ordinal, stream_handle stream, std::size_t bytes, const std::string& label) {
  const current_device here(ordinal);
  void* pointer = nullptr;
  const cudaError_t status = cudaMallocAsync(&pointer, bytes, static_cast<cudaStream_t>(stream));
  if (status == cudaErrorMemoryAllocation) throw_out_of_memory(bytes, label, ordinal);
  TEFF_CHECK(status);
  return pointer;
}

void release(int ordinal, stream_handle stream, void* pointer) noexcept {
  const current_device here(ordinal, std::nothrow);
  report_failed_call(cudaFreeAsync(pointer, static_cast<cudaStream_t>(stream)), "cudaFreeAsync");
}

bool can_reach(int by, int of) {
  int can = 0;
  TEFF_CHECK(cudaDeviceCanAccessPeer(&can, by, of));
  return can != 0;
}

void let_reach(int by, int of) {
  if (!can_reach(by, of)) return;
  cudaMemPool_t pool = nullptr;
  TEFF_CHECK(cudaDeviceGetDefaultMemPool(&pool, of));
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = by;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  TEFF_CHECK(cudaMemPoolSetAccess(pool, &access, 1));
}

void* allocate_pinned(std::size_t bytes, const std::string& label) {
  void* pointer = nullptr;
  const cudaError_t status = cudaMallocHost(&pointer, bytes);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    throw error(failure::out_of_memory, "out of page-locked host memory: asked " +
                                            bytes_text(bytes) + " for array '" + label +
                                            "'; use device::cpu()");
  }
  TEFF_CHECK(status);
  return pointer;
}

void release_pinned(void* pointer) noexcept {
  report_failed_call(cudaFreeHost(pointer), "cudaFreeHost");
}

stream_handle create_stream(int ordinal, stream_kind kind) {
  const current_device here(ordinal);
  keep_freed_memory(ordinal);
  cudaStream_t stream = nullptr;
  int least_urgent = 0, most_urgent = 0;
  TEFF_CHECK(cudaDeviceGetStreamPriorityRange(&least_urgent, &most_urgent));
  TEFF_CHECK(cudaStreamCreateWithPriority(
      &stream, kind == stream_kind::of_device ? cudaStreamDefault : cudaStreamNonBlocking,
      kind == stream_kind::urgent ? most_urgent : least_urgent));
  return stream;
}

void destroy_stream(int ordinal, stream_handle stream) noexcept {
  const current_device here(ordinal, std::nothrow);
  report_failed_call(cudaStreamDestroy(static_cast<cudaStream_t>(stream)), "cudaStreamDestroy");
}

void synchronize(int ordinal, stream_handle stream) {
  const current_device here(ordinal);
  TEFF_CHECK(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
}

bool is_done(int ordinal, stream_handle stream) {
  const current_device here(ordinal);
  const cudaError_t status = cudaStreamQuery(static_cast<cudaStream_t>(stream));
  if (status == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  TEFF_CHECK(status);
  return true;
}

void with_current(int ordinal, const std::function<void()>& f) {
  const current_device here(ordinal);
  f();
}

bool is_captured(stream_handle stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  TEFF_CHECK(cudaStreamIsCapturing(static_cast<cudaStream_t>(stream), &status));
  return status != cudaStreamCaptureStatusNone;
}

event_handle create_event(int ordinal, bool timed) {
  const current_device here(ordinal);
  cudaEvent_t event = nullptr;
  TEFF_CHECK(cudaEventCreateWithFlags(&event, timed ? cudaEventDefault : cudaEventDisableTiming));
  return event;
}

void destroy_event(event_handle event) noexcept {
  report_failed_call(cudaEventDestroy(static_cast<cudaEvent_t>(event)), "cudaEventDestroy");
}

void record(int ordinal, event_handle event, stream_handle stream) {
  const current_device here(ordinal);
  TEFF_CHECK(cudaEventRecord(static_cast<cudaEvent_t>(event), static_cast<cudaStream_t>(stream)));
}

void wait(int ordinal, stream_handle stream, event_handle event) {
  const current_device here(ordinal);
  TEFF_CHECK(
      cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), static_cast<cudaEvent_t>(event), 0));
}

void synchronize(event_handle event) {
  TEFF_CHECK(cudaEventSynchronize(static_cast<cudaEvent_t>(event)));
}

double elapsed_s(event_handle start, event_handle stop) {
  float milliseconds = 0;
  TEFF_CHECK(cudaEventElapsedTime(&milliseconds, static_cast<cudaEvent_t>(start),
                                  static_cast<cudaEvent_t>(stop)));
  return milliseconds * 1e-3;
}

void copy(int ordinal, stream_handle stream, void* target, const void* source, std::size_t bytes) {
  const current_device here(ordinal);
  TEFF_CHECK(
      cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream)));
}

void zero(int ordinal, stream_handle stream, void* target, std::size_t bytes) {
  const current_device here(ordinal);
  TEFF_CHECK(cudaMemsetAsync(target, 0, bytes, static_cast<cudaStream_t>(stream)));
}

void push_range(const char* name) noexcept {
  nvtxRangePushA(name);
}
void pop_range() noexcept {
  nvtxRangePop();
}

}  // namespace teff::runtime::cuda
