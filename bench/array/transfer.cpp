// SPDX-License-Identifier: MIT
#include <memory>
#include <string>
#include <vector>

#include <teff/algo/copy.hpp>

#include <bench/array/transfer.hpp>
#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>

namespace teff::bench {

namespace {

/// The array on the GPU, once to fetch from and once to bring to, and what it holds.
class transferred_array : public lab::prepared_case {
 public:
  explicit transferred_array(const lab::setting& where)
      : on_(where.dev),
        shape_(where.shape),
        values_(random_values<f64>(static_cast<std::size_t>(lab::cells_of(where.shape)), 1)),
        source_(on_, {values_.size()}, "source"),
        target_(on_, {values_.size()}, "target") {
    source_ = from_host(values_);
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant, const lab::tuning&) override;

  const std::vector<index_t>& shape() const { return shape_; }
  const std::vector<f64>& values() const { return values_; }
  const array<f64, 1>& source() const { return source_; }
  const array<f64, 1>& target() const { return target_; }

 private:
  stream on_;
  std::vector<index_t> shape_;
  std::vector<f64> values_;
  array<f64, 1> source_, target_;
};

/// copy(B, A) between an array of the host and one of the GPU, which has arrived when it returns.
class transfer : public lab::experiment {
 public:
  /// @param host cpu() for pageable memory, or cpu_pinned()
  transfer(const transferred_array& arrays, device host, bool is_to_device)
      : arrays_(arrays),
        on_host_(host, arrays.source().shape(), "on_host"),
        is_to_device_(is_to_device),
        comparer_(is_to_device ? arrays.on() : stream(device::cpu())) {}

  void reset() override {
    if (is_to_device_) on_host_ = from_host(arrays_.values());
    target() = poison<f64>();
  }
  void run() override { copy(target(), is_to_device_ ? on_host_ : arrays_.source()); }
  lab::check_result check() override {
    arrays_.on().synchronize();
    return comparer_.compare(target().data(), arrays_.values(), 0, arrays_.shape());
  }
  /// What crosses the link, once: memory of the GPU takes it in, or gives it out.
  lab::workload work() const override {
    traffic moved;
    (is_to_device_ ? moved.write_bytes : moved.read_bytes) = static_cast<double>(bytes(on_host_));
    moved.cells = static_cast<double>(on_host_.size());
    return {moved, moved.a_eff_bytes(), 1, 1};
  }

 private:
  const array<f64, 1>& target() const { return is_to_device_ ? arrays_.target() : on_host_; }

  const transferred_array& arrays_;
  array<f64, 1> on_host_;
  bool is_to_device_;
  cell_comparer comparer_;
};

std::unique_ptr<lab::experiment> transferred_array::make(const std::string& variant,
                                                         const lab::tuning&) {
  const auto to_device = [&](device host) { return std::make_unique<transfer>(*this, host, true); };
  const auto to_host = [&](device host) { return std::make_unique<transfer>(*this, host, false); };
  if (variant == "pageable-to-device") return to_device(device::cpu());
  if (variant == "device-to-pageable") return to_host(device::cpu());
  if (variant == "pinned-to-device") return to_device(device::cpu_pinned());
  if (variant == "device-to-pinned") return to_host(device::cpu_pinned());
  throw error("no variant '" + variant + "' of transfer");
}

lab::variant rung(std::string name, std::string about, std::string gain) {
  return {.name = std::move(name),
          .about = std::move(about),
          .runs = lab::place::cuda,
          .gain = std::move(gain)};
}

}  // namespace

lab::bench_case transfer_case() {
  return {
      .name = "transfer",
      .about =
          "B = A between the host and a GPU: what the link can do, which every byte crosses once",
      .axes = "a shape of one to three extents",
      .types = {"f64"},
      .cuda_shape = {8192, 8192},
      .arrays = 2,
      .best = "pinned-to-device",
      .no_ceiling = "the link between host and GPU is the limit, not the GPU's memory",
      .variants =
          {rung("pageable-to-device", "copy(B, A) from an array of device::cpu()",
                "ordinary host memory, which the system may move: the driver copies it to "
                "page-locked memory of its own, piece by piece, and the GPU fetches it from there"),
           rung("device-to-pageable", "copy(B, A) to an array of device::cpu()",
                "the way back, by the same detour"),
           rung("pinned-to-device", "copy(B, A) from an array of device::cpu_pinned()",
                "page-locked host memory, which stays where it is: the GPU fetches it without the "
                "detour, so the link is the limit"),
           rung("device-to-pinned", "copy(B, A) to an array of device::cpu_pinned()",
                "the way back, without the detour")},
      .prepare = make_prepared<transferred_array>};
}

}  // namespace teff::bench
