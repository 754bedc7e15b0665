// SPDX-License-Identifier: MIT
#include <teff/kernel/block_kernel.hpp>
#include <teff/kernel/no_kernel.hpp>
#include <teff/kernel/profile.hpp>

namespace teff::runtime {

void launch_blocks(const stream& on, const block_options& options, const block_kernel& kernel,
                   site where) {
  const device dev = on.dev();
  const bool asks_gpu = dev.is_cuda() && kernel.most_shared_bytes != nullptr;
  const block_options legal = legal_block_options(
      dev, options, kernel.threads,
      asks_gpu ? kernel.most_shared_bytes(dev, options) : emulated_shared_bytes);
  if (legal.blocks.threads() == 0) return;
  profiled_call call(on, dev.is_cpu() ? "launch_blocks, emulated" : "launch_blocks", [&] {
    traffic moved;
    moved.read_bytes = options.reads < 0 ? 0.0 : static_cast<double>(options.reads);
    moved.write_bytes = options.writes < 0 ? 0.0 : static_cast<double>(options.writes);
    return call_description{"", legal.blocks.text() + " blocks", moved, legal.threads.text()};
  });
  if (dev.is_cuda()) {
    if (kernel.launch == nullptr) throw_no_kernel("launch_blocks", dev);
    if (call.is_recorded()) call.counted(kernel.use_text(dev, legal, kernel.address));
    return kernel.launch(on, legal, kernel.address, kernel.function);
  }
  if (kernel.emulate == nullptr)
    throw error(failure::no_device,
                "launch_blocks on the CPU of a kernel with has_cpu_twin, compiled by nvcc: the "
                "emulator runs such kernels in plain C++ only");
  emulated_launch launch{
      {}, {}, static_cast<std::size_t>(legal.shared_bytes), where, legal.all_resident};
  for (int d = 0; d < 3; ++d) {
    launch.blocks[d] = legal.blocks.n[d];
    launch.threads[d] = static_cast<int>(legal.threads.n[d]);
  }
  call.counted(kernel.emulate(launch, kernel.function).sectors_text());
}

}  // namespace teff::runtime
