// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <teff/base/config.hpp>

/// Fields of a time step that are the library's own: they stand after those that iterate() is
/// given, hold values within a step, and nothing from one step to the next. One stage writes each,
/// before any reads it. Passes of whole steps keep them in their levels, without any array.
namespace teff::inline TEFF_MODE {

/// In place of an owner: the field is one of those that iterate() is given.
inline constexpr int not_own = -1;
/// In place of an owner: all cells of the field are written, and no array has such values; its
/// extents are those of its right-hand side.
inline constexpr int no_owner = -2;

/// A time step with such fields. Owner: of each, the field that evolves whose type, extents and
/// cells outside the target it has. The owner's stages write no cell outside that target, and
/// conditions set the same cells of both: so what is left of them is the same at all times.
template <class Stages, int... Owner>
struct step_with_own_fields {
  Stages list;
};

namespace detail {

/// The owners, in order, of the fields that are a formula's own.
template <class Formula>
struct own_fields {
  using owners = std::integer_sequence<int>;
};
template <class Stages, int... Owner>
struct own_fields<step_with_own_fields<Stages, Owner...>> {
  using owners = std::integer_sequence<int, Owner...>;
};

}  // namespace detail
}  // namespace teff::inline TEFF_MODE
