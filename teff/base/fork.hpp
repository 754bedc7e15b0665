// SPDX-License-Identifier: MIT
#pragma once

/// What fork() leaves behind: threads and a GPU's context stay with the parent.
namespace teff::runtime {

/// True in a process, and in all that it forks, that came by fork() from one with several threads:
/// OpenMP believes that its threads are there still and would wait for them forever.
bool has_lost_threads() noexcept;

/// True in every process that came by fork() without exec after this program had started.
bool is_forked() noexcept;

}  // namespace teff::runtime
