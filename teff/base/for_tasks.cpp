// SPDX-License-Identifier: MIT
#include <teff/base/for_tasks.hpp>

namespace teff::runtime {

void for_tasks(index_t tasks, bool in_parallel, index_t at_once, task_body body, const void* f) {
  if (!in_parallel || tasks < 2) {
    for (index_t task = 0; task < tasks; ++task) body(f, task);
  } else if (at_once > 0) {
#pragma omp parallel for schedule(dynamic, at_once)
    for (index_t task = 0; task < tasks; ++task) body(f, task);
  } else {
#pragma omp parallel for schedule(static)
    for (index_t task = 0; task < tasks; ++task) body(f, task);
  }
}

}  // namespace teff::runtime
