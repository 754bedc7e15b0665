// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// Work shared out to the threads of the CPU, by OpenMP.
namespace teff {

/// Below this many cells, waking the threads takes longer than the work.
inline constexpr index_t parallel_cells = 1 << 15;

namespace runtime {

using task_body = void (*)(const void* f, index_t task);
void for_tasks(index_t tasks, bool in_parallel, index_t at_once, task_body body, const void* f);

}  // namespace runtime

/// Calls f(0), f(1), ..., f(tasks - 1), in the default floating-point mode, whatever mode the
/// threads are in. Every parallel region of Teff is this one.
/// @param in_parallel by all threads; else by this one, and then without a region of OpenMP, which
///     takes half a microsecond even for one thread. A process that lost its threads by fork() does
///     all by this one.
/// @param at_once 0: every thread has one range of the tasks, the same in every call; else it takes
///     so many whenever it has none left, for tasks that differ in length
/// @throws what the lowest task throws, of all that throw; tasks after it may be left out
template <class F>
void for_tasks(index_t tasks, bool in_parallel, const F& f, index_t at_once = 0) {
  // By address: f's code is there once, not once a region and once without.
  runtime::for_tasks(
      tasks, in_parallel, at_once,
      [](const void* body, index_t task) { (*static_cast<const F*>(body))(task); }, &f);
}

}  // namespace teff
