// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/io/any_field.hpp>
#include <teff/io/field_bytes.hpp>

/// VTK's file of fields on one regular grid, as ParaView and VisIt open it.
namespace teff::io {

/// Fields of one shape, as values at points: the first at `origin`, neighbours `spacings` apart.
/// Values at cell centres are given the origin of a cell centre.
struct vti_image {
  std::vector<double> origin, spacings;  ///< one to three dims
  std::vector<field_bytes> fields;       ///< the first is shown first
};

/// The file's bytes: a header in XML, the values behind it as they are (appended, raw, 64-bit
/// sizes).
/// @throws error if there is no field, shapes differ, two names are alike, or values do not fit
/// @source VTK's XML file formats, ImageData
std::string vti_bytes(const vti_image& image);

/// The same into a file, whole or not at all.
void write_vti(const std::string& path, const vti_image& image);

/// Where the values of arrays lie; what is empty is 0 for the origin, 1 for spacings.
struct vti_options {
  std::vector<double> origin = {}, spacings = {};
};

/// Arrays of one shape, or parts of arrays, each of any type, strides and device:
/// write_vti("heat.vti", {{"T", T}, {"Ci", Ci}}, {.spacings = {dx, dy}}).
/// @sync waits for the arrays' streams
void write_vti(const std::string& path, const std::vector<named_field>& fields,
               const vti_options& options = {});

}  // namespace teff::io
