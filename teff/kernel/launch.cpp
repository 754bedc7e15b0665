// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/error.hpp>
#include <teff/kernel/emulator.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/kernel/no_kernel.hpp>
#include <teff/kernel/profile.hpp>

namespace teff::runtime {

void launch_over(const stream& on, const index_t* cells, int rank, const launch_shape& threads,
                 const kernel_bytes& bytes, const index_kernel& kernel) {
  bool is_empty = false;
  for (int d = 0; d < rank; ++d) {
    if (cells[d] < 0)
      throw error("negative extent: a launch over " + extents_text(cells, rank) +
                  " cells; every extent must be 0 or more");
    is_empty = is_empty || cells[d] == 0;
  }
  if (is_empty) return;
  const device dev = on.dev();
  const bool is_emulated = dev.is_cpu() && is_emulating();
  const launch_shape shape =
      dev.is_cpu() && !is_emulated ? launch_shape{} : legal_shape(dev, threads, cells, rank);
  profiled_call call(on, is_emulated ? "launch, emulated" : "launch", [&] {
    traffic moved;
    moved.read_bytes = bytes.reads < 0 ? 0.0 : static_cast<double>(bytes.reads);
    moved.write_bytes = bytes.writes < 0 ? 0.0 : static_cast<double>(bytes.writes);
    return call_description{"", extents_text(cells, rank) + " cells", moved, shape.text()};
  });
  if (is_emulated) {
    index_t all[3] = {1, 1, 1};
    std::copy_n(cells, rank, all);
    return call.counted(
        emulate_cells(all, shape.n, rank, kernel.call, kernel.function).sectors_text());
  }
  if (dev.is_cpu()) return kernel.run(cells, kernel.function);
  if (kernel.launch == nullptr) throw_no_kernel("a launch", dev);
  if (call.is_recorded()) call.counted(kernel.use_text(dev, shape, kernel.address));
  kernel.launch(on, cells, rank, shape, kernel.address, kernel.function);
}

}  // namespace teff::runtime
