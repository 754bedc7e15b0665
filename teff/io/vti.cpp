// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <locale>
#include <sstream>
#include <tuple>

#include <teff/base/conversion.hpp>
#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/vti_text.hpp>

namespace teff::io {

/// VTK has no type of one byte for true and false.
std::string vtk_type(const std::string& type) {
  if (type == "u8" || type == "bool") return "UInt8";
  return (type[0] == 'f' ? "Float" : "Int") + type.substr(1);
}

void check_vti_fields(const std::vector<field_bytes>& fields) {
  if (fields.empty()) throw error("a .vti file needs a field, got none");
  const std::vector<index_t>& shape = fields.front().shape;
  for (const field_bytes& f : fields) {
    if (f.shape != shape)
      throw error("the fields of a .vti file have one shape; '" + fields.front().name + "' has " +
                  extents_of(shape) + ", '" + f.name + "' " + extents_of(f.shape));
    if (f.name.empty() || f.name.find_first_of("<>&\"'") != std::string::npos)
      throw error("a field's name in a .vti file is a plain word, got '" + f.name + "'");
    if (std::ranges::count(fields, f.name, &field_bytes::name) > 1)
      throw error("two fields of a .vti file are named '" + f.name + "'");
  }
}

vti_options filled(const vti_options& options, std::size_t rank, const std::string& path,
                   const std::string& first) {
  vti_options all = options;
  for (const auto& [what, numbers, otherwise] :
       {std::tuple{"origin", &all.origin, 0.0}, {"spacings", &all.spacings, 1.0}}) {
    if (numbers->empty()) numbers->assign(rank, otherwise);
    if (numbers->size() != rank)
      throw error("'" + path + "': expected " + std::to_string(rank) + " numbers in ." + what +
                  ", one for each dim of '" + first + "', got " + std::to_string(numbers->size()));
    for (const double number : *numbers)
      if (!std::isfinite(number) || (numbers == &all.spacings && number <= 0))
        throw error("'" + path + "': expected finite numbers" +
                    (numbers == &all.spacings ? " above 0" : "") + " in ." + what + ", got " +
                    runtime::number_text(number));
  }
  return all;
}

std::string vtk_extent(const std::vector<index_t>& first, const std::vector<index_t>& last) {
  std::string text;
  for (std::size_t d = 0; d < 3; ++d) {
    const bool has = d < first.size();
    text += (d > 0 ? " " : "") + std::to_string(has ? first[d] : 0) + " " +
            std::to_string(has ? last[d] : 0);
  }
  return text;
}

std::string vtk_grid(const std::string& extent, const std::vector<double>& origin,
                     const std::vector<double>& spacings) {
  const auto numbers = [](const std::vector<double>& of, double otherwise) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text.precision(17);
    for (std::size_t d = 0; d < 3; ++d)
      text << (d > 0 ? " " : "") << (d < of.size() ? of[d] : otherwise);
    return text.str();
  };
  return " WholeExtent=\"" + extent + "\" Origin=\"" + numbers(origin, 0) + "\" Spacing=\"" +
         numbers(spacings, 1) + "\"";
}

std::string vti_file(const std::string& extent, const std::string& grid, const std::string& data,
                     const std::vector<field_bytes>& fields) {
  std::string file =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n  <ImageData" +
      grid + ">\n    <Piece Extent=\"" + extent + "\">\n      <" + data + " Scalars=\"" +
      fields.front().name + "\">\n";
  std::uint64_t offset = 0;
  for (const field_bytes& f : fields) {
    file += "        <DataArray type=\"" + vtk_type(f.type) + "\" Name=\"" + f.name +
            "\" format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n";
    offset += sizeof offset + f.cells.size();
  }
  file +=
      "      </" + data + ">\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_";
  const std::string end = "\n  </AppendedData>\n</VTKFile>\n";
  file.reserve(file.size() + offset + end.size());
  for (const field_bytes& f : fields) {
    const std::uint64_t size = f.cells.size();
    file.append(reinterpret_cast<const char*>(&size), sizeof size).append(f.cells);
  }
  return file.append(end);
}

std::string vti_bytes(const vti_image& image) {
  check_vti_fields(image.fields);
  const std::vector<index_t>& shape = image.fields.front().shape;
  const std::size_t rank = shape.size();
  if (rank < 1 || rank > 3 || image.origin.size() != rank || image.spacings.size() != rank)
    throw error("a .vti file has one to three dims, with an origin and a spacing each; got " +
                std::to_string(rank) + " dims");
  for (const field_bytes& f : image.fields) check_field(f);
  std::vector<index_t> last = shape;
  for (index_t& n : last) n -= 1;
  const std::string extent = vtk_extent(std::vector<index_t>(rank, 0), last);
  return vti_file(extent, vtk_grid(extent, image.origin, image.spacings), "PointData",
                  image.fields);
}

void write_vti(const std::string& path, const vti_image& image) {
  write_file(path, vti_bytes(image));
}

void write_vti(const std::string& path, const std::vector<named_field>& fields,
               const vti_options& options) {
  vti_image image;
  for (const named_field& f : fields) image.fields.push_back(on_host(f));
  check_vti_fields(image.fields);
  const vti_options all =
      filled(options, image.fields.front().shape.size(), path, fields.front().name);
  image.origin = all.origin;
  image.spacings = all.spacings;
  write_vti(path, image);
}

}  // namespace teff::io
