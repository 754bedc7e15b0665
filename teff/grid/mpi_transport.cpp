// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <thread>

#include <teff/base/decimal.hpp>
#include <teff/grid/mpi_shim.h>
#include <teff/grid/mpi_transport.hpp>

namespace teff::runtime {

namespace {

enum tag { of_messages = 1, to_root = 2, from_root = 3, of_notes = 4 };
constexpr int the_root = 0;
constexpr char has_failed_note = 'f', has_ended_note = 'e';
/// Such a note is under way at once, before anybody asks for it. @source Open MPI 4.1, eager limit
/// of 4 KiB between processes of a machine
constexpr std::size_t longest_text = 2000;

using clock = std::chrono::steady_clock;

clock::duration from_seconds(double seconds) {
  return std::chrono::duration_cast<clock::duration>(
      std::chrono::duration<double>(std::min(seconds, 1e8)));
}

/// Between two looks others may have the core: at once, and all of it where it takes longer, or
/// where somebody took it. (Who sleeps is woken before those that compute; who yields waits until
/// their time is over: of two ranks on a core that a third program uses, 2.2 ms an exchange, not
/// 0.2.)
class pause {
 public:
  void take() {
    using std::chrono::microseconds;
    static thread_local clock::time_point is_shared_until{};
    const auto now = clock::now();
    if (++looks_ > 2000 || now < is_shared_until) {
      std::this_thread::sleep_for(microseconds(looks_ < 20000 ? 20 : 500));
      return;
    }
    std::this_thread::yield();
    if (clock::now() - now > microseconds(200))
      is_shared_until = clock::now() + std::chrono::milliseconds(20);
  }

 private:
  int looks_ = 0;
};

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

int as_count(std::size_t bytes) {
  if (bytes > INT_MAX)
    throw error("grid: numbers of " + std::to_string(bytes) +
                " bytes in all are more than MPI sends at once, 2147483647");
  return static_cast<int>(bytes);
}

/// "iterate" of "iterate; it failed: ...".
std::string call_in(const std::string& what) {
  return what.substr(0, what.find(';'));
}

}  // namespace

mpi_transport::mpi_transport(const teff_mpi& mpi, void* opened) : mpi_(mpi), opened_(opened) {
  int ranks = 1;
  check(mpi_.place(opened_, &rank_, &ranks));
  ended_.assign(static_cast<std::size_t>(ranks), false);
  int first = 0;
  check(mpi_.machine(opened_, &first));
  const auto all = all_gather("grid", &first, sizeof first);
  for (const std::vector<std::byte>& one : *all) {
    std::memcpy(&first, one.data(), sizeof first);
    machine_of_.push_back(first);
  }
  std::vector<int> machines = machine_of_;
  std::sort(machines.begin(), machines.end());
  machines_ = static_cast<int>(std::unique(machines.begin(), machines.end()) - machines.begin());
}

int mpi_transport::rank_on_machine() const {
  const auto end = machine_of_.begin() + rank_;
  return static_cast<int>(std::count(machine_of_.begin(), end, *end));
}

void mpi_transport::check(int code) const {
  if (code == 0) return;
  char text[1000];
  mpi_.error_text(code, text, sizeof text);
  throw error("grid: rank " + std::to_string(rank_) + ": " + mpi_.name + " says: " + text);
}

void mpi_transport::throw_failed() const {
  if (failed_ == rank_) throw error(failed_kind_, "grid: this rank has failed before: " + why_);
  throw error(failed_kind_, "grid: rank " + std::to_string(failed_) +
                                " failed, which ends the grid on rank " + std::to_string(rank_) +
                                ", too: " + why_);
}

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

void mpi_transport::begin_call() {
  if (mpi_.state() != teff_mpi_in_use)
    throw error(failure::usage, "grid: MPI has been finalised, so rank " + std::to_string(rank_) +
                                    " has no others any more; use grids before MPI_Finalize");
  read_notes();
  if (has_failed()) throw_failed();
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
  const auto end = clock::now() + from_seconds(seconds_);
  pause between;
  for (int is_done = 0;;) {  // it is there, or its first bytes are
    check(mpi_.test(request, &is_done));
    if (is_done != 0) return all;
    if (clock::now() > end)
      throw error("grid: rank " + std::to_string(rank_) + " has waited for " +
                  decimal(seconds_, 3) + " s: of numbers from rank " + std::to_string(from) +
                  " only the first have come");
    between.take();
  }
}

void mpi_transport::abort(std::exception_ptr why) noexcept {
  if (has_failed()) return;
  failed_ = rank_;
  try {
    std::rethrow_exception(why);
  } catch (const error& e) {
    failed_kind_ = e.kind();
    why_ = e.what();
  } catch (const std::exception& e) {
    why_ = e.what();
  } catch (...) {
    why_ = "it threw what is no std::exception";
  }
  if (mpi_.state() != teff_mpi_in_use) return;
  send_notes(has_failed_note, static_cast<int>(failed_kind_), why_);
  drop_pieces();
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

void mpi_transport::wait_until(double seconds, const std::function<bool()>& is_done,
                               const std::function<int()>& missing,
                               const std::function<std::string()>& what) {
  /// What a rank sent before it ended may come a little later.
  constexpr double after_the_end_s = 0.1;
  const auto begin = clock::now();
  auto seen_ended = clock::time_point::max();
  pause between;
  for (int look = 0; !is_done(); ++look) {
    if (look % 16 == 0) {
      read_notes();
      if (has_failed()) {
        if (is_done()) return;  // what all have come to holds, whatever happens after it
        throw_failed();
      }
      const auto now = clock::now();
      const int rank = missing();
      if (rank < 0 || !ended_[static_cast<std::size_t>(rank)])
        seen_ended = clock::time_point::max();
      else if (seen_ended == clock::time_point::max())
        seen_ended = now;
      else if (now - seen_ended > from_seconds(after_the_end_s))
        throw error("grid: rank " + std::to_string(rank_) + " waits for rank " +
                    std::to_string(rank) + ", which has ended: " + what());
      if (now - begin > from_seconds(seconds))
        throw error("grid: rank " + std::to_string(rank_) + " has waited for " +
                    decimal(seconds_, 3) + " s: " + what());
    }
    between.take();
  }
}

// ---- messages

/// A message goes in pieces, of which the last one is never a whole one: it says where the message
/// ends, which the receiver compares.
void mpi_transport::add_pieces(const message& one, bool is_received) {
  for (std::size_t at = 0;; at += most_at_once_) {
    const std::size_t bytes = std::min(one.bytes - at, most_at_once_);
    piece& made = pieces_.emplace_back(
        piece{nullptr, one.data + at, bytes, is_received, one.rank, one.what, at, one.bytes});
    if (!is_received)
      check(mpi_.send(opened_, made.data, as_count(bytes), one.rank, of_messages, &made.request));
    if (bytes < most_at_once_) return;
  }
}

/// A piece that has come is received, by its length: MPI does not tell of a shorter one, and ends
/// the program for a longer one. (So too no buffer is MPI's before there is something for it.)
/// @throws error for another length
void mpi_transport::receive_if_there(piece& one, const std::string& place) {
  int from = one.rank, count = 0;
  check(mpi_.look(opened_, of_messages, &from, &count));
  if (from < 0) return;
  if (static_cast<std::size_t>(count) == one.bytes) {
    check(mpi_.receive(opened_, one.data, count, one.rank, of_messages, &one.request));
    return;
  }
  const bool is_whole = one.all < most_at_once_ || static_cast<std::size_t>(count) < one.bytes;
  throw error("grid: rank " + std::to_string(rank_) + " expected " + std::to_string(one.all) +
              " bytes from rank " + std::to_string(one.rank) + ", got " +
              (is_whole ? std::to_string(one.begin + static_cast<std::size_t>(count)) : "more") +
              ": " + *one.what + ", " + place);
}

/// Takes out what is done.
void mpi_transport::finish_pieces(const std::string& place) {
  std::vector<bool> waits_for(ended_.size(), false);  // pieces come in order
  for (std::size_t i = 0; i < pieces_.size();) {
    piece& one = pieces_[i];
    int is_done = 0;
    if (one.request == nullptr && !waits_for[static_cast<std::size_t>(one.rank)])
      receive_if_there(one, place);
    if (one.request != nullptr)
      check(mpi_.test(one.request, &is_done));
    else
      waits_for[static_cast<std::size_t>(one.rank)] = true;
    if (is_done != 0)
      pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
}

void mpi_transport::post(const std::vector<message>& sends, const std::vector<message>& receives) {
  try {
    begin_call();
    for (const message& one : receives) add_pieces(one, true);
    for (const message& one : sends) add_pieces(one, false);
  } catch (...) {
    abort(std::current_exception());
    drop_pieces();  // also where another rank has failed
    throw;
  }
}

/// After an error buffers may go: what is under way gets a little time to arrive.
void mpi_transport::drop_pieces() noexcept {
  std::erase_if(pieces_, [](const piece& one) { return one.request == nullptr; });
  const auto end = clock::now() + std::chrono::milliseconds(200);
  pause between;
  while (!pieces_.empty() && clock::now() < end) {
    std::erase_if(pieces_, [&](const piece& one) {
      int is_done = 0;
      return mpi_.test(one.request, &is_done) != 0 || is_done != 0;
    });
    between.take();
  }
  pieces_.clear();
}

void mpi_transport::wait(const std::string& place) {
  const auto missing = [&]() -> const piece* {
    for (const piece& one : pieces_)
      if (one.is_received) return &one;
    return pieces_.empty() ? nullptr : &pieces_.front();
  };
  try {
    wait_until(
        seconds_,
        [&] {
          finish_pieces(place);
          return pieces_.empty();
        },
        [&] { return missing() == nullptr ? -1 : missing()->rank; },
        [&] {
          const piece& one = *missing();
          return one.is_received ? *one.what + " has not come from rank " +
                                       std::to_string(one.rank) + ", " + place
                                 : "others have not read what it sent, " + place;
        });
  } catch (...) {
    abort(std::current_exception());
    drop_pieces();
    throw;
  }
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
      missing,
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
        [] { return the_root; },
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
