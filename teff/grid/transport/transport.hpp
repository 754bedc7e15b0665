// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <teff/base/stream.hpp>

/// How ranks talk to each other, whatever lies between them. What travels is in buffers of the
/// grid's own: no transport ever sees a field's memory.
namespace teff::runtime {

/// Bytes to or from another rank. Those of two ranks arrive in the order in which they were posted.
struct message {
  int rank = 0;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  const std::string* what = nullptr;  ///< "halo of 'T' from side -y": for who waits in vain
  /// Of a buffer on a GPU: it is read or written in the order of this stream. Null: on the host.
  const stream* on = nullptr;
};

/// The words that ranks gave together, by rank.
using words_of_ranks = std::vector<std::vector<std::byte>>;

/// One rank's end of it. Calls are collective, unless it is said: every rank makes the same ones in
/// the same order. A call that waits longer than the deadline, or for a rank that has ended or
/// failed, throws.
class transport {
 public:
  virtual ~transport() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  /// That they are on.
  virtual int machines() const { return 1; }
  /// Among the ranks of this rank's machine.
  virtual int rank_on_machine() const { return rank(); }
  /// "threads", "processes by MPI".
  virtual const char* name() const = 0;

  /// Buffers may be on GPUs; else a GPU's messages go by pinned memory.
  virtual bool reaches_gpus() const { return false; }

  /// Messages begin to travel. Buffers are the transport's until wait() returns.
  virtual void post(const std::vector<message>& sends, const std::vector<message>& receives) = 0;
  /// Until all posted messages were received and sent; on GPUs, until their streams will see to
  /// it. @param place "period 17"
  virtual void wait(const std::string& place) = 0;

  /// As wait(), but where ranks can read each other's memory, messages stay where their senders
  /// have put them, and the senders' buffers are theirs again after reclaim() only.
  /// @return where each message to be received lies until give_back(); nothing: in its own buffer
  virtual std::vector<const std::byte*> wait_in_place(const std::string& place) {
    wait(place);
    return {};
  }
  /// What reads them is in their streams.
  virtual void give_back() {}
  /// Until others have given back all that this rank has sent; on GPUs, until their streams will
  /// see to it.
  virtual void reclaim() {}

  /// Until what wait() has left to streams is there, and all that was sent is reclaimed; else
  /// throws as that does.
  virtual void finish() {}
  /// Until `is_done`, which is asked again and again, for what the caller has of other ranks by
  /// another way. Not collective.
  /// @param others ranks that may be late: some may have sent all and ended @param what "the halo
  /// of 'T' has not come"
  virtual void wait_until(const std::function<bool()>& is_done, const std::vector<int>& others,
                          const std::function<std::string()>& what) = 0;

  /// Every rank gives some bytes and sees those of all: for numbers, not for fields.
  /// @param what the call is for; ranks that are in different calls find out by it (up to a `;`)
  virtual std::shared_ptr<const words_of_ranks> all_gather(const std::string& what,
                                                           const void* data, std::size_t bytes) = 0;

  /// How long a call waits for others.
  virtual void limit_waiting(double seconds) = 0;
  /// This rank has failed: whoever waits, or ever calls again, throws. Not collective.
  virtual void abort(std::exception_ptr why) noexcept = 0;
};

}  // namespace teff::runtime
