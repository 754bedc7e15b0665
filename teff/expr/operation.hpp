// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/expr/survey.hpp>
#include <teff/kernel/no_kernel.hpp>
#include <teff/kernel/profile.hpp>

/// What every operation on arrays does around its work, be it a statement, a scan or a product.
namespace teff {

namespace runtime {

/// The streams, besides the operation's own, that its operands belong to. What it reads there must
/// not be overwritten before it has read it.
class other_streams {
 public:
  explicit other_streams(const stream& reader) : reader_(reader) {}
  ~other_streams();
  other_streams(const other_streams&) = delete;
  other_streams& operator=(const other_streams&) = delete;

  void add(const stream& other);
  void add(const other_streams& streams);
  /// How many still have to wait for the reader.
  std::size_t size() const { return others_.size(); }

  /// They wait for what is in the reader's stream now.
  void release();

 private:
  const stream& reader_;
  std::vector<stream> others_;
};

/// Releases the streams when it goes, also where the work throws: part of it may have been
/// enqueued.
class release_on_leaving {
 public:
  explicit release_on_leaving(other_streams& streams) : streams_(streams) {}
  ~release_on_leaving();
  release_on_leaving(release_on_leaving&&) = delete;
  release_on_leaving& operator=(release_on_leaving&&) = delete;

 private:
  other_streams& streams_;
};

/// What an operation tells the profile, besides its target.
struct operation_facts {
  traffic moved;
  std::string how;  ///< in words, where there is something to tell: "dim 1"
};
[[gnu::cold]] call_description description_of(const std::string& label, std::string target,
                                              operation_facts known);

/// Does the work of an operation, whatever its type; then the other streams wait for it.
/// @param describe called as describe(facts), only where somebody wants to know
/// @param work called as work(what)
void run_operation(const stream& on, const char* kind, other_streams& others,
                   call_description (*describe)(const void*), const void* facts,
                   void (*work)(const void*), const void* what);

}  // namespace runtime

inline namespace TEFF_MODE {
namespace detail {

using runtime::operation_facts;

/// What run_operation() calls.
template <class T, int N, class Facts>
struct described_target {
  const array_ref<T, N>& target;
  const Facts& facts;

  [[gnu::cold, gnu::noinline]] static runtime::call_description of(const void* known) {
    const auto& [target, facts] = *static_cast<const described_target*>(known);
    return runtime::description_of(target.label(), described(target), facts());
  }
};
template <class Describe>
[[gnu::cold, gnu::noinline]] runtime::call_description described_by(const void* describe) {
  return (*static_cast<const Describe*>(describe))();
}
template <class Work>
void done(const void* work) {
  (*static_cast<const Work*>(work))();
}

/// An operation that writes `target`: first it sees all operands, as a visitor of expressions, and
/// then it runs.
template <class T, int N>
class operation : public survey<T, N> {
 public:
  explicit operation(const array_ref<T, N>& target)
      : survey<T, N>(target), target_(target), others_(target.on()) {}

  template <class S, int M>
  void reads(const array_ref<S, M>& source, const region& read) {
    survey<T, N>::reads(source, read);
    others_.add(source.on());
  }
  template <class S, int M>
  void reads(const array_ref<S, M>& source) {
    reads(source, region_of(source));
  }
  template <class S>
  void reads_along(const array_ref<S, 1>& source, const region& read) {
    survey<T, N>::reads_along(source, read);
    others_.add(source.on());
  }

  /// Does the work, unless the target has no cells. @param facts () -> operation_facts, called only
  /// where somebody wants to know
  template <class Facts, class Work>
  void run(const char* kind, const Facts& facts, const Work& work) {
    if (target_.size() == 0) return;
    const described_target<T, N, Facts> known{target_, facts};
    runtime::run_operation(target_.on(), kind, others_, described_target<T, N, Facts>::of, &known,
                           done<Work>, &work);
  }
  /// The same of an operation whose target is only the shape of what it reads.
  /// @param describe () -> runtime::call_description
  template <class Describe, class Work>
  void run_described(const char* kind, const Describe& describe, const Work& work) {
    runtime::run_operation(target_.on(), kind, others_, described_by<Describe>, &describe,
                           done<Work>, &work);
  }

  const runtime::other_streams& others() const { return others_; }
  /// It also stands for another operation, on the same stream.
  void adds_streams_of(const runtime::other_streams& streams) { others_.add(streams); }

 private:
  const array_ref<T, N>& target_;
  runtime::other_streams others_;
};

}  // namespace detail
}  // namespace TEFF_MODE
}  // namespace teff
