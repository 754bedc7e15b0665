// SPDX-License-Identifier: MIT
#include <cstdint>
#include <locale>
#include <sstream>
#include <tuple>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/vti.hpp>

namespace teff::io {

namespace {

/// VTK has no type of one byte for true and false.
std::string vtk_type(const std::string& type) {
  if (type == "u8" || type == "bool") return "UInt8";
  return (type[0] == 'f' ? "Float" : "Int") + type.substr(1);
}

void check_image(const vti_image& image) {
  if (image.fields.empty()) throw error("a .vti file needs a field, got none");
  const std::vector<index_t>& shape = image.fields.front().shape;
  const std::size_t rank = shape.size();
  if (rank < 1 || rank > 3 || image.origin.size() != rank || image.spacings.size() != rank)
    throw error("a .vti file has one to three dims, with an origin and a spacing each; got " +
                std::to_string(rank) + " dims");
  for (const field_bytes& f : image.fields) {
    check_field(f);
    if (f.shape != shape)
      throw error("the fields of a .vti file have one shape; '" + image.fields.front().name +
                  "' has " + extents_of(shape) + ", '" + f.name + "' " + extents_of(f.shape));
    if (f.name.empty() || f.name.find_first_of("<>&\"'") != std::string::npos)
      throw error("a field's name in a .vti file is a plain word, got '" + f.name + "'");
  }
}

}  // namespace

std::string vti_bytes(const vti_image& image) {
  check_image(image);
  const std::vector<index_t>& shape = image.fields.front().shape;
  std::ostringstream extent, origin, spacing, out;
  for (std::ostringstream* text : {&extent, &origin, &spacing, &out}) {
    text->imbue(std::locale::classic());
    text->precision(17);
  }
  for (std::size_t d = 0; d < 3; ++d) {
    const bool has = d < shape.size();
    extent << (d > 0 ? " " : "") << "0 " << (has ? shape[d] - 1 : 0);
    origin << (d > 0 ? " " : "") << (has ? image.origin[d] : 0.0);
    spacing << (d > 0 ? " " : "") << (has ? image.spacings[d] : 1.0);
  }
  out << "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
         "header_type=\"UInt64\">\n"
      << "  <ImageData WholeExtent=\"" << extent.str() << "\" Origin=\"" << origin.str()
      << "\" Spacing=\"" << spacing.str() << "\">\n    <Piece Extent=\"" << extent.str()
      << "\">\n      <PointData Scalars=\"" << image.fields.front().name << "\">\n";
  std::uint64_t offset = 0;
  for (const field_bytes& f : image.fields) {
    out << "        <DataArray type=\"" << vtk_type(f.type) << "\" Name=\"" << f.name
        << "\" format=\"appended\" offset=\"" << offset << "\"/>\n";
    offset += sizeof offset + f.cells.size();
  }
  out << "      </PointData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_";
  std::string file = out.str();
  const std::string end = "\n  </AppendedData>\n</VTKFile>\n";
  file.reserve(file.size() + offset + end.size());
  for (const field_bytes& f : image.fields) {
    const std::uint64_t size = f.cells.size();
    file.append(reinterpret_cast<const char*>(&size), sizeof size).append(f.cells);
  }
  file.append(end);
  return file;
}

void write_vti(const std::string& path, const vti_image& image) {
  write_file(path, vti_bytes(image));
}

void write_vti(const std::string& path, const std::vector<named_field>& fields,
               const vti_options& options) {
  vti_image image{options.origin, options.spacings, {}};
  for (const named_field& f : fields) image.fields.push_back(on_host(f));
  const std::size_t rank = fields.empty() ? 0 : fields.front().cells.shape().size();
  for (const auto& [what, numbers, otherwise] :
       {std::tuple{"origin", &image.origin, 0.0}, {"spacings", &image.spacings, 1.0}}) {
    if (numbers->empty()) numbers->assign(rank, otherwise);
    if (numbers->size() != rank)
      throw error("'" + path + "': expected " + std::to_string(rank) + " numbers in ." + what +
                  ", one for each dim of '" + fields.front().name + "', got " +
                  std::to_string(numbers->size()));
  }
  write_vti(path, image);
}

}  // namespace teff::io
