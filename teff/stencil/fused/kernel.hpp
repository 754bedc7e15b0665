// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <teff/expr/statement_tuning.hpp>
#include <teff/formula/bound.hpp>
#include <teff/kernel/block.hpp>
#include <teff/stencil/fused/cost.hpp>
#include <teff/stencil/fused/cut.hpp>

/// One step of several stages in one pass on a GPU. A thread computes its cells of all fields that
/// last; what an earlier stage makes of a cell is computed again wherever a later one reads it,
/// and never stored. So every field is read and written once (to second arrays, since neighbours
/// read the old values), where stages one by one move some fields several times. Threads near the
/// border ask of every cell whether a stage writes it. In plain C++ it runs in the emulator. Its
/// twin on a CPU is tiles/pass.hpp with a depth of 1.
///
/// Bytes in flight per multiprocessor: in 2-D 768 threads of 4 cells in f64, 1024 of 8 in f32, of
/// each field: 72 and 96 KB for three; in 3-D in f32 512 threads of 4 cells, 32 KB for four.
namespace teff::inline TEFF_MODE::detail {

template <class Formulas, class... T>
struct fused_work {
  using formulas_type = Formulas;
  tuple<device_leaf<T>...> from;
  tuple<device_target<T>...> to;
  Formulas formulas;  // right-hand sides of the stages
  index_t n[sizeof...(T)][3];
  fused_cut cut;
};

/// What of it values are computed from, with parameters fetched.
template <class Work>
struct fetched_work {
  const decltype(Work::from)& from;
  const decltype(Work::n)& n;
  typename Work::formulas_type formulas;

  TEFF_INLINE explicit fetched_work(const Work& all)
      : from(all.from), n(all.n), formulas(all.formulas) {
    fetch_parameters(formulas);
  }
};

template <class Step, int Stages, int S, bool IsChecked, int X, int Y, int Z, class Cell,
          class Work>
TEFF_INLINE auto value_after(const Cell& cell, const Work& here);

/// What stage number Stages sees: the fields as the stages before it leave them.
template <class Step, int Stages, bool IsChecked, class Cell, class Work>
struct fused_context {
  const Cell& cell;
  const Work& here;

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    return value_after<Step, Stages, S, IsChecked, X, Y, Z>(cell, here);
  }
  template <int D, int Offset>
  TEFF_INLINE auto index() const {
    return cell.template index<D, Offset>();
  }
};

/// Before all stages the fields are arrays. (Named apart: a whole step in the type of a context is
/// in the name of every node that is evaluated in it.)
template <class Step, int Stages, bool IsChecked, class Cell, class Work>
TEFF_INLINE auto seen_after(const Cell& cell, const Work& here) {
  if constexpr (Stages == 0)
    return bound_context<Cell, std::remove_cvref_t<decltype(here.from)>>{cell, here.from};
  else
    return fused_context<Step, Stages, IsChecked, Cell, Work>{cell, here};
}

/// Along dim D a stage writes cell `at` of a field of n cells.
template <class Written, int D>
TEFF_INLINE bool is_within(index_t at, const index_t (&n)[3]) {
  constexpr index_t low = Written::low[D], high = Written::high[D];
  return at >= low && at < n[D] - high;
}

/// Field S after the first `Stages` stages, (X, Y, Z) cells from `cell`.
template <class Step, int Stages, int S, bool IsChecked, int X, int Y, int Z, class Cell,
          class Work>
TEFF_INLINE auto value_after(const Cell& cell, const Work& here) {
  constexpr int K = last_writer<Step, S>(Stages);
  if constexpr (K < 0) {
    return cell.template load<X, Y, Z>(entry<Step::frame_from(S)>(here.from));
  } else {
    using stage = typename Step::template stage<K>;
    using written = typename stage::written;
    if constexpr (IsChecked) {
      const index_t(&n)[3] = here.n[S];
      if (!is_within<written, 0>(cell.i + X, n) || !is_within<written, 1>(cell.j + Y, n) ||
          !is_within<written, 2>(cell.k + Z, n))
        return value_after<Step, K, S, IsChecked, X, Y, Z>(cell, here);
    }
    // A formula counts from its target's first cell.
    return for_lanes(
        [](auto value) { return static_cast<typename stage::value_type>(value); },
        entry<K>(here.formulas)
            .template eval<X - written::low[0], Y - written::low[1], Z - written::low[2]>(
                seen_after<Step, Step::sees(K), IsChecked>(cell, here)));
  }
}

/// The kernel. @tparam Shape a statement_work
template <class Step, class Shape, class Work, class... T>
struct fused_pass {
  static constexpr int threads = Shape::threads, least_blocks = Shape::least_blocks;
  static constexpr bool has_cpu_twin = true;
  static constexpr int V = Shape::cells, rows = Shape::rows, planes = Shape::planes;
  static constexpr runtime::fused_block block_shape{V, rows, planes, Shape::threads_x, threads};
  /// Of all stages together.
  static constexpr int reach = []<int... K>(std::integer_sequence<int, K...>) {
    return (0 + ... + Step::template radius_of_stage<K>());
  }
  (std::make_integer_sequence<int, Step::stages>{});
  /// Of a thread, from memory.
  static constexpr int bytes_in_flight = []<int... S>(std::integer_sequence<int, S...>) {
    return V * rows * planes *
           (0 + ... +
            ((Step::template evolves<S>() ? Step::template has_history<S>()
                                          : Step::template reads<S>().is_read)
                 ? static_cast<int>(sizeof(T))
                 : 0));
  }
  (std::make_integer_sequence<int, sizeof...(T)>{});
  using field_numbers = std::make_integer_sequence<int, sizeof...(T)>;
  using pack_numbers = std::make_integer_sequence<int, rows * planes>;
  template <int S>
  using value_of = std::tuple_element_t<S, std::tuple<T...>>;

  Work work;

  /// Without parameters nothing is fetched: what the kernel was given, where it is.
  static constexpr bool fetches = has_parameters<typename Work::formulas_type>;
  using here_type = std::conditional_t<fetches, fetched_work<Work>, Work>;

  TEFF_INLINE void operator()(block& blk) const {
    const fused_cut& cut = work.cut;
    const index_t number = blk.index(0), column = number % cut.blocks[0],
                  row = number / cut.blocks[0] % cut.blocks[1],
                  plane = number / cut.blocks[0] / cut.blocks[1];
    const int x = blk.thread() % cut.threads_x, y = blk.thread() / cut.threads_x;
    const cell_context<V, true> at{(column * cut.threads_x + x) * V,
                                   (row * (threads / cut.threads_x) + y) * rows, plane * planes};
    const std::conditional_t<fetches, here_type, const here_type&> here(work);
    if (is_inside(at))
      store_all(at, values_of(at, here, field_numbers{}), field_numbers{});
    else
      each_cell(at, here, field_numbers{});
  }

 private:
  TEFF_INLINE bool is_inside(const cell_context<V, true>& at) const {
    const index_t(&first)[3] = work.cut.first, (&last)[3] = work.cut.last;
    return at.i >= first[0] && at.i + V <= last[0] && at.j >= first[1] && at.j + rows <= last[1] &&
           at.k >= first[2] && at.k + planes <= last[2];
  }

  template <class Value>
  struct packs {
    pack<Value, V> of[rows * planes];
  };
  struct none {};

  /// All values before any is stored: so all loads are in flight together.
  template <int... S>
  TEFF_INLINE auto values_of(const cell_context<V, true>& at, const here_type& here,
                             std::integer_sequence<int, S...>) const {
    return tuple_of(field_values<S>(at, here, pack_numbers{})...);
  }
  template <int S, int... P>
  TEFF_INLINE auto field_values(const cell_context<V, true>& at, const here_type& here,
                                std::integer_sequence<int, P...>) const {
    if constexpr (!Step::lasts(S))
      return none{};
    else
      return packs<value_of<S>>{{as_pack<S>(
          value_after<Step, Step::stages, S, false, 0, P % rows, P / rows>(at, here))...}};
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
    if constexpr (Step::lasts(S)) {
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
  TEFF_INLINE void each_cell(const cell_context<V, true>& at, const here_type& here,
                             std::integer_sequence<int, S...>) const {
    TEFF_NO_UNROLL
    for (int c = 0; c < V * rows * planes; ++c) {
      const cell_context<1, true> cell{at.i + c % V, at.j + c / V % rows, at.k + c / V / rows};
      (take_cell<S>(cell, here), ...);
    }
  }
  template <int S>
  TEFF_INLINE void take_cell(const cell_context<1, true>& cell, const here_type& here) const {
    if constexpr (Step::lasts(S)) {
      const index_t(&n)[3] = work.n[S];
      if (cell.i < n[0] && cell.j < n[1] && cell.k < n[2])
        *entry<S>(work.to).template at<true>(cell.i, cell.j, cell.k) =
            value_after<Step, Step::stages, S, true, 0, 0, 0>(cell, here);
    }
  }
};

/// By bytes of the widest field, rank, and number of fields: of more than three, stages have more
/// to keep that cells share, so there fewer threads have more registers
/// (results/h100/readings/shapes_of_rows.txt; in 2-D results/h200/readings/fused_shapes.txt).
template <int Widest, int Rank, int Fields>
using fused_shape = std::conditional_t<
    Rank == 1, statement_work<16 / Widest, 1, 1, 256, 1, 1, 1024>,
    std::conditional_t<
        Rank == 2,
        std::conditional_t<(Widest >= 8),
                           statement_work<2, 2, 1, 64, 2, 1, (Fields > 3 ? 512 : 768)>,
                           statement_work<2, 4, 1, 64, 2, 1, (Fields > 3 ? 512 : 1024)>>,
        std::conditional_t<(Widest >= 8), statement_work<1, 2, 1, 128, 2, 1, 1024>,
                           statement_work<2, 2, 1, 32, 8, 1, 512>>>>;
template <class Step, class Formulas, class... T>
using fused_kernel =
    fused_pass<Step, fused_shape<Step::widest, Step::rank, static_cast<int>(sizeof...(T))>,
               fused_work<Formulas, T...>, T...>;

}  // namespace teff::inline TEFF_MODE::detail
