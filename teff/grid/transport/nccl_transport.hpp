// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <teff/base/device.hpp>
#include <teff/base/stream.hpp>
#include <teff/grid/transport/nccl_library.hpp>
#include <teff/grid/transport/transport.hpp>

/// Messages between the GPUs of ranks by NCCL, over a transport that does all else. Where NCCL can
/// not be used by all of them, it says why, and messages go by the host, as they do without it.
namespace teff::runtime {

/// One rank's part in it.
struct nccl_rank {
  const found_nccl& nccl;
  device dev;
  std::string gpu;  ///< its UUID
};

class nccl_transport : public transport {
 public:
  /// Collective. All ranks use NCCL then, with connections that are made, or none does. Their
  /// deadline is to be set anew.
  /// @throws error where `over` does
  nccl_transport(std::shared_ptr<transport> over, const nccl_rank& mine);
  ~nccl_transport() override { end(); }
  nccl_transport(const nccl_transport&) = delete;
  nccl_transport& operator=(const nccl_transport&) = delete;

  int rank() const override { return over_->rank(); }
  int ranks() const override { return over_->ranks(); }
  int machines() const override { return over_->machines(); }
  int rank_on_machine() const override { return over_->rank_on_machine(); }
  /// "processes by MPI, messages by NCCL 2.28.9", "processes by MPI, staged: TEFF_NCCL is off".
  const char* name() const override { return name_.c_str(); }
  bool reaches_gpus() const override { return uses_nccl_; }

  /// @throws error where a message of before has not come
  void post(const std::vector<message>& sends, const std::vector<message>& receives) override;
  void wait(const std::string& place) override;
  void finish() override;
  void wait_until(const std::function<bool()>& is_done, const std::vector<int>& others,
                  const std::function<std::string()>& what) override;
  std::shared_ptr<const words_of_ranks> all_gather(const std::string& what, const void* data,
                                                   std::size_t bytes) override;
  void limit_waiting(double seconds) override { over_->limit_waiting(seconds); }
  void abort(std::exception_ptr why) noexcept override;

  /// NCCL is left, before the program ends.
  void end() noexcept;

 private:
  /// A message that has been posted, and has perhaps not come.
  struct awaited {
    int rank;
    std::string what;
  };

  std::string agreed_reason(const std::string& mine);
  void begin(const nccl_id& id);
  void connect();
  void enqueue(const std::vector<message>& sends, const std::vector<message>& receives);
  void check(int result, const char* call) const;  ///< @throws error in NCCL's words
  bool is_enqueued() const;
  bool has_arrived() const;
  void wait_for(bool (nccl_transport::*is_done)() const);
  std::string late_text() const;
  void drop() noexcept;
  /// What ends this rank's part where it throws.
  template <class Call>
  auto ending(const Call& call);

  std::shared_ptr<transport> over_;
  const nccl_library nccl_;
  std::string name_;
  bool uses_nccl_ = false;
  nccl_communicator communicator_ = nullptr;
  stream messages_;  ///< all of them in its order
  // of the last post that had some on GPUs
  std::vector<awaited> awaited_;
  std::vector<int> others_;
  std::vector<stream> waiting_;  ///< for them
  std::string place_;
  bool is_posted_ = false;  ///< and not waited for
  bool is_under_way_ = false;
};

/// Why not all ranks can use NCCL, from what each says; "" if they can.
struct nccl_candidate {
  std::string gpu, version, why_not;
};
std::string why_no_nccl(const std::vector<nccl_candidate>& by_rank);

}  // namespace teff::runtime
