// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/io/grid_field.hpp>
#include <teff/io/vti.hpp>

/// VTK's files of fields on one regular grid in parts, as ParaView opens them.
namespace teff::io {

/// The arrays of one grid, each of any type: write_pvti("heat.pvti", {{"T", T}}, {.spacings = {dx,
/// dy}}). Every rank writes the cells of its part, heat_0.vti and so on, and the root heat.pvti,
/// which names them. Values are those of cells, whose faces meet where parts do; `origin` is where
/// the first value lies, as in a .vti file: the centre of the first cell. Fields of one file have
/// one shape. Collective.
/// @throws error on all ranks alike; what was there stays where a rank can not write
/// @sync waits for the arrays' streams
void write_pvti(const std::string& path, const std::vector<named_grid_field>& fields,
                const vti_options& options = {});

}  // namespace teff::io
