// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <teff/expr/statement_tuning.hpp>
#include <teff/formula/bound.hpp>
#include <teff/kernel/block.hpp>
#include <teff/kernel/kernel_facts.hpp>

/// One step of several stages in one pass on a GPU. A thread computes its cells of all fields that
/// evolve; what an earlier stage makes of a cell is computed again wherever a later one reads it,
/// and never stored. So every field is read and written once (to second arrays, since neighbours
/// read the old values), where stages one by one move some fields several times. Threads near the
/// border ask of every cell whether a stage writes it. In plain C++ it runs in the emulator. Its
/// twin on a CPU is tiles/pass.hpp with a depth of 1.
///
/// Bytes in flight per multiprocessor: 1024 threads of 2 cells in f64, 8 in f32 (in 1-D 4), of each
/// field: 48 and 96 KB for three; in 3-D in f32 768 threads, 96 KB for four.
namespace teff::inline TEFF_MODE::detail {

/// The last of the first `stages` stages that writes field S; -1: none.
template <class Step, int S>
constexpr int last_writer(int stages) {
  for (int k = stages - 1; k >= 0; --k)
    if (Step::slot_of(k) == S) return k;
  return -1;
}

/// How many cells of a field a formula reads, at most.
constexpr int cells_read(const footprint& reads) {
  int box = 1, star = 1;
  for (int d = 0; d < 3; ++d) {
    box *= reads.high[d] - reads.low[d] + 1;
    star += reads.high[d] - reads.low[d];
  }
  return !reads.is_read ? 0 : reads.has_corners ? box : star;
}

/// What fusing a step's stages costs: right-hand sides are counted once for each reader.
template <class Step, int Fields>
struct fused_cost {
  /// That a cell of all fields takes.
  static constexpr int evaluations() { return sum(false); }
  /// Operations, for each one that stages one by one take.
  static constexpr double overlap() {
    return Step::flops > 0 ? static_cast<double>(sum(true)) / Step::flops : 1;
  }
  /// What memory has time for is the model's to say; this is what the compiler has.
  static constexpr bool is_sensible() { return evaluations() <= 24 && sum(true) <= 512; }

 private:
  using costs = std::array<int, static_cast<std::size_t>(Step::stages)>;

  /// Of all fields: right-hand sides, or their operations.
  static constexpr int sum(bool of_flops) {
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      costs cost{};
      ((cost[K] = of_stage<K>(cost, of_flops, std::make_integer_sequence<int, Fields>{})), ...);
      return (0 + ... + (is_last<K>() ? cost[K] : 0));
    }
    (std::make_integer_sequence<int, Step::stages>{});
  }
  template <int K, int... S>
  static constexpr int of_stage(const costs& earlier, bool of_flops,
                                std::integer_sequence<int, S...>) {
    using stage = typename Step::template stage<K>;
    const auto of_field = [&](int writer, const footprint& reads) {
      return writer < 0 ? 0 : cells_read(reads) * earlier[static_cast<std::size_t>(writer)];
    };
    return (of_flops ? stage::rhs::flops : 1) +
           (0 + ... + of_field(last_writer<Step, S>(K), stage::template reads<S>()));
  }
  /// No later stage writes the field of stage K.
  template <int K>
  static constexpr bool is_last() {
    return last_writer<Step, Step::slot_of(K)>(Step::stages) == K;
  }
};

template <class Formulas, class... T>
struct fused_work {
  tuple<device_leaf<T>...> from;
  tuple<device_target<T>...> to;
  Formulas formulas;  // right-hand sides of the stages
  index_t n[sizeof...(T)][3];
  index_t all[3];             // of the fields that evolve, the most
  index_t first[3], last[3];  // cells at which all stages write all that is computed
  index_t blocks[2];          // along x and y
  int threads_x;              // of a block; short rows take fewer
};

template <class Step, int Stages, int S, bool IsChecked, int X, int Y, int Z, class Cell,
          class Work>
TEFF_INLINE auto value_after(const Cell& cell, const Work& work);

/// What stage number Stages sees: the fields as the stages before it leave them.
template <class Step, int Stages, bool IsChecked, class Cell, class Work>
struct fused_context {
  const Cell& cell;
  const Work& work;

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    return value_after<Step, Stages, S, IsChecked, X, Y, Z>(cell, work);
  }
  template <int D, int Offset>
  TEFF_INLINE auto index() const {
    return cell.template index<D, Offset>();
  }
};

/// Along dim D a stage writes cell `at` of a field of n cells.
template <class Written, int D>
TEFF_INLINE bool is_within(index_t at, const index_t (&n)[3]) {
  constexpr index_t low = Written::low[D], high = Written::high[D];
  return at >= low && at < n[D] - high;
}

/// Field S after the first `Stages` stages, (X, Y, Z) cells from `cell`.
template <class Step, int Stages, int S, bool IsChecked, int X, int Y, int Z, class Cell,
          class Work>
TEFF_INLINE auto value_after(const Cell& cell, const Work& work) {
  constexpr int K = last_writer<Step, S>(Stages);
  if constexpr (K < 0) {
    return cell.template load<X, Y, Z>(entry<S>(work.from));
  } else {
    using stage = typename Step::template stage<K>;
    using written = typename stage::written;
    if constexpr (IsChecked) {
      const index_t(&n)[3] = work.n[S];
      if (!is_within<written, 0>(cell.i + X, n) || !is_within<written, 1>(cell.j + Y, n) ||
          !is_within<written, 2>(cell.k + Z, n))
        return value_after<Step, K, S, IsChecked, X, Y, Z>(cell, work);
    }
    // A formula counts from its target's first cell.
    return for_lanes(
        [](auto value) { return static_cast<typename stage::value_type>(value); },
        entry<K>(work.formulas)
            .template eval<X - written::low[0], Y - written::low[1], Z - written::low[2]>(
                fused_context<Step, K, IsChecked, Cell, Work>{cell, work}));
  }
}

/// The kernel. @tparam Shape a statement_work
template <class Step, class Shape, class Work, class... T>
struct fused_stages {
  static constexpr int threads = Shape::threads, least_blocks = Shape::least_blocks;
  static constexpr bool has_cpu_twin = true;
  static constexpr int V = Shape::cells, rows = Shape::rows, planes = Shape::planes;
  using field_numbers = std::make_integer_sequence<int, sizeof...(T)>;
  using pack_numbers = std::make_integer_sequence<int, rows * planes>;
  template <int S>
  using value_of = std::tuple_element_t<S, std::tuple<T...>>;

  Work work;

  TEFF_INLINE void operator()(block& blk) const {
    const index_t number = blk.index(0), column = number % work.blocks[0],
                  row = number / work.blocks[0] % work.blocks[1],
                  plane = number / work.blocks[0] / work.blocks[1];
    const int x = blk.thread() % work.threads_x, y = blk.thread() / work.threads_x;
    const cell_context<V, true> at{(column * work.threads_x + x) * V,
                                   (row * (threads / work.threads_x) + y) * rows, plane * planes};
    if (is_inside(at))
      store_all(at, values_of(at, field_numbers{}), field_numbers{});
    else
      each_cell(at, field_numbers{});
  }

 private:
  TEFF_INLINE bool is_inside(const cell_context<V, true>& at) const {
    return at.i >= work.first[0] && at.i + V <= work.last[0] && at.j >= work.first[1] &&
           at.j + rows <= work.last[1] && at.k >= work.first[2] && at.k + planes <= work.last[2];
  }

  template <class Value>
  struct packs {
    pack<Value, V> of[rows * planes];
  };
  struct none {};

  /// All values before any is stored: so all loads are in flight together.
  template <int... S>
  TEFF_INLINE auto values_of(const cell_context<V, true>& at,
                             std::integer_sequence<int, S...>) const {
    return tuple_of(field_values<S>(at, pack_numbers{})...);
  }
  template <int S, int... P>
  TEFF_INLINE auto field_values(const cell_context<V, true>& at,
                                std::integer_sequence<int, P...>) const {
    if constexpr (!Step::template evolves<S>())
      return none{};
    else
      return packs<value_of<S>>{{as_pack<S>(
          value_after<Step, Step::stages, S, false, 0, P % rows, P / rows>(at, work))...}};
  }
  template <int S, class Value>
  TEFF_INLINE static pack<value_of<S>, V> as_pack(const Value& value) {
    pack<value_of<S>, V> values;
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) values.lane[v] = lane(value, v);
    return values;
  }

  template <class Values, int... S>
  TEFF_INLINE void store_all(const cell_context<V, true>& at, const Values& values,
                             std::integer_sequence<int, S...>) const {
    (store_field<S>(at, entry<S>(values)), ...);
  }
  template <int S, class Values>
  TEFF_INLINE void store_field(const cell_context<V, true>& at, const Values& values) const {
    if constexpr (Step::template evolves<S>()) {
      const auto& to = entry<S>(work.to);
      auto* const first = to.template at<true>(at.i, at.j, at.k);
      TEFF_UNROLL
      for (int p = 0; p < rows * planes; ++p)
        store_lanes(moved_by(first, p % rows * to.stride[1] + p / rows * to.stride[2]),
                    values.of[p]);
    }
  }

  /// Near the border: one by one, those that the fields have.
  template <int... S>
  TEFF_INLINE void each_cell(const cell_context<V, true>& at,
                             std::integer_sequence<int, S...>) const {
    TEFF_NO_UNROLL
    for (int c = 0; c < V * rows * planes; ++c) {
      const cell_context<1, true> cell{at.i + c % V, at.j + c / V % rows, at.k + c / V / rows};
      (take_cell<S>(cell), ...);
    }
  }
  template <int S>
  TEFF_INLINE void take_cell(const cell_context<1, true>& cell) const {
    if constexpr (Step::template evolves<S>()) {
      const index_t(&n)[3] = work.n[S];
      if (cell.i < n[0] && cell.j < n[1] && cell.k < n[2])
        *entry<S>(work.to).template at<true>(cell.i, cell.j, cell.k) =
            value_after<Step, Step::stages, S, true, 0, 0, 0>(cell, work);
    }
  }
};

/// By bytes of the widest field and rank: in f64 four rows need more than the 64 registers, and in
/// f32, in 3-D, four fields that evolve.
template <int Widest, int Rank>
using fused_shape = std::conditional_t<
    Rank == 1, statement_work<16 / Widest, 1, 1, 256, 1, 1, 1024>,
    std::conditional_t<Widest == 8, statement_work<1, 2, 1, 128, 2, 1, 1024>,
                       statement_work<2, 4, 1, 64, 2, 1, Rank == 3 ? 768 : 1024>>>;
template <class Step, class Formulas, class... T>
using fused_kernel =
    fused_stages<Step, fused_shape<Step::widest, Step::rank>, fused_work<Formulas, T...>, T...>;

/// One step. @param formulas of its stages
template <class Step, class Formulas, class... T>
void launch_fused(const stream& on, const Formulas& formulas, const tuple<device_leaf<T>...>& from,
                  const tuple<device_target<T>...>& to, const shape3 (&extents)[sizeof...(T)]) {
  using kernel = fused_kernel<Step, Formulas, T...>;
  using shape = fused_shape<Step::widest, Step::rank>;
  kernel fused{{from, to, formulas, {}, {1, 1, 1}, {}, {}, {}, shape::threads_x}};
  auto& work = fused.work;
  for (std::size_t f = 0; f < sizeof...(T); ++f)
    for (int d = 0; d < 3; ++d) work.n[f][d] = extents[f].n[d];
  for (int d = 0; d < 3; ++d)
    work.last[d] = d < Step::rank ? extents[Step::leading_slot()].n[d] : 1;
  index_t reach = 0;  // of all stages together
  const auto look_at = [&]<int K>() {
    using stage = typename Step::template stage<K>;
    reach += Step::template radius_of_stage<K>();
    for (int d = 0; d < Step::rank; ++d) {
      const index_t n = work.n[stage::slot][d];
      work.all[d] = std::max(work.all[d], n);
      work.first[d] = std::max<index_t>(work.first[d], stage::written::low[d]);
      work.last[d] = std::min(work.last[d], n - stage::written::high[d]);
    }
  };
  each_number(look_at, std::make_integer_sequence<int, Step::stages>{});
  for (int d = 0; d < Step::rank; ++d) {
    work.first[d] += reach;
    work.last[d] -= reach;
  }
  while (work.threads_x > 32 && work.threads_x / 2 * shape::cells >= work.all[0])
    work.threads_x /= 2;
  work.blocks[0] = ceil_div(work.all[0], work.threads_x * shape::cells);
  work.blocks[1] = ceil_div(work.all[1], shape::threads / work.threads_x * shape::rows);
  launch_blocks(on,
                {.blocks = {work.blocks[0] * work.blocks[1] * ceil_div(work.all[2], shape::planes)},
                 .threads = {shape::threads}},
                fused);
}

#ifdef __CUDACC__
/// The kernel in numbers.
template <class Step, class Formulas, class... T>
kernel_facts facts_of_fused(device dev) {
  using shape = fused_shape<Step::widest, Step::rank>;
  kernel_facts facts =
      facts_of_block_kernel<fused_kernel<Step, Formulas, T...>>(dev, shape::threads, 0);
  facts.shape = std::to_string(shape::threads_x) + "x" + std::to_string(shape::threads_y) +
                " threads, each " + std::to_string(shape::cells) + "x" +
                std::to_string(shape::rows) + "x" + std::to_string(shape::planes) +
                " cells, all stages";
  const int cell_bytes = [&]<int... S>(std::integer_sequence<int, S...>) {
    return (0 + ... +
            ((Step::template evolves<S>() ? Step::template has_history<S>()
                                          : Step::template reads<S>().is_read)
                 ? static_cast<int>(sizeof(T))
                 : 0));
  }
  (std::make_integer_sequence<int, sizeof...(T)>{});
  facts.bytes_in_flight = static_cast<double>(cell_bytes) * shape::cells * shape::rows *
                          shape::planes * shape::threads * facts.blocks_per_processor;
  return facts;
}
#endif

}  // namespace teff::inline TEFF_MODE::detail
