// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace teff::lab {

/// How two ranks that are threads of a process exchange halos, measured in some 10 ms: "latency 8.1
/// us, 6.2 GB/s".
std::string rank_link_text();

/// Whose memory a GPU uses in place: "cuda:1, cuda:2; cuda:3 by the host". @param gpu its ordinal
/// @param reaches by ordinal
std::string reach_text(int gpu, const std::vector<bool>& reaches);

/// Several processes that measure would disturb each other, and write to the same files.
/// @throws error (usage) in a job that has several
void refuse_processes();

}  // namespace teff::lab
