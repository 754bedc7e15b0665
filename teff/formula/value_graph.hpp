// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <teff/expr/operands.hpp>
#include <teff/expr/sharing.hpp>

/// What the stages of a step compute: every value, and at how many cells. By it the engine knows
/// what is saved where one of them is kept (once_levels.hpp). All is known when a formula is
/// compiled; no value is computed here.
namespace teff::inline TEFF_MODE::detail {

// ---- values as types

template <int Number, class E>
struct graph_number {};
template <class Numbers, class... E>
struct graph_numbers;
template <int... Number, class... E>
struct graph_numbers<std::integer_sequence<int, Number...>, E...> : graph_number<Number, E>... {};

template <class List>
struct listed_types;
template <class... E>
struct listed_types<operand_list<E...>> : std::type_identity<E>... {};
template <class List, class E>
inline constexpr bool is_listed = std::is_base_of_v<std::type_identity<E>, listed_types<List>>;

/// A list, and the values of E that it lacks: each after its operands. What has no operands, as a
/// field or a number, is no value here.
template <class List, class E, class Operands = typename operands_of<E>::type,
          bool IsKnown = is_listed<List, E>>
struct with_graph_value {
  using type = List;
};
template <class List, class Operands>
struct with_graph_values {
  using type = List;
};
template <class List, class First, class... Rest>
struct with_graph_values<List, operand_list<First, Rest...>>
    : with_graph_values<typename with_graph_value<List, First>::type, operand_list<Rest...>> {};
template <class List, class E>
struct with_last_type;
template <class... A, class E>
struct with_last_type<operand_list<A...>, E> {
  using type = operand_list<A..., E>;
};
template <class List, class E>
struct with_graph_value<List, E, operand_list<>, false> {
  using type = List;
};
template <class List, class E, class... Operand>
struct with_graph_value<List, E, operand_list<Operand...>, false>
    : with_last_type<typename with_graph_values<List, operand_list<Operand...>>::type, E> {};

/// E reads its operand through an operator, that is rounded.
template <class E>
inline constexpr bool is_operator = false;
template <class Fn, class Shrink, class E, class... At>
inline constexpr bool is_operator<neighbours<Fn, Shrink, E, At...>> = true;

/// What a value takes besides its operands, in additions.
template <class E>
inline constexpr int own_effort = 0;
template <class Op, class L, class R>
inline constexpr int own_effort<binary<Op, L, R>> = greater_of(effort_of<Op>, 0);
template <class Fn, class... E>
inline constexpr int own_effort<call<Fn, E...>> = greater_of(effort_of<Fn>, 0);
template <class Fn, class Shrink, class E, class... At>
inline constexpr int own_effort<neighbours<Fn, Shrink, E, At...>> = greater_of(effort_of<Fn>, 0);

/// f.operator()<Operand, At>() for every operand of a value, at each offset at which it is read.
template <class E, class Operands = typename operands_of<E>::type>
struct reads_of_value;
template <class E, class... Operand>
struct reads_of_value<E, operand_list<Operand...>> {
  static constexpr int count = sizeof...(Operand);
  template <class F>
  static constexpr void each(F& f) {
    (f.template operator()<Operand, offset<0>>(), ...);
  }
};
template <class Fn, class Shrink, class E, class... At>
struct reads_of_value<neighbours<Fn, Shrink, E, At...>, operand_list<E>> {
  static constexpr int count = sizeof...(At);
  template <class F>
  static constexpr void each(F& f) {
    (f.template operator()<E, At>(), ...);
  }
};

// ---- the same in numbers

/// Cells of a box, seen from the one that a formula is evaluated at. No offset is negative.
template <int Rank>
struct cell_set {
  static constexpr int size = Rank == 3 ? 10 : Rank == 2 ? 16 : 256;  ///< in each dim
  static constexpr int words = (Rank == 3 ? size * size * size + 63 : 256) / 64;
  std::uint64_t word[words] = {};

  static constexpr int place(int x, int y, int z) { return x + size * (y + size * z); }
  /// Adds other cells, each moved by so many places.
  constexpr void add(const cell_set& other, int by) {
    const int far = by / 64, near = by % 64;
    for (int w = far; w < words; ++w) {
      const std::uint64_t here = other.word[w - far];
      if (here == 0) continue;
      word[w] |= here << near;
      if (near > 0 && w + 1 < words) word[w + 1] |= here >> (64 - near);
    }
  }
  constexpr int count() const {
    int cells = 0;
    for (const std::uint64_t one : word)
      for (std::uint64_t left = one; left != 0; left &= left - 1) ++cells;
    return cells;
  }
};

/// What is saved where the value of that number is computed once for each cell and kept.
struct saved_effort {
  int value, saved;
};

/// Where a value reads another one.
struct value_read {
  int of, at[3];
};

template <int Rank, class Roots,
          class Values = typename with_graph_values<operand_list<>, Roots>::type>
class value_graph;
/// The values of some formulas. @tparam E each comes after its operands
template <int Rank, class... Root, class... E>
class value_graph<Rank, operand_list<Root...>, operand_list<E...>> {
  static constexpr int count = sizeof...(E);
  using list = graph_numbers<std::make_integer_sequence<int, count>, E...>;

  template <class Value, int Number>
  static constexpr int number_in(const graph_number<Number, Value>*) {
    return Number;
  }
  template <class>
  static constexpr int number_in(const void*) {
    return none;
  }
  template <class Value>
  static constexpr int number_of() {
    return number_in<Value>(static_cast<const list*>(nullptr));
  }

 public:
  static constexpr int none = -1;

  // (Public, as clang 14 looks for it where the alias is used.)
  template <int Number, class Value>
  static std::type_identity<Value> type_of(const graph_number<Number, Value>*);
  template <int Number>
  using value = typename decltype(type_of<Number>(static_cast<const list*>(nullptr)))::type;

  /// The value, read through operators, that saves most, or none. @tparam InPlace values that are
  /// not to be kept
  template <class... InPlace>
  static constexpr saved_effort worth_most(int least_saved, operand_list<InPlace...>) {
    saved_effort best{none, least_saved - 1};
    if (!fits()) return best;
    bool is_candidate[count + 1] = {};
    for (int v = 0; v < count; ++v)
      for (int r = known.first[v]; known.is_operator[v] && r < known.first[v + 1]; ++r)
        if (known.reads[r].of != none) is_candidate[known.reads[r].of] = true;
    ((number_of<InPlace>() != none ? void(is_candidate[number_of<InPlace>()] = false) : void()),
     ...);
    const int as_written = (0 + ... + effort(number_of<Root>(), none));
    for (int v = 0; v < count; ++v) {
      if (!is_candidate[v]) continue;
      const int kept = (effort(v, none) + ... + effort(number_of<Root>(), v));
      if (as_written - kept > best.saved) best = {v, as_written - kept};
    }
    return best;
  }

 private:
  struct values {
    int effort[count + 1], first[count + 1];
    bool is_operator[count + 1];
    value_read reads[(1 + ... + reads_of_value<E>::count)];
  };
  static constexpr values known = [] {
    values all{};
    int reads = 0, v = 0;
    auto add_read = [&]<class Operand, class At>() {
      all.reads[reads++] = {number_of<Operand>(), {At::x, At::y, At::z}};
    };
    ((all.effort[v] = own_effort<E>, all.is_operator[v] = is_operator<E>, all.first[v++] = reads,
      reads_of_value<E>::each(add_read)),
     ...);
    all.first[v] = reads;
    return all;
  }();

  /// All cells that are read lie in the box.
  static constexpr bool fits() {
    int farthest[count + 1][3] = {};
    for (int v = count - 1; v >= 0; --v)
      for (int r = known.first[v]; r < known.first[v + 1]; ++r) {
        const value_read& read = known.reads[r];
        for (int d = 0; d < 3 && read.of != none; ++d) {
          const int at = farthest[v][d] + read.at[d];
          if (at >= (d < Rank ? cell_set<Rank>::size : 1)) return false;
          farthest[read.of][d] = greater_of(farthest[read.of][d], at);
        }
      }
    return true;
  }
  /// Of one evaluation of a value. @param kept another one, that operators find ready
  static constexpr int effort(int root, int kept) {
    if (root == none) return 0;
    cell_set<Rank> cells[count + 1] = {};
    cells[root].word[0] = 1;
    int sum = 0;
    for (int v = root; v >= 0; --v) {
      const int times = cells[v].count();
      if (times == 0) continue;
      sum += times * known.effort[v];
      for (int r = known.first[v]; r < known.first[v + 1]; ++r) {
        const value_read& read = known.reads[r];
        if (read.of == none || (read.of == kept && known.is_operator[v])) continue;
        cells[read.of].add(cells[v], cell_set<Rank>::place(read.at[0], read.at[1], read.at[2]));
      }
    }
    return sum;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
