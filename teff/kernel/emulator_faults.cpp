// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include <teff/kernel/detail/emulated_block.hpp>

namespace teff::runtime {

namespace {

/// "5" of a launch along x alone, "(5,0,2)" else.
template <class N>
std::string numbers(const N (&n)[3], const N (&of)[3]) {
  if (of[1] == 1 && of[2] == 1) return std::to_string(n[0]);
  return "(" + std::to_string(n[0]) + "," + std::to_string(n[1]) + "," + std::to_string(n[2]) + ")";
}

[[noreturn]] void throw_for(const emulated_launch& launch, const std::string& what) {
  throw error("block kernel launched" + at(launch.where) + ": " + what);
}

const char* name_of(warp_operation operation) {
  switch (operation) {
    case warp_operation::shuffle:
      return "shuffle";
    case warp_operation::shuffle_up:
      return "shuffle_up";
    case warp_operation::shuffle_down:
      return "shuffle_down";
    case warp_operation::shuffle_xor:
      return "shuffle_xor";
    case warp_operation::ballot:
      return "ballot";
    case warp_operation::any:
      return "any";
    case warp_operation::all:
      return "all";
    case warp_operation::sync:
      break;
  }
  return "warp().sync";
}

/// Where a thread is, in words.
std::string doing(const fiber_thread& thread) {
  switch (thread.state) {
    case thread_state::ready:
      return "polling or running";
    case thread_state::at_barrier:
      return "in sync()" + at(thread.where);
    case thread_state::in_warp_operation:
      return "in " + std::string(name_of(thread.operation)) + "()" + at(thread.where);
    case thread_state::waiting:
      return "in wait_until()" + at(thread.where);
    case thread_state::done:
      break;
  }
  return "returned";
}

/// Threads that are in the same call of the source, but in another copy of it than the first one.
constexpr const char* in_other_copy = ", called from another place";

std::string doing(const fiber_thread& thread, const fiber_thread& first) {
  const std::string what = doing(thread);
  const bool is_call =
      thread.state == thread_state::at_barrier || thread.state == thread_state::in_warp_operation;
  return is_call && what == doing(first) && is_other_copy(thread, first) ? what + in_other_copy
                                                                         : what;
}

/// "threads 0, 1, 2 and 29 more in sync() at f:7; thread 40 returned".
std::string survey(const fiber_thread* first, int n) {
  std::map<std::string, std::pair<int, std::string>>
      groups;  // by what they do: how many, the first
  for (int t = 0; t < n; ++t) {
    auto& [count, names] = groups[doing(first[t], *first)];
    if (++count <= 3)
      names += (count > 1 ? ", " : "") + numbers(first[t].thread, first[t].launch->threads);
  }
  std::string text;
  for (const auto& [what, group] : groups) {
    text += (text.empty() ? "" : "; ") + std::string(group.first > 1 ? "threads " : "thread ") +
            group.second;
    if (group.first > 3) text += " and " + std::to_string(group.first - 3) + " more";
    text += " " + what;
  }
  return text;
}

std::string survey(const emulated_block& block) {
  return survey(block.threads.data(), static_cast<int>(block.threads.size()));
}

/// What to do about a call that is there twice; "" if that is not what went wrong.
std::string advice_on_copies(const std::string& survey) {
  if (survey.find(in_other_copy) == std::string::npos) return "";
  return "; a function that both sides of a branch call is there twice on a GPU: call it once, "
         "after "
         "the branch, with what the sides chose";
}

std::string block_name(const emulated_block& block) {
  return "block " + numbers(block.index, block.launch->blocks);
}

}  // namespace

std::string at(site where) {
  return " at " + std::string(where.file) + ":" + std::to_string(where.line);
}

std::string thread_name(const emulated_thread& thread) {
  return "thread " + numbers(thread.thread, thread.launch->threads);
}

void throw_fault(const emulated_thread& thread, const std::string& what) {
  throw_for(*thread.launch, "block " + numbers(thread.block, thread.launch->blocks) + ", " +
                                thread_name(thread) + ": " + what);
}

void throw_barrier_fault(const emulated_block& block) {
  const int done = block.in(thread_state::done);
  const std::string threads = survey(block), copies = advice_on_copies(threads);
  throw_for(
      *block.launch,
      block_name(block) + ": " +
          (done > 0 ? std::to_string(done) + (done == 1 ? " thread" : " threads") +
                          " returned before a barrier that others wait at: "
                    : "threads wait at different barriers: ") +
          threads +
          (!copies.empty() ? copies
           : done > 0 ? "; let every thread come to each sync(), and only skip the work between"
                      : "; call the same sync() outside of what only some threads do"));
}

void throw_warp_fault(const emulated_warp& warp) {
  const std::string lanes = survey(warp.first, warp.lanes), copies = advice_on_copies(lanes);
  throw_for(
      *warp.owner->launch,
      block_name(*warp.owner) + ": the lanes of warp " + std::to_string(warp.index) +
          " diverge in a warp operation: " + lanes +
          (copies.empty() ? "; let all lanes of a warp come to the same operation, and choose "
                            "what to do with its result"
                          : copies));
}

void throw_deadlock(const std::vector<std::unique_ptr<emulated_block>>& resident,
                    index_t not_started, index_t quiet_rounds) {
  std::vector<const emulated_block*> blocks;
  blocks.reserve(resident.size());
  for (const auto& block : resident) blocks.push_back(block.get());
  std::sort(blocks.begin(), blocks.end(), [](const auto* a, const auto* b) {
    return std::lexicographical_compare(std::rbegin(a->index), std::rend(a->index),
                                        std::rbegin(b->index), std::rend(b->index));
  });
  std::string text = quiet_rounds == 0
                         ? "deadlock: no resident thread can go on: "
                         : "deadlock: nothing that resident threads poll has changed in " +
                               std::to_string(quiet_rounds) +
                               " rounds (quiet_rounds of the emulation): ";
  constexpr std::size_t most = 4;
  for (std::size_t b = 0; b < std::min(most, blocks.size()); ++b)
    text += (b > 0 ? "; " : "") + block_name(*blocks[b]) + ": " + survey(*blocks[b]);
  if (blocks.size() > most) text += "; " + std::to_string(blocks.size() - most) + " more blocks";
  text += "; blocks that have not started: " + std::to_string(not_started) +
          ". Publish what is waited for on every path, and wait only for blocks "
          "that have surely started: number them by a ticket (blk.atomic_add), not by blk.index()";
  throw_for(*blocks.front()->launch, text);
}

}  // namespace teff::runtime
