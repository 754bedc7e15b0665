// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/io/vti.hpp>

/// What .vti and .pvti files have in common: VTK's words for a regular grid. For the room.
namespace teff::io {

/// VTK's name of a type that arrays have: "Float64".
std::string vtk_type(const std::string& type);

/// @throws error unless fields have one shape, of one to three dims, and plain names, no two alike
void check_vti_fields(const std::vector<field_bytes>& fields);

/// Origin and spacings, a number each for `rank` dims. @throws error for another number of them,
/// for what is not finite, and for spacings not above 0
vti_options filled(const vti_options& options, std::size_t rank, const std::string& path,
                   const std::string& first);

/// "0 3 4 8 0 0": first and last point along each dim. @param first, last by dim
std::string vtk_extent(const std::vector<index_t>& first, const std::vector<index_t>& last);

/// ` WholeExtent="..." Origin="..." Spacing="..."`; what is not there is 0 and 1.
std::string vtk_grid(const std::string& extent, const std::vector<double>& origin,
                     const std::vector<double>& spacings);

/// A file of one piece. @param data "PointData" or "CellData"
std::string vti_file(const std::string& extent, const std::string& grid, const std::string& data,
                     const std::vector<field_bytes>& fields);

}  // namespace teff::io
