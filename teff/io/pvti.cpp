// SPDX-License-Identifier: MIT
#include <cerrno>
#include <filesystem>
#include <optional>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/pvti.hpp>
#include <teff/io/shared_file.hpp>
#include <teff/io/vti_text.hpp>

namespace teff::io {

namespace {

namespace fs = std::filesystem;

/// "heat_3.vti" of "heat.pvti".
std::string piece_of(const fs::path& path, int rank) {
  return path.stem().string() + "_" + std::to_string(rank) + ".vti";
}

/// The points around the cells of a box.
std::string extent_around(const runtime::grid_box& box, std::size_t dims) {
  std::vector<index_t> first, last;
  for (std::size_t d = 0; d < dims; ++d) {
    first.push_back(box.of[d].begin);
    last.push_back(box.of[d].end);
  }
  return vtk_extent(first, last);
}

std::string names_of_pieces(const grid_field& of, const std::string& grid, const fs::path& path,
                            const std::vector<field_bytes>& fields) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n  <PImageData" +
      grid + " GhostLevel=\"0\">\n    <PCellData Scalars=\"" + fields.front().name + "\">\n";
  for (const field_bytes& f : fields)
    text += "      <PDataArray type=\"" + vtk_type(f.type) + "\" Name=\"" + f.name + "\"/>\n";
  text += "    </PCellData>\n";
  for (int rank = 0; rank < of.on().count(); ++rank)
    text += "    <Piece Extent=\"" +
            extent_around(of.grid().cells.own(rank, of.more()), of.shape().size()) +
            "\" Source=\"" + piece_of(path, rank) + "\"/>\n";
  return text + "  </PImageData>\n</VTKFile>\n";
}

/// All that may be wrong of a call before a file is made. @return fields without cells
std::vector<field_bytes> checked(const std::string& path,
                                 const std::vector<named_grid_field>& fields) {
  std::vector<field_bytes> all;
  for (const named_grid_field& f : fields) {
    if (&f.cells.grid() != &fields.front().cells.grid())
      runtime::throw_other_grid(fields.front().cells.described(), f.cells.described());
    all.push_back({f.name, f.cells.type(), f.cells.shape(), {}});
  }
  check_vti_fields(all);
  if (fs::path(path).extension() != ".pvti" || fs::path(path).stem().empty())
    throw error("the name of a file with parts ends in .pvti, got '" + path + "'");
  if (path.find_first_of("<>&\"'") != std::string::npos)
    throw error("the name of a .pvti file has no <, >, &, \" and ', got '" + path + "'");
  return all;
}

}  // namespace

void write_pvti(const std::string& path, const std::vector<named_grid_field>& fields,
                const vti_options& options) {
  std::vector<field_bytes> all = checked(path, fields);
  const grid_field& first = fields.front().cells;
  const std::size_t dims = first.shape().size();
  vti_options lies = filled(options, dims, path, fields.front().name);
  for (std::size_t d = 0; d < dims; ++d) lies.origin[d] -= lies.spacings[d] / 2;  // a corner
  const ranks& on = first.on();
  const fs::path target = path_of_root(on, path, true);

  const std::string extent = extent_around(first.own_box(), dims);
  for (std::size_t i = 0; i < fields.size(); ++i)
    all[i].cells = on_host({fields[i].name, fields[i].cells.own()}).cells;
  const std::string content =
      vti_file(extent, vtk_grid(extent, lies.origin, lies.spacings), "CellData", all);

  const std::string piece = (target.parent_path() / piece_of(target, on.rank())).string();
  std::string why;
  std::optional<file_beside> made;
  try {
    require_writable(piece);
    made.emplace(behind_links(piece));
    int reason = made->content().is_open() ? made->content().write_all(content) : errno;
    if (reason == 0) reason = made->content().sync();
    if (reason != 0) why = failed_text("write", piece, reason);
  } catch (const error& e) {
    why = e.what();
  }
  runtime::throw_of_any(on, "write_pvti", why);  // no part is replaced unless all can be
  if (const int reason = made->replace_target()) why = failed_text("write", piece, reason);
  runtime::throw_of_any(on, "write_pvti", why);
  if (on.is_root()) {
    std::vector<index_t> last = first.shape();
    const std::string whole = vtk_extent(std::vector<index_t>(dims, 0), last);
    try {
      write_file(target.string(),
                 names_of_pieces(first, vtk_grid(whole, lies.origin, lies.spacings), target, all));
    } catch (const error& e) {
      why = e.what();
    }
  }
  runtime::throw_of_any(on, "write_pvti", why);
}

}  // namespace teff::io
