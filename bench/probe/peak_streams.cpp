// SPDX-License-Identifier: MIT
#include <bench/expr/stream_case.hpp>
#include <bench/probe/probe_case.hpp>
#include <bench/probe/probe_cpu.hpp>
#include <bench/probe/probe_vectors.hpp>
#include <bench/probe/probes.hpp>

namespace teff::bench {

namespace {

/// Copy, add and triad by the fastest ways known, on the arrays and with the checks of the cases of
/// the same names, but without their variants.
template <class Op>
class peak_stream : public stream_arrays<Op, f64> {
 public:
  explicit peak_stream(const lab::setting& where) : stream_arrays<Op, f64>(where) {
    (void)probe_cells(where);
  }

  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override {
    const traffic moved = Op::moved(this->a(), this->b(), this->c());
    return std::make_unique<probe_experiment>(
        probe_experiment::parts{find(variant, probe_threads(how)),
                                [this] { this->poison_target(); },
                                [this] { return this->check(); },
                                {moved, moved.a_eff_bytes(), 1, 1}});
  }

 private:
  probe_run find(const std::string& variant, int threads) {
    const stream on = this->on();
    f64* a = this->a().data();
    const f64* b = this->b().data();
    const f64* c = this->c().data();
    const index_t cells = this->a().size();
    if (variant == "loads1")
      return {[=] { combine_vectors<Op, 1>(on, a, b, c, cells, threads); }, {threads}};
    if (variant == "loads2")
      return {[=] { combine_vectors<Op, 2>(on, a, b, c, cells, threads); }, {threads}};
    if (variant == "loads4")
      return {[=] { combine_vectors<Op, 4>(on, a, b, c, cells, threads); }, {threads}};
    if (variant == "streaming") return {[=] { combine_streaming<Op>(a, b, c, cells); }, {}};
    if (variant == "lines") return {[=] { combine_lines<Op>(a, b, c, cells); }, {}};
    if (variant == "plain") return {[=] { combine_plainly<Op>(a, b, c, cells); }, {}};
    if constexpr (!Op::reads_c) {
      const auto size = static_cast<std::size_t>(cells) * sizeof(f64);
      if (variant == "library" && on.dev().is_cuda())
        return {[=] { copy_bytes(on, a, b, size); }, {}};
      if (variant == "library") return {[=] { copy_by_library(a, b, cells); }, {}};
      if (variant == "direct") return {[=] { copy_streaming(a, b, cells); }, {}};
    }
    refuse_probe(variant);
  }
};

}  // namespace

std::unique_ptr<lab::prepared_case> prepare_peak_copy(const lab::setting& where) {
  return std::make_unique<peak_stream<copy_op>>(where);
}
std::unique_ptr<lab::prepared_case> prepare_peak_add(const lab::setting& where) {
  return std::make_unique<peak_stream<add_op>>(where);
}
std::unique_ptr<lab::prepared_case> prepare_peak_triad(const lab::setting& where) {
  return std::make_unique<peak_stream<triad_op>>(where);
}

}  // namespace teff::bench
