// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <type_traits>

#include <teff/algo/reduce/storing.hpp>
#include <teff/expr/far_cells.hpp>
#include <teff/solver/marching_gradients.hpp>

/// Iterations of conjugate gradients by blocks that march, as a solver launches them.
namespace teff::inline TEFF_MODE::detail {

/// The launches of one solver.
template <class R, int N, class Backend>
class marching_iterations {
 public:
  marching_iterations(const array_ref<R, N>& x, const array_ref<R, N>& b) {
    if constexpr (Backend::can_march) {
      if (!Backend::fuses(x.dev())) return;
      index_t of_x[3] = {1, 1, 1}, of_b[3] = {1, 1, 1}, along = 1;
      for (int d = 0; d < N; ++d) {
        of_x[d] = x.extent(d), of_b[d] = b.extent(d);
        if (x.stride(d) != along) return;  // it has to lie as p and r do
        along *= of_x[d];
      }
      using shape = marching_gradients<R, N, device_leaf<R>, after_product<R>, false, false>;
      at_ = runtime::planned_march(of_x, of_b, N,
                                   {.bytes = sizeof(R),
                                    .vector = shape::vector,
                                    .may_share = shape::least_blocks > 1,
                                    .shared_bytes = shape::bytes_of_sums},
                                   Backend::march_limits_of(x.dev()));
    }
  }
  bool marches() const { return at_.runs > 0; }

  /// @param stored what the kernel reads and writes @param Ap of kept values
  /// @param p, r, next_p of x's extents @param room of b's cells
  /// @returns false, and does nothing, where it can not march
  template <bool IsSolution, class Stored, class Product, class Then>
  bool run(const Stored& stored, const Product& Ap, const array_ref<R, N>& p,
           const array_ref<R, N>& r, const array_ref<R, N>& next_p, const array_ref<R, N>& x,
           const Then& then, void* room) const {
    const auto lowered = Ap.lower(lowering{});
    using product_type = std::remove_const_t<decltype(lowered)>;
    if constexpr (std::is_same_v<typename product_type::value_type, R> && !has_ends<product_type>) {
      reduction_source<Stored> source(stored);
      const statement_shape where = source.where();
      if (!where.has_unit_stride || !stored.has_unit_stride()) return false;
      if (N > 1 && !where.has_short_offsets) return false;
      chunk_sums<Then> sums{.sums = static_cast<f64*>(room),
                            .chunks = at_.chunks,
                            .arrived = source.on().arrival_counters(),
                            .then = then};
      if (sums.arrived == nullptr) {
        sums.arrived = reinterpret_cast<unsigned*>(sums.sums + at_.chunks);
        zero_bytes(source.on(), sums.arrived, sizeof(unsigned));
      }
      const auto launch = [&]<bool IsRing>(std::bool_constant<IsRing>) {
        using kernel_type = marching_gradients<R, N, product_type, Then, IsSolution, IsRing>;
        const index_t bytes = kernel_type::bytes_of_sums + at_.capacity * index_t{sizeof(R)};
        launch_blocks(
            source.on(),
            {.blocks = {at_.runs}, .threads = {kernel_type::threads}, .shared_bytes = bytes},
            kernel_type{.product = lowered,
                        .at = at_,
                        .p = p.data(),
                        .r = r.data(),
                        .own_p = next_p.data() + at_.centre,
                        .own_r = r.data() + at_.centre,
                        .own_x = x.data() + at_.centre,
                        .factors = then.factors,
                        .sums = sums});
      };
      source.run(
          "statement and dot", static_cast<index_t>(stored.stored_bytes()),
          [] { return std::string(); },
          [&] {
            if constexpr (N == 2)
              at_.is_ring ? launch(std::true_type{}) : launch(std::false_type{});
            else
              launch(std::false_type{});
          });
      return true;
    }
    return false;
  }

 private:
  march_plan at_{};
};

}  // namespace teff::inline TEFF_MODE::detail
