// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <teff/base/device.hpp>

/// The few calls of the CUDA runtime that Teff needs, without its headers: cuda_runtime_cuda.cpp
/// makes them, cuda_runtime_no_cuda.cpp stands in its place in a build without CUDA. All throw
/// teff::error but those marked noexcept, which are for destructors: they print and go on.
namespace teff::runtime::cuda {

using stream_handle = void*;
using event_handle = void*;

int device_count(std::string& why_none) noexcept;
device_info describe(int ordinal);

void* allocate(int ordinal, stream_handle stream, std::size_t bytes, const std::string& label);
void release(int ordinal, stream_handle stream, void* pointer) noexcept;
void let_reach(int by, int of);
void* allocate_pinned(std::size_t bytes, const std::string& label);
void release_pinned(void* pointer) noexcept;

/// The device's own one is ordered with CUDA's default stream; kernels of urgent ones begin first.
enum class stream_kind { of_device, own, urgent };
stream_handle create_stream(int ordinal, stream_kind kind);
void destroy_stream(int ordinal, stream_handle stream) noexcept;
void synchronize(int ordinal, stream_handle stream);
/// All that was enqueued is done.
bool is_done(int ordinal, stream_handle stream);
/// Calls f while the device is this thread's current one.
void with_current(int ordinal, const std::function<void()>& f);
/// What is enqueued goes to a graph.
bool is_captured(stream_handle stream);

event_handle create_event(int ordinal, bool timed);
void destroy_event(event_handle event) noexcept;
void record(int ordinal, event_handle event, stream_handle stream);
void wait(int ordinal, stream_handle stream, event_handle event);
void synchronize(event_handle event);
double elapsed_s(event_handle start, event_handle stop);

/// Between any two of host memory, pinned memory and devices; ordered in `stream`.
void copy(int ordinal, stream_handle stream, void* target, const void* source, std::size_t bytes);
void zero(int ordinal, stream_handle stream, void* target, std::size_t bytes);

/// Opens and closes a named range for the profiler's timeline (NVTX).
void push_range(const char* name) noexcept;
void pop_range() noexcept;

}  // namespace teff::runtime::cuda
