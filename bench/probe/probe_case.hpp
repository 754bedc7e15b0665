// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/lab/case.hpp>

namespace teff::bench {

/// How a probe is run: what it enqueues, and the threads of its blocks.
struct probe_run {
  std::function<void()> enqueue;
  std::vector<int> threads;
};

/// An experiment put together from functions.
class probe_experiment : public lab::experiment {
 public:
  struct parts {
    probe_run how;
    std::function<void()> reset;
    std::function<lab::check_result()> check;
    lab::workload work;
    bool is_repeatable = true;
  };
  explicit probe_experiment(parts p) : parts_(std::move(p)) {}

  void reset() override { parts_.reset(); }
  void run() override { parts_.how.enqueue(); }
  lab::check_result check() override { return parts_.check(); }
  bool is_repeatable() const override { return parts_.is_repeatable; }
  lab::workload work() const override { return parts_.work; }
  std::vector<int> threads() const override { return parts_.how.threads; }

 private:
  parts parts_;
};

inline index_t probe_cells(const lab::setting& where) {
  const index_t cells = where.shape.at(0);
  if (where.shape.size() != 1 || cells % 65536 != 0)
    throw error(failure::usage, "probe: expected one extent that is a multiple of 65536, got " +
                                    lab::shape_text(where.shape));
  return cells;
}

/// Threads of a block: those asked for, else 256.
inline int probe_threads(const lab::tuning& how) {
  return how.threads.empty() ? 256 : how.threads.front();
}

[[noreturn]] inline void refuse_probe(const std::string& variant) {
  throw error("no probe '" + variant + "' of this case");
}

}  // namespace teff::bench
