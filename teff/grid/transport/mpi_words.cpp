// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include <teff/base/decimal.hpp>
#include <teff/grid/transport/mpi_shim.h>
#include <teff/grid/transport/mpi_transport.hpp>
#include <teff/grid/transport/pause.hpp>

/// What ranks say to each other beside messages: who has failed, who has ended; numbers of all.
namespace teff::runtime {

namespace {

/// Such a note is under way at once, before anybody asks for it. @source Open MPI 4.1, eager limit
/// of 4 KiB between processes of a machine
constexpr std::size_t longest_text = 2000;

void add(std::vector<std::byte>& to, const void* data, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(data);
  to.insert(to.end(), first, first + bytes);
}
void add_size(std::vector<std::byte>& to, std::size_t size) {
  const auto all = static_cast<std::uint64_t>(size);
  add(to, &all, sizeof all);
}
std::size_t take_size(const std::byte*& from) {
  std::uint64_t size = 0;
  std::memcpy(&size, from, sizeof size);
  from += sizeof size;
  return static_cast<std::size_t>(size);
}

/// "iterate" of "iterate; it failed: ...".
std::string call_in(const std::string& what) {
  return what.substr(0, what.find(';'));
}

}  // namespace

// ---- notes: who has failed, who has ended

void mpi_transport::send_notes(char kind, int status, const std::string& text) noexcept {
  try {
    std::vector<std::byte> bytes;
    add(bytes, &kind, 1);
    add(bytes, &status, sizeof status);
    add(bytes, text.data(), std::min(text.size(), longest_text));
    notes_.reserve(static_cast<std::size_t>(ranks()));
    for (int to = 0; to < ranks(); ++to) {
      if (to == rank_) continue;
      note& one = notes_.emplace_back(note{bytes, nullptr});
      if (mpi_.send(opened_, one.bytes.data(), as_count(bytes.size()), to, of_notes,
                    &one.request) != 0)
        notes_.pop_back();
    }
  } catch (...) {  // others find out by their deadline
  }
}

void mpi_transport::read_notes() {
  for (;;) {
    int from = -1, bytes = 0;
    check(mpi_.look(opened_, of_notes, &from, &bytes));
    if (from < 0) return;
    const std::vector<std::byte> all = received(from, of_notes, static_cast<std::size_t>(bytes));
    const char kind = static_cast<char>(all[0]);
    int status = 0;
    std::memcpy(&status, all.data() + 1, sizeof status);
    if (kind == has_ended_note) ended_[static_cast<std::size_t>(from)] = true;
    if (kind != has_failed_note || has_failed()) continue;
    failed_ = from;
    failed_kind_ = static_cast<failure>(status);
    const std::byte* const text = all.data() + 1 + sizeof status;
    why_.assign(reinterpret_cast<const char*>(text),
                all.size() - static_cast<std::size_t>(text - all.data()));
  }
}

std::vector<std::byte> mpi_transport::received(int from, int tag, std::size_t bytes) {
  std::vector<std::byte> all(bytes);
  void* request = nullptr;
  check(mpi_.receive(opened_, all.data(), as_count(bytes), from, tag, &request));
  const auto end = waiting_clock::now() + from_seconds(seconds_);
  pause between;
  for (int is_done = 0;;) {  // it is there, or its first bytes are
    check(mpi_.test(request, &is_done));
    if (is_done != 0) return all;
    if (waiting_clock::now() > end)
      throw error("grid: rank " + std::to_string(rank_) + " has waited for " +
                  decimal(seconds_, 3) + " s: of numbers from rank " + std::to_string(from) +
                  " only the first have come");
    between.take();
  }
}

void mpi_transport::end() noexcept {
  send_notes(has_ended_note, 0, "");
  ended_[static_cast<std::size_t>(rank_)] = true;
}

bool mpi_transport::have_all_ended() noexcept {
  try {
    read_notes();
    for (note& one : notes_) {
      int is_done = one.request == nullptr;
      if (is_done == 0) check(mpi_.test(one.request, &is_done));
      if (is_done == 0) return false;
      one.request = nullptr;
    }
  } catch (...) {
    return false;
  }
  return std::find(ended_.begin(), ended_.end(), false) == ended_.end();
}

// ---- numbers: to the root, which knows who is missing, and back

void mpi_transport::gather_at_root(const std::string& what, words_of_ranks& words) {
  std::vector<bool> has_come(ended_.size(), false);
  has_come[the_root] = true;
  std::string other;
  int caller = the_root;
  const auto missing = [&] {
    const auto first = std::find(has_come.begin(), has_come.end(), false);
    return first == has_come.end() ? -1 : static_cast<int>(first - has_come.begin());
  };
  wait_until(
      seconds_,
      [&] {
        for (;;) {
          int from = -1, bytes = 0;
          check(mpi_.look(opened_, to_root, &from, &bytes));
          if (from < 0) break;
          const auto all = received(from, to_root, static_cast<std::size_t>(bytes));
          const std::byte* at = all.data();
          const std::size_t length = take_size(at);
          const std::string call(reinterpret_cast<const char*>(at), length);
          at += length;
          words[static_cast<std::size_t>(from)].assign(at, all.data() + all.size());
          has_come[static_cast<std::size_t>(from)] = true;
          if (caller == the_root && call_in(call) != call_in(what)) {
            caller = from;
            other = call;
          }
        }
        return missing() < 0;
      },
      [&] { return missing() < 0 ? std::vector<int>{} : std::vector<int>{missing()}; },
      [&] {
        return what + " is called by every rank, but not by rank " + std::to_string(missing());
      });
  if (caller != the_root)
    throw error("grid: every rank makes the same calls, in the same order, but rank " +
                std::to_string(the_root) + " calls " + what + " and rank " +
                std::to_string(caller) + " " + other);
}

std::shared_ptr<const words_of_ranks> mpi_transport::all_gather(const std::string& what,
                                                                const void* data,
                                                                std::size_t bytes) {
  constexpr double for_the_root_to_say_it_s = 0.5;
  const auto words = std::make_shared<words_of_ranks>(ended_.size());
  add((*words)[static_cast<std::size_t>(rank_)], data, bytes);
  std::vector<std::byte> all;
  try {
    begin_call();
    if (rank_ == the_root) {
      gather_at_root(what, *words);
      for (const std::vector<std::byte>& one : *words) {
        add_size(all, one.size());
        add(all, one.data(), one.size());
      }
      for (int to = 1; to < ranks(); ++to) {
        piece sent{nullptr, all.data(), all.size(), false, to, &what, 0, all.size()};
        check(mpi_.send(opened_, all.data(), as_count(all.size()), to, from_root, &sent.request));
        pieces_.push_back(sent);
      }
      wait(what);
      return words;
    }
    add_size(all, what.size());
    add(all, what.data(), what.size());
    add(all, data, bytes);
    piece sent{nullptr, all.data(), all.size(), false, the_root, &what, 0, all.size()};
    check(mpi_.send(opened_, all.data(), as_count(all.size()), the_root, to_root, &sent.request));
    pieces_.push_back(sent);
    int from = -1, count = 0;
    wait_until(
        seconds_ + for_the_root_to_say_it_s,
        [&] {
          finish_pieces(what);
          if (from < 0) check(mpi_.look(opened_, from_root, &from, &count));
          return from >= 0 && pieces_.empty();
        },
        [] { return std::vector<int>{the_root}; },
        [&] {
          return what + " is called by every rank, but not by rank " + std::to_string(the_root);
        });
    const auto back = received(from, from_root, static_cast<std::size_t>(count));
    const std::byte* at = back.data();
    for (std::vector<std::byte>& one : *words) {
      const std::size_t size = take_size(at);
      one.assign(at, at + size);
      at += size;
    }
    return words;
  } catch (...) {
    abort(std::current_exception());
    drop_pieces();
    throw;
  }
}

}  // namespace teff::runtime
