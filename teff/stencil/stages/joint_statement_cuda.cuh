// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/expr/statement_cuda.cuh>
#include <teff/formula/bound.hpp>

/// Joint statements on a GPU: a thread evaluates its cells of all parts before it stores any.
namespace teff::inline TEFF_MODE::detail {

/// Where the parts write, and their extents.
template <class Index, class... T>
struct joint_targets {
  tuple<device_target<T>...> to;
  Index n[sizeof...(T)][3];
  Index common[3];  ///< cells that each part has
  Index first_row, first_plane;
  bool begins_with_sector;  ///< as of a statement, and all alike
};

/// Several formulas over the same fields. (With the fields' leaves once, the compiler sees what two
/// parts both load.)
template <class Leaves, class... E>
struct device_formulas {
  tuple<E...> of;
  Leaves leaves;
};
template <class Leaves, class... E>
struct operands_of<device_formulas<Leaves, E...>> {
  using type = operand_list<E...>;
  static __device__ __forceinline__ void fetch(device_formulas<Leaves, E...>& formulas) {
    fetch_parameters(formulas.of);
  }
};
template <class Leaves, class... E>
device_formulas<Leaves, E...> formulas_of(const device_bound<E, Leaves>&... e) {
  return {tuple_of(e.formula...), entry<0>(tuple_of(e...)).leaves};
}

/// One of them.
template <class E, class Leaves>
struct formula_part {
  const E& formula;
  const Leaves& leaves;

  template <int X, int Y, int Z, class C>
  __device__ __forceinline__ auto eval(const C& c) const {
    return formula.template eval<X, Y, Z>(bound_context<C, Leaves>{c, leaves});
  }
};

/// The cells from `at` on, which each part has. All loads come before all stores, since the parts
/// that follow are evaluated first.
template <class Variant, class Leaves>
__device__ __forceinline__ void evaluate_jointly(const tuple<>&, const tuple<>&, const Leaves&,
                                                 const typename Variant::cell&) {}
template <class Variant, class Leaves, class T, class... Rest, class E, class... Es>
__device__ __forceinline__ void evaluate_jointly(const tuple<device_target<T>, Rest...>& to,
                                                 const tuple<E, Es...>& formulas,
                                                 const Leaves& leaves,
                                                 const typename Variant::cell& at) {
  using work = typename Variant::work;
  using part = formula_part<E, Leaves>;
  const thread_packs<Variant, T, part> packs(part{formulas.first, leaves}, at);
  evaluate_jointly<Variant>(to.rest, formulas.rest, leaves, at);
  TEFF_UNROLL
  for (int p = 0; p < Variant::packs; ++p)
    store_lanes(to.first.template at<Variant::unit_stride, typename Variant::index>(
                    at.i, at.j, at.k, p % work::rows, p / work::rows),
                packs.of[p]);
}

/// The same where some part has not all of the cells: each by itself.
template <class Variant, int Part, class Targets, class Leaves>
__device__ __forceinline__ void evaluate_apart(const Targets&, const tuple<>&, const tuple<>&,
                                               const Leaves&, const typename Variant::cell&) {}
template <class Variant, int Part, class Targets, class Leaves, class T, class... Rest, class E,
          class... Es>
__device__ __forceinline__ void evaluate_apart(const Targets& all,
                                               const tuple<device_target<T>, Rest...>& to,
                                               const tuple<E, Es...>& formulas,
                                               const Leaves& leaves,
                                               const typename Variant::cell& at) {
  const auto& n = all.n[Part];
  if (at.i < n[0] && at.j < n[1] && at.k < n[2])
    evaluate_packs<Variant, (Variant::begin > 1)>(
        to.first, formula_part<E, Leaves>{formulas.first, leaves},
        statement_grid<typename Variant::index>{{n[0], n[1], n[2]}, 0, 0}, at.i, at.j, at.k);
  evaluate_apart<Variant, Part + 1>(all, to.rest, formulas.rest, leaves, at);
}

template <class Variant, class Targets, class Formulas>
__global__ void __launch_bounds__(Variant::work::threads, Variant::work::least_blocks)
    joint_statement_kernel(const __grid_constant__ Targets targets,
                           const __grid_constant__ Formulas formulas) {
  using work = typename Variant::work;
  using index = typename Variant::index;
  refuse_flush_to_zero();
  typename Variant::cell at{
      (static_cast<index>(blockIdx.x) * static_cast<index>(blockDim.x) +
       static_cast<index>(threadIdx.x)) *
          work::cells,
      targets.first_row + static_cast<index>(blockIdx.y * blockDim.y + threadIdx.y) * work::rows,
      targets.first_plane +
          static_cast<index>(blockIdx.z * blockDim.z + threadIdx.z) * work::planes};
  if (Variant::begin > 1 && targets.begins_with_sector)
    at.i -= static_cast<index>(cells_before<Variant::begin>(
        targets.to.first.template at<Variant::unit_stride, index>(0, at.j, at.k)));
  if (at.i + work::cells <= 0) return;
  const fetched<Formulas> fetched_here(formulas);
  const Formulas& here = fetched_here.of(formulas);
  const auto& n = targets.common;
  if (at.i >= 0 && at.i + work::cells <= n[0] && at.j + work::rows <= n[1] &&
      at.k + work::planes <= n[2])
    evaluate_jointly<Variant>(targets.to, here.of, here.leaves, at);
  else
    evaluate_apart<Variant, 0>(targets, targets.to, here.of, here.leaves, at);
}

/// Calls f with how parts are launched: as one statement of all that they read.
/// @param all the extents that hold each part; `common`: that each has
template <class Reads, int Widest, int N, class F>
auto with_joint_variant(const statement_shape& all, const statement_shape& common, const F& f) {
  using tuning = statement_tuning<Widest, N, Reads::loads>;
  using near = typename tuning::template joint<int, Reads::fields>;
  using far = typename tuning::template joint<index_t, Reads::fields>;
  constexpr int near_begin = N == 2 ? tuning::template begin<int> : 1,
                far_begin = N == 2 ? tuning::template begin<index_t> : 1;
  if (all.has_unit_stride) {
    if constexpr (N > 1)
      if (all.has_short_offsets && has_cells_of<near>(common))
        return f(statement_variant<near, true, lane_loads::single, int, near_begin>{});
    if (has_cells_of<far>(common))
      return f(statement_variant<far, true, lane_loads::single, index_t, far_begin>{});
  }
  return f(statement_variant<typename tuning::strided, false, lane_loads::single>{});
}

/// The launches of parts. Reads: joint_reads, Part: surveyed<assignment>
template <class Reads, class... Part>
class joint_launch {
  template <class P>
  using cell_type = typename P::part_type::value_type;
  template <class Index>
  using targets_type = joint_targets<Index, cell_type<Part>...>;

 public:
  explicit joint_launch(const Part&... part)
      : shapes_{part.found.shape(false)...}, all_(shapes_[0]), common_(shapes_[0]) {
    for (const statement_shape& one : shapes_) {
      for (int d = 0; d < 3; ++d) {
        all_.n[d] = greater_of(all_.n[d], one.n[d]);
        common_.n[d] = lesser_of(common_.n[d], one.n[d]);
      }
      all_.has_unit_stride = all_.has_unit_stride && one.has_unit_stride;
      all_.has_short_offsets = all_.has_short_offsets && one.has_short_offsets;
    }
  }

  void run(const stream& on, const Part&... part) const {
    const auto formulas = formulas_of(part.part.e.lower(lowering{})...);
    using formulas_type = std::remove_const_t<decltype(formulas)>;
    with_variant([&](auto variant) {
      using work = typename decltype(variant)::work;
      using index = typename decltype(variant)::index;
      targets_type<index> targets{
          tuple_of(part.found.lowered_target(part.found.shape(false))...), {}, {}, 0, 0, false};
      for (int d = 0; d < 3; ++d) {
        targets.common[d] = static_cast<index>(common_.n[d]);
        for (std::size_t k = 0; k < sizeof...(Part); ++k)
          targets.n[k][d] = static_cast<index>(shapes_[k].n[d]);
      }
      const auto launches = [&](const auto& first, const auto&... rest) {
        constexpr int begin = decltype(variant)::begin;
        const auto begins_like_first = [&](const auto& other) {
          return other.stride[1] == first.stride[1] && other.stride[2] == first.stride[2] &&
                 sizeof(*other.data) == sizeof(*first.data) &&
                 reinterpret_cast<std::uintptr_t>(other.data) % begin ==
                     reinterpret_cast<std::uintptr_t>(first.data) % begin;
        };
        const bool may_shift = begin > 1 && (true && ... && begins_like_first(rest));
        const index_t shift =
            may_shift ? runtime::most_shift(first.data, first.stride, sizeof(*first.data), begin)
                      : 0;
        auto all = runtime::launches_of(share_of<work>(), all_, shift, false, all_.n[1]);
        all.begins_with_sector = all.begins_with_sector && may_shift;
        return all;
      };
      auto launch = launches(part.found.lowered_target(part.found.shape(false))...);
      targets.begins_with_sector = launch.begins_with_sector;
      for (; !launch.is_done(); launch.next()) {
        targets.first_row = static_cast<index>(launch.first_row);
        targets.first_plane = static_cast<index>(launch.first_plane);
        cuda_launch(on, dim3(launch.blocks[0], launch.blocks[1], launch.blocks[2]),
                    dim3(launch.threads[0], launch.threads[1], launch.threads[2]), 0,
                    joint_statement_kernel<decltype(variant), targets_type<index>, formulas_type>,
                    targets, formulas);
      }
    });
  }

  /// The kernel in numbers. @param read_bytes per cell
  kernel_facts facts(const device& dev, double read_bytes, const Part&... part) const {
    using formulas_type = decltype(formulas_of(part.part.e.lower(lowering{})...));
    return with_variant([&](auto variant) {
      using work = typename decltype(variant)::work;
      using index = typename decltype(variant)::index;
      kernel_facts facts = facts_of_kernel(
          dev,
          address_of(joint_statement_kernel<decltype(variant), targets_type<index>, formulas_type>),
          work::threads);
      facts.shape = share_of<work>().text();
      facts.bytes_in_flight = work::cells * decltype(variant)::packs * read_bytes * work::threads *
                              facts.blocks_per_processor;
      return facts;
    });
  }

 private:
  static constexpr int widest() {
    int most = 0;
    ((most = greater_of(most, greater_of(static_cast<int>(sizeof(cell_type<Part>)),
                                         Part::part_type::expression::widest))),
     ...);
    return most;
  }
  template <class F>
  auto with_variant(const F& f) const {
    constexpr int rank = (Part::part_type::rank | ...);
    return with_joint_variant<Reads, widest(), rank>(all_, common_, f);
  }

  statement_shape shapes_[sizeof...(Part)];
  statement_shape all_, common_;
};

}  // namespace teff::inline TEFF_MODE::detail
