// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include <teff/kernel/detail/emulated_block.hpp>

/// What a thread of an emulated kernel does when it asks for something.
namespace teff::runtime {

void fiber_thread::enter(void* self) {
  auto& thread = *static_cast<fiber_thread*>(self);
  block_scheduler& scheduler = *thread.owner->scheduler;
  try {
    scheduler.body(scheduler.function, thread);
  } catch (const abandoned&) {
  } catch (...) {
    scheduler.fault = std::current_exception();
  }
  thread.set_state(thread_state::done);
}

void fiber_thread::set_state(thread_state next) {
  --warp->count[static_cast<int>(state)];
  --owner->count[static_cast<int>(state)];
  ++warp->count[static_cast<int>(next)];
  ++owner->count[static_cast<int>(next)];
  state = next;
}

void fiber_thread::suspend() {
  on.suspend();
  if (owner->scheduler->is_abandoning) throw abandoned{};
}

namespace {

/// A number for the return addresses of all functions that called each other, from `frame` out to
/// the kernel's own. Frames are linked: the first word leads to the caller's, the second back to
/// its code.
std::size_t callers_of(const void* frame, const void* outermost) {
  std::size_t number = 0;
  const auto end = reinterpret_cast<std::uintptr_t>(outermost);
  for (auto at = reinterpret_cast<std::uintptr_t>(frame); at != 0 && at < end;) {
    const auto* const words = reinterpret_cast<const std::uintptr_t*>(at);
    number = number * 31 + words[1];
    if (words[0] <= at) break;
    at = words[0];
  }
  return number;
}

}  // namespace

void fiber_thread::is_in(const operation_call& call) {
  constexpr std::ptrdiff_t most = 1 << 20;  // beyond it: no place in this stack (AddressSanitizer)
  where = call.where;
  const auto place =
      reinterpret_cast<std::intptr_t>(outermost_frame) - reinterpret_cast<std::intptr_t>(call.copy);
  copy_place = place > -most && place < most ? place : 0;
  callers = call.frame == nullptr ? 0 : callers_of(call.frame, outermost_frame);
}

bool is_other_copy(const fiber_thread& a, const fiber_thread& b) {
  return a.callers != b.callers || a.copy_place != b.copy_place;
}

void fiber_thread::sync(const operation_call& call) {
  is_in(call);
  set_state(thread_state::at_barrier);
  suspend();
}

int fiber_thread::carve(index_t n, std::size_t element_bytes, std::size_t alignment, site at) {
  return owner->shared.carve(*this, n, element_bytes, alignment, at);
}

void* fiber_thread::access(int array, index_t i, int count, shared_use use, const void* written,
                           site at) {
  return owner->shared.access(*this, array, i, count, use, written, at);
}

void fiber_thread::enter_warp_operation(warp_operation what, const operation_call& call) {
  operation = what;
  is_in(call);
  set_state(thread_state::in_warp_operation);
  suspend();
}

void fiber_thread::exchange(warp_operation what, const void* in, void* out, std::size_t size,
                            int source, const operation_call& call) {
  given = in;
  taken = out;
  bytes = size;
  from = source;
  enter_warp_operation(what, call);
}

unsigned fiber_thread::vote(warp_operation what, bool mine, const operation_call& call) {
  predicate = mine;
  enter_warp_operation(what, call);
  return warp->ballot;
}

void fiber_thread::sync_warp(const operation_call& call) {
  enter_warp_operation(warp_operation::sync, call);
}

void fiber_thread::wait(bool (*ready)(const void* context), const void* context, site at) {
  if (ready(context)) return;
  where = at;
  ready_when = ready;
  ready_context = context;
  set_state(thread_state::waiting);
  suspend();
}

void fiber_thread::poll(const void* memory, void* out, std::size_t size) {
  yield();
  std::memcpy(out, memory, size);
  changed_memory(false);  // who changed it has said so
}

void fiber_thread::yield() {
  suspend();
}

void fiber_thread::changed_memory(bool changed) {
  block_scheduler& scheduler = *owner->scheduler;
  if (changed) {
    scheduler.memory_changed = true;
  } else {
    scheduler.was_polled = true;
    owner->last_poll_round = scheduler.round;
  }
}

emulated_block::emulated_block(block_scheduler& by, const emulated_launch& launched, bool check)
    : scheduler(&by),
      launch(&launched),
      threads(static_cast<std::size_t>(launched.threads[0] * launched.threads[1] *
                                       launched.threads[2])),
      warps((threads.size() + warp_lanes - 1) / warp_lanes),
      shared(launched.shared_bytes, check) {
  for (std::size_t w = 0; w < warps.size(); ++w) {
    warps[w].owner = this;
    warps[w].index = static_cast<int>(w);
    warps[w].first = &threads[w * warp_lanes];
    warps[w].lanes = std::min(warp_lanes, static_cast<int>(threads.size() - w * warp_lanes));
    order.push_back(&warps[w]);
  }
  const int nx = launched.threads[0], ny = launched.threads[1];
  for (std::size_t t = 0; t < threads.size(); ++t) {
    fiber_thread& thread = threads[t];
    thread.owner = this;
    thread.warp = &warps[t / warp_lanes];
    thread.launch = launch;
    thread.linear = static_cast<int>(t);
    thread.lane = thread.linear % warp_lanes;
    thread.thread[0] = thread.linear % nx;
    thread.thread[1] = thread.linear / nx % ny;
    thread.thread[2] = thread.linear / nx / ny;
  }
}

void emulated_block::begin(index_t number) {
  index[0] = number % launch->blocks[0];
  index[1] = number / launch->blocks[0] % launch->blocks[1];
  index[2] = number / launch->blocks[0] / launch->blocks[1];
  shared.begin();
  last_poll_round = scheduler->round;
  std::fill(std::begin(count), std::end(count), 0);
  count[static_cast<int>(thread_state::ready)] = static_cast<int>(threads.size());
  for (emulated_warp& warp : warps) {
    std::fill(std::begin(warp.count), std::end(warp.count), 0);
    warp.count[static_cast<int>(thread_state::ready)] = warp.lanes;
  }
  for (fiber_thread& thread : threads) {
    std::copy(std::begin(index), std::end(index), std::begin(thread.block));
    thread.state = thread_state::ready;
    thread.has_started = false;
    thread.carved = 0;
    thread.on.start(fiber_thread::enter, &thread);
  }
}

}  // namespace teff::runtime
