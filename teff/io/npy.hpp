// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/io/field_bytes.hpp>

/// NumPy's file of one array. It says that the first index is contiguous (fortran_order), so that
/// numpy.load gives an array of shape (nx, ny, nz) whose a[ix, iy, iz] is Teff's A(ix, iy, iz).
namespace teff::io {

/// The file's bytes. @throws error if the values do not fit the shape
/// @source NumPy's format 1.0, numpy.lib.format
std::string npy_bytes(const field_bytes& field);

/// The same into a file, whole or not at all.
void write_npy(const std::string& path, const field_bytes& field);

}  // namespace teff::io
