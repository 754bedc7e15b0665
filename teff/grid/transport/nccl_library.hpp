// SPDX-License-Identifier: MIT
#pragma once

#include <climits>
#include <cstddef>
#include <string>

/// NCCL, loaded at run time: the few functions of it that carry messages between GPUs.
namespace teff::runtime {

/// What they return; NCCL has more numbers, all of which are errors.
enum nccl_result : int { nccl_done = 0, nccl_in_progress = 7 };

/// One communicator, known to all its ranks.
struct nccl_id {
  char bytes[128];
};

/// What of a communicator is asked for, as NCCL has it from 2.18 on; INT_MIN: it chooses.
struct nccl_config {
  std::size_t size = sizeof(nccl_config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21800;  ///< of these members: later ones are not there
  int blocking = INT_MIN;
  int cluster_size = INT_MIN;
  int least_blocks = INT_MIN, most_blocks = INT_MIN;  ///< of a kernel
  const char* network = nullptr;
  int shares_on_split = INT_MIN;
  int not_there = INT_MIN;  ///< the next version's first, where this one ends
};

using nccl_communicator = void*;

struct nccl_library {
  int version = 0;   ///< 22809: 2.28.9
  std::string file;  ///< where it is

  const char* (*error_text)(int) = nullptr;
  const char* (*last_error)(nccl_communicator) = nullptr;
  int (*make_id)(nccl_id*) = nullptr;
  int (*begin)(nccl_communicator*, int ranks, nccl_id, int rank, nccl_config*) = nullptr;
  int (*finalise)(nccl_communicator) = nullptr;
  int (*destroy)(nccl_communicator) = nullptr;
  int (*abort)(nccl_communicator) = nullptr;
  int (*state)(nccl_communicator, int*) = nullptr;
  int (*group_begin)() = nullptr;
  int (*group_end)() = nullptr;
  /// `type` 0: bytes.
  int (*send)(const void*, std::size_t, int type, int to, nccl_communicator,
              void* stream) = nullptr;
  int (*receive)(void*, std::size_t, int type, int from, nccl_communicator, void* stream) = nullptr;

  /// "2.28.9".
  std::string version_text() const;
};

/// The oldest that will do.
inline constexpr int least_nccl_version = 21800;

/// The library, or why it is not used.
struct found_nccl {
  nccl_library library;
  std::string why_not;
};
/// @param missing the first function that it has not, or ""
std::string why_not_that(const nccl_library& of, const std::string& missing);
/// @param asked as TEFF_NCCL has it: "": where the loader finds libnccl.so.2; "off"; a file, or
/// the folder that has libnccl.so.2
found_nccl load_nccl(const std::string& asked);
/// By TEFF_NCCL; loaded once.
const found_nccl& this_nccl();

}  // namespace teff::runtime
