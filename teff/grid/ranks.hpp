// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <teff/base/device.hpp>
#include <teff/base/error.hpp>
#include <teff/grid/transport/transport.hpp>

/// Ranks: the threads that work on one grid together, each on a part of its own.
namespace teff {

/// What a job's ranks are to run on, by rank.
using rank_devices = std::vector<device>;
/// So many threads on the cores of this machine, which they share.
rank_devices cpu_ranks(int count);
/// A rank on each GPU of this machine.
/// @throws error (no_device) where there is none
rank_devices all_gpus();

/// One rank's hold on all: who it is, and what it agrees on with the others. A counted handle.
class ranks {
 public:
  /// This thread alone.
  ranks();
  /// @param dev where this rank's part is; nothing: on the default device
  explicit ranks(std::shared_ptr<runtime::transport> through, std::optional<device> dev = {})
      : through_(std::move(through)), dev_(dev) {}

  int rank() const { return through_->rank(); }
  int count() const { return through_->ranks(); }
  bool is_root() const { return rank() == 0; }
  runtime::transport& through() const { return *through_; }
  const std::shared_ptr<runtime::transport>& shared_transport() const { return through_; }
  const std::optional<device>& dev() const { return dev_; }
  /// The same ranks, with this one's part on a device.
  ranks with_part_on(device dev) const { return ranks(through_, dev); }

  friend bool operator==(const ranks& a, const ranks& b) { return a.through_ == b.through_; }

 private:
  std::shared_ptr<runtime::transport> through_;
  std::optional<device> dev_;
};

/// Calls f once on every rank, each in a thread of its own, and returns when all have: a program on
/// several devices without a launcher. Each has its share of the cores. A GPU may have several
/// ranks.
/// @throws what the rank threw that failed first; the others are ended by it where they wait;
/// error (usage) for no ranks, or some on CPUs and some on GPUs
void run_on(const rank_devices& devices, const std::function<void(const ranks&)>& f);

namespace runtime {

/// What all ranks give, in their order. @param what the call is for
template <class T>
std::vector<T> gathered(const ranks& on, const std::string& what, const T& mine) {
  const auto words = on.through().all_gather(what, &mine, sizeof(T));
  std::vector<T> all(words->size());
  for (std::size_t r = 0; r < all.size(); ++r)
    std::copy_n((*words)[r].data(), sizeof(T), reinterpret_cast<std::byte*>(&all[r]));
  return all;
}

/// Does what may fail on one rank and not on another. Where it fails on all, each throws its own
/// error and the grid goes on; where on some, the grid has ended on all.
/// @param what "iterate"
void agreed(const ranks& on, const std::string& what, const std::function<void()>& work);

/// @throws error on every rank, unless all have the same text. @param whose "the formula"
void require_same(const ranks& on, const std::string& what, const std::string& whose,
                  const std::string& mine);

/// @throws error (usage) on every rank, if the root's text is not ""
void throw_of_root(const ranks& on, const std::string& what, const std::string& why);

/// @throws error on every rank alike, if some rank's text is not "": the text of the first that has
/// one, and its rank, unless all have the same
void throw_of_any(const ranks& on, const std::string& what, const std::string& why,
                  failure kind = failure::runtime);

}  // namespace runtime
}  // namespace teff
