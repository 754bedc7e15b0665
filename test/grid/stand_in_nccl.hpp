// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <teff/grid/transport/nccl_library.hpp>

/// What stands in for NCCL where no GPU is: messages between threads, by the host. Like it, it
/// says that messages are under way until they have come.
namespace teff::inline TEFF_MODE::test {

/// What it does, and what was done with it.
struct stand_in_nccl {
  int rank_that_can_not_begin = -1;
  int rank_with_an_error = -1;  ///< from its second message on
  bool damages = false;         ///< the first byte of each message
  int begun = 0, aborted = 0, destroyed = 0;

  std::mutex mutex;
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> mail;  // by sender, receiver

  static stand_in_nccl& one() {
    static stand_in_nccl it;
    return it;
  }
  /// As it is at the beginning.
  static stand_in_nccl& renewed() {
    stand_in_nccl& it = one();
    it.rank_that_can_not_begin = it.rank_with_an_error = -1;
    it.damages = false;
    it.begun = it.aborted = it.destroyed = 0;
    it.mail.clear();
    return it;
  }
  static runtime::found_nccl found();

 private:
  enum failed { no_system = 2, no_remote = 6 };
  struct member {
    struct awaited {
      int from;
      std::byte* data;
      std::size_t bytes;
    };
    int rank;
    std::deque<awaited> receives;
    int groups = 0;
  };
  static member& at(runtime::nccl_communicator c) { return *static_cast<member*>(c); }

  static int begin(runtime::nccl_communicator* made, int, runtime::nccl_id, int rank,
                   runtime::nccl_config* config) {
    stand_in_nccl& it = one();
    const std::lock_guard lock(it.mutex);
    if (rank == it.rank_that_can_not_begin || config->blocking != 0) return no_system;
    ++it.begun;
    *made = new member{rank, {}};
    return runtime::nccl_in_progress;
  }
  static int leave(runtime::nccl_communicator c, int stand_in_nccl::*how) {
    const std::lock_guard lock(one().mutex);
    ++(one().*how);
    delete &at(c);
    return runtime::nccl_done;
  }
  static int state(runtime::nccl_communicator c, int* is) {
    stand_in_nccl& it = one();
    const std::lock_guard lock(it.mutex);
    member& me = at(c);
    *is = runtime::nccl_done;
    if (me.rank == it.rank_with_an_error && me.groups > 1) *is = no_remote;
    while (!me.receives.empty()) {
      const auto& next = me.receives.front();
      auto& mail = it.mail[{next.from, me.rank}];
      if (mail.empty()) {
        if (*is == runtime::nccl_done) *is = runtime::nccl_in_progress;
        break;
      }
      std::memcpy(next.data, mail.front().data(), next.bytes);
      if (it.damages) next.data[0] ^= std::byte{1};
      mail.pop_front();
      me.receives.pop_front();
    }
    return runtime::nccl_done;
  }
  static int send(const void* data, std::size_t bytes, int, int to, runtime::nccl_communicator c,
                  void*) {
    const std::lock_guard lock(one().mutex);
    const auto* first = static_cast<const std::byte*>(data);
    one().mail[{at(c).rank, to}].emplace_back(first, first + bytes);
    return runtime::nccl_done;
  }
  static int receive(void* data, std::size_t bytes, int, int from, runtime::nccl_communicator c,
                     void*) {
    const std::lock_guard lock(one().mutex);
    at(c).receives.push_back({from, static_cast<std::byte*>(data), bytes});
    last() = &at(c);
    return runtime::nccl_in_progress;
  }
  static int end_of_group() {
    const std::lock_guard lock(one().mutex);
    if (last() != nullptr) ++last()->groups;
    return runtime::nccl_in_progress;
  }
  /// The communicator of this thread.
  static member*& last() {
    static thread_local member* it = nullptr;
    return it;
  }
};

inline runtime::found_nccl stand_in_nccl::found() {
  runtime::nccl_library it;
  it.version = 22809;
  it.file = "a stand-in";
  it.error_text = [](int result) {
    return result == no_remote ? "a rank is gone" : "the system says no";
  };
  it.last_error = [](runtime::nccl_communicator) { return "socket closed"; };
  it.make_id = [](runtime::nccl_id*) -> int { return runtime::nccl_done; };
  it.begin = begin;
  it.finalise = [](runtime::nccl_communicator) -> int { return runtime::nccl_done; };
  it.destroy = [](runtime::nccl_communicator c) { return leave(c, &stand_in_nccl::destroyed); };
  it.abort = [](runtime::nccl_communicator c) { return leave(c, &stand_in_nccl::aborted); };
  it.state = state;
  it.group_begin = []() -> int { return runtime::nccl_done; };
  it.group_end = end_of_group;
  it.send = send;
  it.receive = receive;
  return {it, ""};
}

}  // namespace teff::inline TEFF_MODE::test
