// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include <teff/capi/kernel.hpp>
#include <teff/capi/kernel_checks.hpp>

namespace teff::capi {

namespace {

std::string joined(int rank, const index_t* n, const char* between) {
  std::string text;
  for (int d = 0; d < rank; ++d) text += (d > 0 ? between : "") + std::to_string(n[d]);
  return text;
}

}  // namespace

void throw_outside(const char* name, int rank, const index_t* at, const index_t* extents,
                   site where) {
  runtime::throw_in_kernel(std::string(name) + "(" + joined(rank, at, ", ") + ") is outside of " +
                           name + ", which has " + joined(rank, extents, "x") +
                           " cells (x first)," + runtime::at(where));
}

void throw_undefined_division(bool is_by_zero, site where) {
  runtime::throw_in_kernel((is_by_zero ? "integer division by zero"
                                       : "the least integer is divided by -1, which has no value") +
                           runtime::at(where));
}

kernel_call::kernel_call(const stream& on, const teff_kernel_launch& launch, bool is_of_blocks)
    : dev_(on.dev()) {
  if (!on.dev().is_cpu() || !is_of_blocks) return;
  emulator_options options;
  options.seed = launch.seed;
  emulated_.emplace(options);
}

void kernel_call::finish(teff_kernel_facts* told) const {
  std::fflush(stdout);
  if (told == nullptr) return;
  teff_kernel_facts& facts = *told = {};
  if (!emulated_) return;
  const emulator_report& found = emulated_->report();
  facts.blocks = found.blocks;
  facts.threads = found.threads;
  facts.barriers = found.barriers;
  facts.bank_conflicts = found.bank_conflicts.total;
  facts.worst_bank_conflict = found.bank_conflicts.worst;
  facts.same_value_writes = found.same_value_writes.count;
  facts.sectors_asked = found.sectors.asked;
  facts.sectors_needed = found.sectors.needed;
}

void kernel_call::tell(const kernel_facts& compiled, const launch_shape& threads,
                       teff_kernel_facts& facts) const {
  std::copy_n(threads.n, 3, facts.block_threads);
  facts.registers = compiled.registers;
  facts.local_bytes = static_cast<int64_t>(compiled.local_bytes);
  facts.shared_bytes = static_cast<int64_t>(compiled.shared_bytes);
  facts.occupancy = compiled.occupancy(dev_);
}

}  // namespace teff::capi
