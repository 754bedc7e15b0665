// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <teff/grid/transport/transport.hpp>

/// Messages with a header that says which one it is, of how many bytes and with what sum: one that
/// was lost or damaged on the way ends the grid, where without it wrong cells would come. For
/// networks in doubt, and for tests.
namespace teff::runtime {

class checked_transport : public transport {
 public:
  explicit checked_transport(std::shared_ptr<transport> through) : through_(std::move(through)) {}

  int rank() const override { return through_->rank(); }
  int ranks() const override { return through_->ranks(); }
  int machines() const override { return through_->machines(); }
  int rank_on_machine() const override { return through_->rank_on_machine(); }
  const char* name() const override { return through_->name(); }
  void post(const std::vector<message>& sends, const std::vector<message>& receives) override;
  void wait(const std::string& place) override;
  void finish() override { through_->finish(); }
  void wait_until(const std::function<bool()>& is_done, const std::vector<int>& others,
                  const std::function<std::string()>& what) override {
    through_->wait_until(is_done, others, what);
  }
  std::shared_ptr<const words_of_ranks> all_gather(const std::string& what, const void* data,
                                                   std::size_t bytes) override {
    return through_->all_gather(what, data, bytes);
  }
  void limit_waiting(double seconds) override { through_->limit_waiting(seconds); }
  void abort(std::exception_ptr why) noexcept override { through_->abort(std::move(why)); }

 private:
  struct header {
    std::uint64_t number, bytes, sum, sum_of_header;
  };
  struct received {
    message asked;
    std::vector<std::byte> buffer;
  };
  void check(const received& one, const std::string& place);

  std::shared_ptr<transport> through_;
  std::vector<std::vector<std::byte>> sent_;  // until wait() returns
  std::vector<received> received_;
  std::map<int, std::uint64_t> sent_to_, received_from_;  // messages by rank
};

/// The same transport, or a checked one where the environment has TEFF_CHECK_MESSAGES=1.
std::shared_ptr<transport> checked_if_asked(std::shared_ptr<transport> through);

}  // namespace teff::runtime
