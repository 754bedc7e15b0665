// SPDX-License-Identifier: MIT
#include <utility>

#include <teff/expr/operation.hpp>

namespace teff::runtime {

other_streams::~other_streams() = default;

void other_streams::add(const stream& other) {
  if (other == reader_) return;
  for (const stream& known : others_)
    if (known == other) return;
  others_.push_back(other);
}

void other_streams::add(const other_streams& streams) {
  for (const stream& other : streams.others_) add(other);
}

void other_streams::release() {
  while (!others_.empty()) {
    const stream other = others_.back();
    others_.pop_back();  // first: one that fails is not tried again
    other.wait_for(reader_);
  }
}

release_on_leaving::~release_on_leaving() {
  while (streams_.size() > 0) {
    try {
      streams_.release();
    } catch (...) {  // what made the work leave is told instead
    }
  }
}

call_description description_of(const std::string& label, std::string target,
                                operation_facts known) {
  return {label, std::move(target), known.moved, std::move(known.how)};
}

void run_operation(const stream& on, const char* kind, other_streams& others,
                   call_description (*describe)(const void*), const void* facts,
                   void (*work)(const void*), const void* what) {
  const profiled_call call(on, kind, [&] { return describe(facts); });
  const release_on_leaving guard(others);
  work(what);
  others.release();
}

}  // namespace teff::runtime
