// SPDX-License-Identifier: MIT
#include <algorithm>
#include <climits>
#include <cstring>

#include <teff/base/decimal.hpp>
#include <teff/grid/transport/mpi_shim.h>
#include <teff/grid/transport/mpi_transport.hpp>
#include <teff/grid/transport/pause.hpp>

namespace teff::runtime {

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

int mpi_transport::as_count(std::size_t bytes) {
  if (bytes > INT_MAX)
    throw error("grid: numbers of " + std::to_string(bytes) +
                " bytes in all are more than MPI sends at once, 2147483647");
  return static_cast<int>(bytes);
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

void mpi_transport::begin_call() {
  if (mpi_.state() != teff_mpi_in_use)
    throw error(failure::usage, "grid: MPI has been finalised, so rank " + std::to_string(rank_) +
                                    " has no others any more; use grids before MPI_Finalize");
  read_notes();
  if (has_failed()) throw_failed();
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

void mpi_transport::wait_until(double seconds, const std::function<bool()>& is_done,
                               const std::function<std::vector<int>()>& missing,
                               const std::function<std::string()>& what) {
  /// What a rank sent before it ended may come a little later.
  constexpr double after_the_end_s = 0.1;
  const auto begin = waiting_clock::now();
  auto seen_ended = waiting_clock::time_point::max();
  pause between;
  for (int look = 0; !is_done(); ++look) {
    if (look % 16 == 0) {
      read_notes();
      if (has_failed()) {
        if (is_done()) return;  // what all have come to holds, whatever happens after it
        throw_failed();
      }
      const auto now = waiting_clock::now();
      const std::vector<int> others = missing();
      const auto rank = std::find_if(others.begin(), others.end(), [&](int one) {
        return ended_[static_cast<std::size_t>(one)];
      });
      if (rank == others.end())
        seen_ended = waiting_clock::time_point::max();
      else if (seen_ended == waiting_clock::time_point::max())
        seen_ended = now;
      else if (now - seen_ended > from_seconds(after_the_end_s))
        throw error("grid: rank " + std::to_string(rank_) + " waits for rank " +
                    std::to_string(*rank) + ", which has ended: " + what());
      if (now - begin > from_seconds(seconds))
        throw error("grid: rank " + std::to_string(rank_) + " has waited for " +
                    decimal(seconds_, 3) + " s: " + what());
    }
    between.take();
  }
}

void mpi_transport::wait_until(const std::function<bool()>& is_done, const std::vector<int>& others,
                               const std::function<std::string()>& what) {
  try {
    wait_until(
        seconds_, is_done, [&] { return others; }, what);
  } catch (...) {
    abort(std::current_exception());
    throw;
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
  const auto end = waiting_clock::now() + std::chrono::milliseconds(200);
  pause between;
  while (!pieces_.empty() && waiting_clock::now() < end) {
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
        [&] {
          return missing() == nullptr ? std::vector<int>{} : std::vector<int>{missing()->rank};
        },
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

}  // namespace teff::runtime
