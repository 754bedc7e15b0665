// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/expr/far_cells.hpp>
#include <teff/expr/operands.hpp>
#include <teff/expr/plane_march_cuda.cuh>
#include <teff/expr/statement_launch.hpp>
#include <teff/expr/statement_tuning.hpp>
#include <teff/expr/survey.hpp>
#include <teff/kernel/cuda_launch.cuh>

/// Statements on a GPU: each thread evaluates a few cells side by side, in a few rows. All its
/// loads come before all its stores, so that they are in flight together.
///
/// Bytes in flight per multiprocessor: copy, 2048 threads of 16 B, 32 KB; triad, 1536 to 2048
/// threads of 32 B, 48 to 64 KB; a stencil over two arrays, 1024 threads of 4 cells of f64 or 8 of
/// f32, 64 KB (explain() prints it).
namespace teff::inline TEFF_MODE::detail {

/// How a kernel is made of a statement. Its blocks begin, or may begin, at an address of the target
/// that is a multiple of `Begin` bytes.
template <class Work, bool UnitStride, lane_loads Loads, class Index = index_t, int Begin = 1>
struct statement_variant {
  using work = Work;
  using index = Index;
  using cell = cell_context<Work::cells, UnitStride, Loads, Index>;
  using cell_by_cell = statement_variant<Work, UnitStride, lane_loads::single, Index, Begin>;
  static constexpr bool unit_stride = UnitStride, is_packed = Loads == lane_loads::packed;
  static constexpr int begin = Begin;
  static constexpr int packs = Work::rows * Work::planes;
};
/// A thread takes its planes one after the other and keeps their columns.
template <class Work, class Column>
struct marching_variant {
  using work = Work;
  using index = int;
  using column = Column;
  using of_plane =
      statement_variant<statement_work<1, Work::rows, 1, Work::threads_x, Work::threads_y>, true,
                        lane_loads::single, int>;
  static constexpr int packs = Work::rows, begin = line_bytes;
};
template <class Variant>
concept marches = requires {
  typename Variant::column;
};

/// So many cells before this one an address is a multiple of Bytes.
template <int Bytes, class T>
__device__ __forceinline__ std::uintptr_t cells_before(const T* cell) {
  return reinterpret_cast<std::uintptr_t>(cell) % Bytes / sizeof(T);
}

/// The cells of a statement, and where a launch begins: a grid has at most 65535 blocks along y and
/// z.
template <class Index>
struct statement_grid {
  Index n[3];
  Index first_row, first_plane;
  bool begins_with_sector;    ///< rows' first blocks may begin before their first cells
  bool is_one_block = false;  ///< which computes all before it stores any; of any strides
};

/// The values of one thread's packs: rows first, then planes.
template <class Variant, class T, class E>
struct thread_packs {
  using work = typename Variant::work;
  static constexpr int V = work::cells;
  pack<T, V> of[Variant::packs];

  /// @param at the first cell of the first pack
  __device__ __forceinline__ thread_packs(const E& e, const typename Variant::cell& at) {
    constexpr std::make_integer_sequence<int, Variant::packs> all{};
    if constexpr (!is_between_ends<E>)
      evaluate(e, at, all);
    else if (e.far.has_box(at.i, at.j, at.k, V, work::rows, work::planes))
      evaluate(e.e, far_cell<typename Variant::cell>{at}, all);  // no branch between its loads
    else
      evaluate(e.e, at, all);
  }

 private:
  template <class Formula, class Cell, int... P>
  __device__ __forceinline__ void evaluate(const Formula& e, const Cell& at,
                                           std::integer_sequence<int, P...>) {
    ((of[P] = converted(e.template eval<0, P % work::rows, P / work::rows>(at))), ...);
  }
  template <class Value>
  static __device__ __forceinline__ pack<T, V> converted(const Value& value) {
    pack<T, V> values;
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) values.lane[v] = convert<T>(lane(value, v));
    return values;
  }
};

/// A thread's cells begin at (i, j, k). Where some would lie outside, it evaluates the nearest
/// cells that are all inside and stores those that are its own: border threads run the same code,
/// and their loads, too, are in flight together.
/// @tparam MayBeginBefore whether i may be negative
template <class Variant, bool MayBeginBefore, class Target, class E>
__device__ __forceinline__ void evaluate_packs(const Target& target, const E& e,
                                               const statement_grid<typename Variant::index>& grid,
                                               typename Variant::index i, typename Variant::index j,
                                               typename Variant::index k) {
  using T = std::remove_cvref_t<decltype(target.data[0])>;
  using work = typename Variant::work;
  using index = typename Variant::index;
  constexpr int V = work::cells;
  const auto inside = [](index first, int cells, index n) {
    return first + cells > n ? n - cells : first;
  };
  const index i0 = MayBeginBefore && i < 0 ? 0 : inside(i, V, grid.n[0]),
              j0 = inside(j, work::rows, grid.n[1]), k0 = inside(k, work::planes, grid.n[2]);
  const thread_packs<Variant, T, E> packs(e, {i0, j0, k0});
  if constexpr (!Variant::unit_stride)
    if (grid.is_one_block) __syncthreads();
  TEFF_UNROLL
  for (int p = 0; p < Variant::packs; ++p) {
    const int row = p % work::rows, plane = p / work::rows;
    if (j0 + row < j || k0 + plane < k) continue;  // another thread's
    const auto store = [&](T* to) {
      if (i0 == i) {
        store_lanes(to, packs.of[p]);
      } else {
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          if (i0 + v >= i && i0 + v < i + V) to[v] = packs.of[p].lane[v];
      }
    };
    T* const to = target.template at<Variant::unit_stride, index>(i0, j0, k0, row, plane);
    store(to);
    if constexpr (echoed_dim<Target> == 0) {
      if (i <= 0) *moved_by(to, -target.stride[0]) = packs.of[p].lane[0];
      if (i + V >= grid.n[0]) *moved_by(to, V * target.stride[0]) = packs.of[p].lane[V - 1];
    } else if constexpr (echoed_dim<Target> > 0) {
      constexpr int d = echoed_dim<Target>;
      const index_t at = d == 1 ? j0 + row : k0 + plane;
      if (at == 0) store(moved_by(to, -target.stride[d]));
      if (at == grid.n[d] - 1) store(moved_by(to, target.stride[d]));
    }
  }
}

template <class Variant, class Target, class E>
__global__ void __launch_bounds__(Variant::work::threads, Variant::work::least_blocks)
    statement_kernel(const __grid_constant__ Target target, const __grid_constant__ E e,
                     const __grid_constant__ statement_grid<typename Variant::index> grid) {
  using T = std::remove_cvref_t<decltype(target.data[0])>;
  using work = typename Variant::work;
  using index = typename Variant::index;
  constexpr int V = work::cells;
  refuse_flush_to_zero();
  index i = (static_cast<index>(blockIdx.x) * static_cast<index>(blockDim.x) +
             static_cast<index>(threadIdx.x)) *
            V;
  const index j =
      grid.first_row + static_cast<index>(blockIdx.y * blockDim.y + threadIdx.y) * work::rows;
  const index k =
      grid.first_plane + static_cast<index>(blockIdx.z * blockDim.z + threadIdx.z) * work::planes;
  constexpr bool may_begin_before = Variant::begin > static_cast<int>(sizeof(T));
  if (may_begin_before && grid.begins_with_sector)  // so that warps share none
    i -= static_cast<index>(
        cells_before<Variant::begin>(target.template at<Variant::unit_stride, index>(0, j, k)));
  if ((may_begin_before && i + V <= 0) || i >= grid.n[0] || j >= grid.n[1] || k >= grid.n[2])
    return;

  const fetched<E> here(e);
  // A warp with a pack at a row's end loads cell by cell: it should not wait for memory twice, once
  // for each side of a branch.
  if (Variant::is_packed && !__all_sync(0xffffffffu, i >= 0 && i + V <= grid.n[0]))
    evaluate_packs<typename Variant::cell_by_cell, true>(target, here.of(e), grid, i, j, k);
  else
    evaluate_packs<Variant, may_begin_before && (V > 1)>(target, here.of(e), grid, i, j, k);
}

/// The same, plane after plane, with a column of a field's cells in registers.
template <class Variant, class Target, class E>
__global__ void __launch_bounds__(Variant::work::threads, Variant::work::least_blocks)
    marching_kernel(const __grid_constant__ Target target, const __grid_constant__ E e,
                    const __grid_constant__ statement_grid<int> grid) {
  using T = std::remove_cvref_t<decltype(target.data[0])>;
  using work = typename Variant::work;
  using column = typename Variant::column;
  refuse_flush_to_zero();
  const int j =
      grid.first_row + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * work::rows;
  int k = grid.first_plane + static_cast<int>(blockIdx.z) * work::planes;
  const int i =
      static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) -
      static_cast<int>(cells_before<Variant::begin>(target.template at<true, int>(0, j, k)));
  if (i < 0 || i >= grid.n[0] || j >= grid.n[1]) return;

  const fetched<E> fetched_here(e);
  const E& here = fetched_here.of(e);
  const auto& field = entry<column::field>(here.leaves);
  using held_type = std::remove_cvref_t<decltype(*field.data)>;
  const int j0 = j + work::rows > grid.n[1] ? grid.n[1] - work::rows : j,
            last = k + work::planes < grid.n[2] ? k + work::planes : grid.n[2];
  held_columns<held_type, work::rows, column> columns(field, i, j0, k);
  for (; k < last; ++k) {
    columns.advance(field, i, j0, k);
    evaluate_packs<typename Variant::of_plane, false>(
        target, marching_formula<E, held_type, work::rows, column>{here, columns}, grid, i, j, k);
  }
}

template <class Variant, class Target, class E>
auto kernel_of() {
  if constexpr (marches<Variant>)
    return marching_kernel<Variant, Target, E>;
  else
    return statement_kernel<Variant, Target, E>;
}

template <class Work>
constexpr runtime::statement_share share_of() {
  return {Work::cells, Work::rows, Work::planes, Work::threads_x, Work::threads_y, Work::threads_z};
}

/// The kernel of a statement and how it is launched, in numbers.
struct statement_kernel_choice {
  const void* address;
  runtime::statement_share share;
  int begin;        ///< bytes, as Variant has it
  bool must_shift;  ///< to begin there
  bool has_short_indices;
  int cells;  ///< that a thread loads together
};
template <class Variant>
constexpr bool shifts_always() {
  if constexpr (marches<Variant>)
    return true;
  else
    return Variant::is_packed;
}
template <class Variant, class Target, class E>
statement_kernel_choice choice_of() {
  using work = typename Variant::work;
  return {address_of(kernel_of<Variant, Target, E>()),
          share_of<work>(),
          Variant::begin,
          shifts_always<Variant>(),
          std::is_same_v<typename Variant::index, int>,
          work::cells * Variant::packs};
}

/// @param target, e what the kernel takes @param most_shift as statement_launches() has it
/// @param rows of a launch, rounded up to whole blocks
[[gnu::noinline, gnu::visibility("hidden")]] inline void launch_statement(
    const stream& on, const statement_kernel_choice& kernel, const void* target, const void* e,
    const statement_shape& where, index_t most_shift, index_t rows) {
  const auto launch = [&]<class Index>(Index first_row, Index first_plane, dim3 blocks,
                                       dim3 threads, bool begins_with_sector) {
    const statement_grid<Index> grid{
        {static_cast<Index>(where.n[0]), static_cast<Index>(where.n[1]),
         static_cast<Index>(where.n[2])},
        first_row,
        first_plane,
        begins_with_sector,
        where.is_of_one_block};
    void* arguments[] = {as_argument(target), as_argument(e), as_argument(&grid)};
    cuda_launch_at(on, blocks, threads, 0, kernel.address, arguments);
  };
  if (where.is_of_one_block) {
    const auto along = [&](int dim) { return static_cast<unsigned>(where.n[dim]); };
    return launch(index_t{0}, index_t{0}, dim3(1), dim3(along(0), along(1), along(2)), false);
  }
  auto part = runtime::launches_of(kernel.share, where, most_shift, kernel.must_shift, rows);
  for (; !part.is_done(); part.next()) {
    const dim3 blocks(part.blocks[0], part.blocks[1], part.blocks[2]),
        threads(part.threads[0], part.threads[1], part.threads[2]);
    if (kernel.has_short_indices)
      launch(static_cast<int>(part.first_row), static_cast<int>(part.first_plane), blocks, threads,
             part.begins_with_sector);
    else
      launch(part.first_row, part.first_plane, blocks, threads, part.begins_with_sector);
  }
}
/// @param read_bytes per cell
[[gnu::cold, gnu::noinline, gnu::visibility("hidden")]] inline kernel_facts facts_of_statement(
    device dev, const statement_kernel_choice& kernel, double read_bytes) {
  const int threads = kernel.share.threads();
  kernel_facts facts = facts_of_kernel(dev, kernel.address, threads);
  facts.shape = kernel.share.text();
  facts.bytes_in_flight = kernel.cells * read_bytes * threads * facts.blocks_per_processor;
  return facts;
}

template <class Work>
bool has_cells_of(const statement_shape& where) {
  return where.n[0] >= Work::cells && where.n[1] >= Work::rows && where.n[2] >= Work::planes;
}

template <class Work>
bool is_worth_a_march(const statement_shape& where) {
  return where.n[1] >= Work::rows && where.n[0] * where.n[1] * where.n[2] >= least_cells_of_march;
}

/// How `array<T, N> = E` is launched: arrays with their cells side by side along x (with neighbours
/// by 32-bit indices where these reach), or any strides (and extents below the cells of one
/// thread). @tparam Target, Lowered what its kernel takes
template <class T, int N, class E, class Target, class Lowered>
statement_kernel_choice statement_kernel_for(const statement_shape& where) {
  using tuning = statement_tuning<greater_of(static_cast<int>(sizeof(T)), E::widest), N, E::loads>;
  if (where.has_unit_stride) {
    if constexpr (E::is_pointwise) {
      using work = typename tuning::pointwise;
      if (has_cells_of<work>(where))
        return choice_of<statement_variant<work, true, lane_loads::packed, index_t, sector_bytes>,
                         Target, Lowered>();
    } else {
      using near = typename tuning::template neighbours<int>;
      using far = typename tuning::template neighbours<index_t>;
      if constexpr (has_column<E>)
        if (where.has_short_offsets && is_worth_a_march<typename tuning::march>(where))
          return choice_of<marching_variant<typename tuning::march, typename E::column>, Target,
                           Lowered>();
      if constexpr (N > 1)
        if (where.has_short_offsets && has_cells_of<near>(where))
          return choice_of<
              statement_variant<near, true, lane_loads::single, int, tuning::template begin<int>>,
              Target, Lowered>();
      if (has_cells_of<far>(where))
        return choice_of<statement_variant<far, true, lane_loads::single, index_t,
                                           tuning::template begin<index_t>>,
                         Target, Lowered>();
    }
  }
  return choice_of<statement_variant<typename tuning::strided, false, lane_loads::single>, Target,
                   Lowered>();
}

/// One statement on a GPU. E is the expression, `lowered` what its kernel takes.
/// @param rows of a launch, rounded up to whole blocks
template <class E, class T, int N, class Target, class Lowered>
void evaluate_cuda(const array_ref<T, N>& array, const Target& target, const Lowered& lowered,
                   const statement_shape& where, index_t rows) {
  const auto kernel = statement_kernel_for<T, N, E, Target, Lowered>(where);
  launch_statement(array.on(), kernel, &target, &lowered, where,
                   runtime::most_shift(target.data, target.stride, sizeof(T), kernel.begin), rows);
}

/// The kernel of a statement in numbers. @param read_bytes per cell
template <class E, class T, int N>
kernel_facts statement_facts(const array_ref<T, N>& array, double read_bytes,
                             const statement_shape& where) {
  using lowered = std::remove_cvref_t<decltype(for_kernel(
      std::declval<const E&>().lower(lowering{}), far_cells{}))>;
  return facts_of_statement(
      array.dev(), statement_kernel_for<T, N, E, device_target<T>, lowered>(where), read_bytes);
}

}  // namespace teff::inline TEFF_MODE::detail
