// SPDX-License-Identifier: MIT
#include <teff/base/detail/cuda_runtime.hpp>
#include <teff/base/error.hpp>

namespace teff::runtime::cuda {

namespace {
[[noreturn]] void refuse() {
  throw error(
      failure::no_device,
      "no GPU: this build of Teff is without CUDA; configure it with -DTEFF_CUDA=ON where a "
      "CUDA compiler is, or use the device cpu");
}
}  // namespace

int device_count(std::string& why_none) noexcept {
  why_none = "this build of Teff is without CUDA";
  return 0;
}
device_info describe(int) {
  refuse();
}
void* allocate(int, stream_handle, std::size_t, const std::string&) {
  refuse();
}
void release(int, stream_handle, void*) noexcept {}
void let_reach(int, int) {
  refuse();
}
void* allocate_pinned(std::size_t, const std::string&) {
  refuse();
}
void release_pinned(void*) noexcept {}
stream_handle create_stream(int, stream_kind) {
  refuse();
}
void destroy_stream(int, stream_handle) noexcept {}
void synchronize(int, stream_handle) {
  refuse();
}
bool is_done(int, stream_handle) {
  refuse();
}
void with_current(int, const std::function<void()>&) {
  refuse();
}
bool is_captured(stream_handle) {
  refuse();
}
event_handle create_event(int, bool) {
  refuse();
}
void destroy_event(event_handle) noexcept {}
void record(int, event_handle, stream_handle) {
  refuse();
}
void wait(int, stream_handle, event_handle) {
  refuse();
}
void synchronize(event_handle) {
  refuse();
}
double elapsed_s(event_handle, event_handle) {
  refuse();
}
void copy(int, stream_handle, void*, const void*, std::size_t) {
  refuse();
}
void zero(int, stream_handle, void*, std::size_t) {
  refuse();
}
void push_range(const char*) noexcept {}
void pop_range() noexcept {}

}  // namespace teff::runtime::cuda
