// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/io/grid_field.hpp>
#include <teff/io/npy.hpp>

/// A grid array in NumPy's file: the whole of it, as if one rank had written it.
namespace teff::io {

/// Every rank writes a share of the file; the bytes are those of write_npy of the gathered array.
/// Collective.
/// @throws error on all ranks alike where one can not write; what was there stays
/// @sync waits for the array's stream
void write_npy(const std::string& path, const grid_field& a);

/// Every rank reads a share of the file and gives the others theirs; both orders and byte orders,
/// as read_npy<T, N>. Collective.
/// @throws error on all ranks alike if it can not be read, or holds an array of another type or
/// shape; then the array was not changed, unless the file itself fails on the way
/// @sync waits for the array's stream
void read_npy(const std::string& path, const grid_field& a);

}  // namespace teff::io
