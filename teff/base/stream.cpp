// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <iterator>
#include <mutex>
#include <vector>

#include <teff/base/detail/cuda_runtime.hpp>
#include <teff/base/error.hpp>
#include <teff/base/spare_blocks.hpp>
#include <teff/base/stream.hpp>

namespace teff {

struct stream::state {
  using kind = runtime::cuda::stream_kind;

  device dev;
  void* handle = nullptr;
  void* event = nullptr;     // marks "what is in this stream now" for streams that wait for it
  void* counters = nullptr;  // allocated when they are first asked for
  bool is_own = true;        // else somebody else destroys it
  runtime::spare_blocks spare;
  std::mutex mutex;

  state(device d, kind which) : dev(d) {
    if (d.is_cpu()) return;
    handle = runtime::cuda::create_stream(d.ordinal(), which);
    event = runtime::cuda::create_event(d.ordinal(), false);
  }
  state(device d, void* native) : dev(d), handle(native), is_own(false) {
    event = runtime::cuda::create_event(d.ordinal(), false);
  }
  ~state() {
    if (dev.is_cpu()) return;
    if (counters != nullptr) runtime::cuda::release(dev.ordinal(), handle, counters);
    shrink_spare(0);
    runtime::cuda::destroy_event(event);
    if (is_own) runtime::cuda::destroy_stream(dev.ordinal(), handle);
  }
  state(state&&) = delete;
  state& operator=(state&&) = delete;

  void shrink_spare(std::size_t most_bytes) noexcept {
    spare.shrink(most_bytes, [&](void* data, std::size_t) {
      runtime::cuda::release(dev.ordinal(), handle, data);
    });
  }

  /// Default streams live as long as the program: arrays that die at exit still need them.
  static const std::shared_ptr<state>& default_of(device dev) {
    static const auto& cpu =
        *new std::shared_ptr<state>(std::make_shared<state>(dev_cpu(), kind::of_device));
    if (dev.is_cpu()) return cpu;
    static std::mutex mutex;
    static auto& of_gpu =
        *new std::vector<std::shared_ptr<state>>(static_cast<std::size_t>(cuda_device_count()));
    const std::lock_guard lock(mutex);
    auto& slot = of_gpu.at(static_cast<std::size_t>(dev.ordinal()));
    if (!slot) slot = std::make_shared<state>(dev, kind::of_device);
    return slot;
  }
  static device dev_cpu() { return device::cpu(); }
};

stream::stream(device dev) : state_(state::default_of(dev)) {}
stream stream::create(device dev) {
  return stream(std::make_shared<state>(dev, state::kind::own));
}
stream stream::create_urgent(device dev) {
  return stream(std::make_shared<state>(dev, state::kind::urgent));
}
stream stream::adopt(device dev, void* native) {
  if (dev.is_cuda()) return stream(std::make_shared<state>(dev, native));
  if (native != nullptr)
    throw error(failure::usage,
                "adopt: the CPU has no streams, so there is none to adopt; leave "
                "the handle null, or name the GPU that it is of");
  return stream(dev);
}
device stream::dev() const noexcept {
  return state_->dev;
}
void* stream::native() const noexcept {
  return state_->handle;
}

namespace {
std::atomic<std::uint64_t> waits{0};
void count_wait() {
  waits.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

std::uint64_t runtime::host_waits() noexcept {
  return waits.load(std::memory_order_relaxed);
}

void stream::synchronize() const {
  count_wait();
  if (dev().is_cuda()) runtime::cuda::synchronize(dev().ordinal(), state_->handle);
}

bool stream::is_done() const {
  return dev().is_cpu() || runtime::cuda::is_done(dev().ordinal(), state_->handle);
}

bool stream::is_captured() const {
  return dev().is_cuda() && runtime::cuda::is_captured(state_->handle);
}

void runtime::with_current_device(device dev, const std::function<void()>& f) {
  if (dev.is_cpu()) return f();
  runtime::cuda::with_current(dev.ordinal(), f);
}

void stream::wait_for(const stream& other) const {
  if (*this == other || other.dev().is_cpu()) return;
  if (dev().is_cpu()) return other.synchronize();
  runtime::cuda::record(other.dev().ordinal(), other.state_->event, other.state_->handle);
  runtime::cuda::wait(dev().ordinal(), state_->handle, other.state_->event);
}

void stream::wait_for(const stream_point& point) const {
  if (*this == point.of() || point.of().dev().is_cpu()) return;
  if (dev().is_cpu()) return runtime::cuda::synchronize(point.event_);
  runtime::cuda::wait(dev().ordinal(), state_->handle, point.event_);
}

stream_point::stream_point(stream of) : of_(std::move(of)) {
  if (of_.dev().is_cuda()) event_ = runtime::cuda::create_event(of_.dev().ordinal(), false);
}
stream_point::~stream_point() {
  if (event_ != nullptr) runtime::cuda::destroy_event(event_);
}
void stream_point::set() {
  if (event_ != nullptr) runtime::cuda::record(of_.dev().ordinal(), event_, of_.native());
}

unsigned* stream::arrival_counters() const {
  if (dev().is_cpu() || is_captured()) return nullptr;
  const std::lock_guard lock(state_->mutex);
  if (state_->counters == nullptr) {
    constexpr std::size_t bytes = arrival_count * sizeof(unsigned);
    state_->counters =
        runtime::cuda::allocate(dev().ordinal(), state_->handle, bytes, "arrival counters");
    runtime::cuda::zero(dev().ordinal(), state_->handle, state_->counters, bytes);
  }
  return static_cast<unsigned*>(state_->counters);
}

namespace {

/// Blocks of a GPU that are kept in a stream when they are released, and all of a stream together.
constexpr std::size_t most_of_spare_block = std::size_t{1} << 20,
                      most_spare_bytes = std::size_t{8} << 20;
/// Blocks of about the same size are of the same size.
std::size_t rounded_up(std::size_t bytes) {
  constexpr std::size_t unit = 512;
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

void* stream::allocate(std::size_t bytes, const std::string& label, bool& is_spare_later) const {
  is_spare_later = bytes <= most_of_spare_block && !is_captured();
  if (!is_spare_later)
    return runtime::cuda::allocate(dev().ordinal(), state_->handle, bytes, label);
  {
    const std::lock_guard lock(state_->mutex);
    if (void* spare = state_->spare.take(rounded_up(bytes))) return spare;
  }
  return runtime::cuda::allocate(dev().ordinal(), state_->handle, rounded_up(bytes), label);
}

void stream::release(void* data, std::size_t bytes, bool is_spare) const noexcept {
  if (!is_spare) return runtime::cuda::release(dev().ordinal(), state_->handle, data);
  const std::lock_guard lock(state_->mutex);
  state_->spare.put(data, rounded_up(bytes));
  state_->shrink_spare(most_spare_bytes);
}

void zero_bytes(const stream& s, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  if (s.dev().is_cpu())
    std::memset(target, 0, bytes);
  else
    runtime::cuda::zero(s.dev().ordinal(), s.native(), target, bytes);
}

void copy_bytes(const stream& s, void* target, const void* source, std::size_t bytes) {
  if (bytes == 0) return;
  if (s.dev().is_cpu())
    std::memcpy(target, source, bytes);
  else
    runtime::cuda::copy(s.dev().ordinal(), s.native(), target, source, bytes);
}

namespace {
double steady_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace

namespace {

/// Events of timers that are gone, for those to come: to make one and to destroy it are two calls
/// of the driver.
class kept_events {
 public:
  static kept_events& all() {
    static auto& kept = *new kept_events;  // never destroyed: reports may outlive any static
    return kept;
  }
  void* take(int ordinal) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::find_if(events_.rbegin(), events_.rend(),
                                      [&](const kept& one) { return one.ordinal == ordinal; });
      if (found != events_.rend()) {
        void* const event = found->event;
        events_.erase(std::next(found).base());
        return event;
      }
    }
    return runtime::cuda::create_event(ordinal, true);
  }
  void keep(int ordinal, void* event) noexcept {
    const std::lock_guard lock(mutex_);
    if (events_.size() < most)
      events_.push_back({ordinal, event});
    else
      runtime::cuda::destroy_event(event);
  }

 private:
  struct kept {
    int ordinal;
    void* event;
  };
  static constexpr std::size_t most = 64;

  kept_events() { events_.reserve(most); }

  std::mutex mutex_;
  std::vector<kept> events_;  // the latest last
};

}  // namespace

timer::timer(stream s) : stream_(std::move(s)) {
  if (stream_.dev().is_cpu()) return;
  begin_ = kept_events::all().take(stream_.dev().ordinal());
  end_ = kept_events::all().take(stream_.dev().ordinal());
}

timer::~timer() {
  if (stream_.dev().is_cpu()) return;
  kept_events::all().keep(stream_.dev().ordinal(), begin_);
  kept_events::all().keep(stream_.dev().ordinal(), end_);
}

void timer::start() {
  if (stream_.dev().is_cpu())
    begin_s_ = steady_s();
  else
    runtime::cuda::record(stream_.dev().ordinal(), begin_, stream_.native());
}

void timer::stop() {
  if (stream_.dev().is_cpu())
    end_s_ = steady_s();
  else
    runtime::cuda::record(stream_.dev().ordinal(), end_, stream_.native());
}

double timer::elapsed_s() const {
  count_wait();
  if (stream_.dev().is_cpu()) return end_s_ - begin_s_;
  runtime::cuda::synchronize(end_);
  return runtime::cuda::elapsed_s(begin_, end_);
}

timeline_range::timeline_range(const char* name) noexcept {
  runtime::cuda::push_range(name);
}
timeline_range::~timeline_range() {
  runtime::cuda::pop_range();
}

}  // namespace teff
