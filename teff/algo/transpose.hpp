// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/overlap.hpp>
#include <teff/algo/transpose/cpu.hpp>
#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>
#include <teff/kernel/streaming_store.hpp>
#ifdef __CUDACC__
#include <teff/algo/transpose/tiles.hpp>
#endif

/// Copies with the dims in another order.
namespace teff::inline TEFF_MODE {

/// A permutation of dims, as {1, 2, 0}.
template <int N>
struct dim_order {
  int of[N] = {};

  template <std::integral... I>
  requires(sizeof...(I) == N) constexpr dim_order(I... dims)
      : of{static_cast<int>(dims)...} {}  // NOLINT: braces are the way

  std::string text() const {
    std::string result = "{";
    for (int d = 0; d < N; ++d) result += (d == 0 ? "" : ", ") + std::to_string(of[d]);
    return result + "}";
  }
};

/// The array with its dims in another order, shares the cells: dim d of the result is dim order[d]
/// of `a`.
/// @throws error if `order` is no permutation
template <class T, int N>
array_ref<T, N> permuted(const array_ref<T, N>& a, const dim_order<N>& order) {
  unsigned seen = 0;
  for (const int d : order.of) seen |= d >= 0 && d < N ? 1u << d : 0u;
  if (seen != (1u << N) - 1)
    throw error("not a permutation: " + order.text() + " of the dims of " + described(a) +
                "; each of 0 to " + std::to_string(N - 1) + " must be there once");
  view<T, N> cells = a.view();
  for (int d = 0; d < N; ++d) {
    cells.shape[d] = a.extent(order.of[d]);
    cells.strides[d] = a.stride(order.of[d]);
  }
  return {a.on(), a.block(), cells, a.shared_label()};
}

namespace detail {

/// What a statement `target = source` copies, in numbers.
template <class T, int N>
strided_copy copy_of(const array_ref<T, N>& target, const array_ref<T, N>& source) {
  strided_copy copy;
  for (int d = 0; d < N; ++d) {
    copy.n[d] = target.extent(d);
    copy.target[d] = target.stride(d);
    copy.source[d] = source.stride(d);
  }
  return copy;
}

/// B = permuted A, by tiles where that is faster. @param asked what the caller wrote, for messages
template <class T, int N>
void permute_cells(const array_ref<T, N>& B, const array_ref<T, N>& A,
                   const array_ref<T, N>& source, const char* kind, const std::string& asked) {
  if (!(B.shape() == source.shape()))
    throw error(std::string(kind) + ": " + asked + " of " + described(A) + " has " +
                extents_text(source.shape()) + " cells, the target is " + described(B) +
                "; the extents must agree");
  refuse_overlap(kind, B, A, "the source");
  const transpose_plan plan = plan_transpose(copy_of(B, source));
  if (plan.way == transpose_way::nothing) return;
  if (plan.way == transpose_way::plain) return assign(B, source);

  operation<T, N> found(B);
  found.reads(source);
  found.run(
      kind,
      [&] {
        return operation_facts{traffic_of(B, source), ""};
      },
      [&] {
        if (B.dev().is_cpu()) {
          runtime::transpose_cpu(plan, B.data(), source.data(), sizeof(T), exceeds_cache(bytes(B)));
        } else {
#ifdef __CUDACC__
          transpose_blocks(B.on(), plan, B.data(), source.data());
#else
          runtime::throw_no_kernel(kind, B.dev());
#endif
        }
      });
}

}  // namespace detail

/// B(i, j) = A(j, i).
/// @shape A: (m, n), B: (n, m); any strides; unit strides along the first dim of both are fast
/// @traffic reads A, writes B
/// @throws error on extents that differ, arrays on different devices, or if the two overlap (also
/// in place)
/// @sync asynchronous on the stream of B
template <class T>
void transpose(const array_ref<T, 2>& B, const array_ref<T, 2>& A) {
  detail::permute_cells(B, A, transposed(A), "transpose", "the transpose");
}

/// Dim d of B is dim order[d] of A: permute(B, A, {1, 2, 0}) makes B(i, j, k) = A(k, i, j), and B
/// has the extents (A.extent(1), A.extent(2), A.extent(0)). Where the same dim is contiguous in
/// both it is one statement.
/// @traffic reads A, writes B
/// @throws error as transpose, and if `order` is no permutation of the dims
/// @sync asynchronous on the stream of B
template <class T>
void permute(const array_ref<T, 2>& B, const array_ref<T, 2>& A, dim_order<2> order) {
  detail::permute_cells(B, A, permuted(A, order), "permute", "permutation " + order.text());
}
template <class T>
void permute(const array_ref<T, 3>& B, const array_ref<T, 3>& A, dim_order<3> order) {
  detail::permute_cells(B, A, permuted(A, order), "permute", "permutation " + order.text());
}

}  // namespace teff::inline TEFF_MODE
