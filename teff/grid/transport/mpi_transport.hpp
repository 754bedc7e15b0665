// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/grid/transport/transport.hpp>

struct teff_mpi;

/// Ranks that are processes under MPI. It is only ever asked whether something is done: who waits
/// sees that another rank has failed or ended, and that its time is over.
namespace teff::runtime {

class mpi_transport : public transport {
 public:
  /// @param opened a communicator of the shim's, on which nobody else sends
  /// @throws error where MPI does
  mpi_transport(const teff_mpi& mpi, void* opened);
  mpi_transport(const mpi_transport&) = delete;
  mpi_transport& operator=(const mpi_transport&) = delete;

  int rank() const override { return rank_; }
  int ranks() const override { return static_cast<int>(ended_.size()); }
  int machines() const override { return machines_; }
  int rank_on_machine() const override;
  const char* name() const override { return "processes by MPI"; }

  void post(const std::vector<message>& sends, const std::vector<message>& receives) override;
  void wait(const std::string& place) override;
  void wait_until(const std::function<bool()>& is_done, const std::vector<int>& others,
                  const std::function<std::string()>& what) override;
  std::shared_ptr<const words_of_ranks> all_gather(const std::string& what, const void* data,
                                                   std::size_t bytes) override;
  void limit_waiting(double seconds) override { seconds_ = seconds; }
  void abort(std::exception_ptr why) noexcept override;

  /// For each rank the least one on its machine.
  const std::vector<int>& machine_of() const { return machine_of_; }
  /// Bytes that MPI is given at once; for tests. Alike on all ranks.
  void limit_pieces(std::size_t bytes) { most_at_once_ = bytes; }

  // ---- when the process ends

  /// The exit status that a failure of some rank asks for; 0: none has failed.
  int failed_status() const { return has_failed() ? static_cast<int>(failed_kind_) : 0; }
  /// This rank makes no more calls.
  void end() noexcept;
  /// Whether all ranks make none any more; it looks.
  bool have_all_ended() noexcept;

 private:
  enum tag { of_messages = 1, to_root = 2, from_root = 3, of_notes = 4 };
  static constexpr int the_root = 0;
  static constexpr char has_failed_note = 'f', has_ended_note = 'e';
  /// A part of a message.
  struct piece {
    void* request;  ///< null: it is to be received and has not come
    std::byte* data;
    std::size_t bytes;
    bool is_received;
    int rank;
    const std::string* what;
    std::size_t begin, all;  ///< in the message; its bytes
  };
  /// A note that goes out, whoever reads it.
  struct note {
    std::vector<std::byte> bytes;
    void* request;
  };

  static int as_count(std::size_t bytes);  ///< @throws error where MPI counts no further
  void check(int code) const;              ///< @throws error in MPI's words
  bool has_failed() const { return failed_ >= 0; }
  [[noreturn]] void throw_failed() const;
  void add_pieces(const message& one, bool is_received);
  void receive_if_there(piece& one, const std::string& place);
  void finish_pieces(const std::string& place);
  void drop_pieces() noexcept;
  void begin_call();
  void read_notes();
  void send_notes(char kind, int status, const std::string& text) noexcept;
  /// Sends, or receives what looks to be there, all at once.
  std::vector<std::byte> received(int from, int tag, std::size_t bytes);

  /// Until `is_done`. @param missing ranks that are waited for and have not come
  /// @throws error: the deadline, a rank that failed, one that is missing and has ended
  void wait_until(double seconds, const std::function<bool()>& is_done,
                  const std::function<std::vector<int>()>& missing,
                  const std::function<std::string()>& what);
  void gather_at_root(const std::string& what, words_of_ranks& words);

  const teff_mpi& mpi_;
  void* opened_;
  int rank_ = 0, machines_ = 1;
  std::vector<int> machine_of_;
  double seconds_ = 120;
  std::size_t most_at_once_ = std::size_t{1} << 30;
  std::vector<piece> pieces_;
  std::vector<bool> ended_;
  std::vector<note> notes_;
  int failed_ = -1;
  failure failed_kind_ = failure::runtime;
  std::string why_;
};

}  // namespace teff::runtime
