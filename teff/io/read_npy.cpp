// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/io/npy.hpp>

namespace teff::io {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
/// NumPy's are 118 bytes long, but for structures of many parts, which arrays do not hold.
constexpr std::size_t most_header_bytes = npy_most_start_bytes - 12;
constexpr std::size_t most_dims = 64, most_letters = 64;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw error(".npy file '" + name + "': " + why);
}
[[noreturn]] void refuse(const std::string& name, std::size_t position, const std::string& why) {
  refuse(name, "byte " + std::to_string(position) + ": " + why);
}

/// Takes the header's text apart: a Python dict of a text, a truth and a tuple of integers.
class dict_reader {
 public:
  dict_reader(std::string_view bytes, std::size_t begin, std::size_t end, const std::string& name)
      : bytes_(bytes.substr(0, end)), at_(begin), name_(name) {}

  void skip_blanks() {
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\n')) ++at_;
  }
  bool takes(char c) {
    if (!is_at(c)) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!takes(c)) fail(std::string("expected '") + c + "'");
  }
  /// Texts end up in messages on a terminal: none may hold what a terminal obeys.
  std::string text() {
    const char quote = takes('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    std::string letters;
    for (; at_ < bytes_.size() && bytes_[at_] != quote; ++at_) {
      const char c = bytes_[at_];
      if (c < ' ' || c > '~' || c == '\\') fail("a text is not plain ASCII");
      if (letters.size() == most_letters) fail("a text is longer than any key or type");
      letters += c;
    }
    expect(quote);
    return letters;
  }
  bool truth() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}})
      if (bytes_.substr(at_).starts_with(word)) {
        at_ += std::strlen(word);
        return value;
      }
    fail("expected True or False");
  }
  std::vector<index_t> tuple() {
    expect('(');
    std::vector<index_t> all;
    while (!takes(')')) {
      all.push_back(integer());
      if (all.size() > most_dims) fail("more dims than NumPy has");
      if (takes(',')) continue;
      expect(')');
      if (all.size() == 1) fail("(3) is no tuple");
      break;
    }
    return all;
  }
  bool is_at(char c) {
    skip_blanks();
    return at_ < bytes_.size() && bytes_[at_] == c;
  }
  void expect_end() {
    skip_blanks();
    if (at_ != bytes_.size()) fail("expected the header's end");
  }
  [[noreturn]] void fail(const std::string& why) const {
    refuse(name_, at_,
           why + "; a header is {'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }");
  }

 private:
  index_t integer() {
    skip_blanks();
    index_t value = 0;
    const char* const first = bytes_.data() + at_;
    const auto [end, problem] = std::from_chars(first, bytes_.data() + bytes_.size(), value);
    if (problem == std::errc::result_out_of_range) fail("an extent of more than 63 bits");
    if (problem != std::errc()) fail("expected an extent");
    if (value < 0) fail("a negative extent");
    at_ += static_cast<std::size_t>(end - first);
    (void)takes('L');  // as Python 2 wrote them
    return value;
  }

  std::string_view bytes_;
  std::size_t at_;
  const std::string& name_;
};

/// "f64" for "<f8", and whether its bytes begin with the highest.
void take_type(npy_header& header, const std::string& numpy, const std::string& name) {
  const std::string order = numpy.substr(0, 1);
  const std::string rest = numpy.substr(std::min<std::size_t>(1, numpy.size()));
  static constexpr std::pair<const char*, const char*> types[] = {
      {"f8", "f64"}, {"f4", "f32"}, {"i8", "i64"}, {"i4", "i32"}, {"u1", "u8"}, {"b1", "bool"}};
  const auto found =
      std::ranges::find(types, rest, [](const auto& type) { return std::string(type.first); });
  if (rest.starts_with("O"))
    refuse(name, "it holds Python objects ('" + numpy + "'), which only Python reads");
  const bool is_byte = rest.ends_with("1");
  const bool is_real = rest.find_first_of("fiu") == 0;
  if (found == std::end(types) || !(order == "<" || order == ">" || (order == "|" && is_byte)))
    refuse(name, "arrays have f64, f32, i64, i32, u8 or bool, got NumPy's type '" + numpy + "'" +
                     (is_real ? "; in NumPy a.astype('float64') converts it" : ""));
  header.type = found->second;
  header.is_big_endian = order == ">" && !is_byte;
}

}  // namespace

npy_header npy_header_from(std::string_view bytes, std::size_t file_bytes,
                           const std::string& name) {
  const auto require = [&](std::size_t all) {
    if (bytes.size() < all) refuse(name, file_bytes, "the file ends here; it was cut");
  };
  if (bytes.starts_with("PK\x03\x04"))
    refuse(name, "it is an archive of several arrays (.npz); numpy.save writes one");
  if (!bytes.starts_with(magic) && !magic.starts_with(bytes))
    refuse(name, 0, "it does not begin with \\x93NUMPY, so it is none");
  require(magic.size() + 2);
  const auto byte = [&](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(bytes[at])};
  };
  const std::size_t format = byte(6);
  if (format < 1 || format > 3)
    refuse(name, 6, "format " + std::to_string(format) + ", and this program reads formats 1 to 3");
  const std::size_t length_bytes = format == 1 ? 2 : 4, begin = magic.size() + 2 + length_bytes;
  require(begin);
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(8 + i) << (8 * i);
  if (length > most_header_bytes)
    refuse(name, 8,
           "a header of " + std::to_string(length) + " bytes is longer than that of any array");
  npy_header header;
  header.header_bytes = begin + length;
  require(header.header_bytes);

  dict_reader in(bytes, begin, header.header_bytes, name);
  std::string type;
  bool has_type = false, has_order = false, has_shape = false;
  in.expect('{');
  while (!in.takes('}')) {
    const std::string key = in.text();
    in.expect(':');
    if (key == "descr" && !std::exchange(has_type, true)) {
      if (in.is_at('[')) refuse(name, "it holds structures of several values a cell");
      type = in.text();
    } else if (key == "fortran_order" && !std::exchange(has_order, true)) {
      header.is_fortran_order = in.truth();
    } else if (key == "shape" && !std::exchange(has_shape, true)) {
      header.shape = in.tuple();
    } else {
      in.fail("'" + key + "' is not expected here");
    }
    if (in.takes(',')) continue;
    in.expect('}');
    break;
  }
  if (!has_type || !has_order || !has_shape) in.fail("a key is missing");
  in.expect_end();
  take_type(header, type, name);

  std::size_t cells = 0;
  try {
    cells = bytes_of_field(header.type, header.shape);
  } catch (const error& why) {
    refuse(name, begin, why.what());
  }
  const std::size_t there = file_bytes - header.header_bytes;
  if (cells != there)
    refuse(name, header.header_bytes,
           (header.shape.empty() ? "one value" : extents_of(header.shape)) + (" " + header.type) +
               " has " + std::to_string(cells) + " bytes, and " + std::to_string(there) +
               " follow; it " + (there < cells ? "was cut" : "holds more than one array"));
  return header;
}

namespace {

std::string first_bytes(const std::string& path, std::size_t bytes) {
  std::string first(bytes, '\0');
  std::ifstream in(path, std::ios::binary);
  if (in) in.read(first.data(), static_cast<std::streamsize>(bytes));
  if (!in.is_open() || in.bad()) throw error("cannot read '" + path + "': " + std::strerror(errno));
  first.resize(static_cast<std::size_t>(in.gcount()));
  return first;
}

std::string dims_text(std::size_t rank) {
  return std::to_string(rank) + (rank == 1 ? " dim" : " dims");
}

}  // namespace

void to_values_of_arrays(const npy_header& header, char* cells, std::size_t bytes) {
  const std::size_t cell_bytes = bytes_of_field(header.type, {1});
  if (header.is_big_endian)
    for (std::size_t at = 0; at < bytes; at += cell_bytes)
      std::reverse(cells + at, cells + at + cell_bytes);
  if (header.type == "bool")  // any other byte is none that a bool may have
    for (std::size_t i = 0; i < bytes; ++i) cells[i] = static_cast<char>(cells[i] != 0);
}

namespace detail {

npy_file::npy_file(std::string path, const char* type, int rank) : path_(std::move(path)) {
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(path_, failed);
  if (failed) throw error("cannot read '" + path_ + "': " + failed.message());
  constexpr std::uintmax_t most = npy_most_start_bytes;
  header_ = npy_header_from(first_bytes(path_, std::min(bytes, most)), bytes, path_);
  const std::size_t found = header_.shape.size(), asked = static_cast<std::size_t>(rank);
  if (found == asked && header_.type == type) return;
  std::string why = "expected " + std::string(type) + " of " + dims_text(asked) + ", got " +
                    header_.type + " of " + dims_text(found);
  if (found > 0) why += ", " + extents_of(header_.shape);
  const std::string cpp_type = (header_.type == "bool" ? "" : "teff::") + header_.type;
  refuse(path_, found < 1 || found > max_rank
                    ? why + "; arrays have one to three dims"
                    : why + "; read_npy<" + cpp_type + ", " + std::to_string(found) + "> reads it");
}

void npy_file::read_into(const any_field& target) const {
  const runtime::any_array a = target.as_any();
  const std::size_t bytes = bytes_of(target);
  if (bytes == 0) return;
  const bool is_in_order = header_.is_fortran_order || a.rank == 1;
  std::unique_ptr<char[]> staged;
  char* cells = static_cast<char*>(const_cast<void*>(a.data));
  if (a.dev().is_cuda() || !is_in_order) {
    staged.reset(new char[bytes]);
    cells = staged.get();
  }
  std::ifstream in(path_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(header_.header_bytes));
  in.read(cells, static_cast<std::streamsize>(bytes));
  if (static_cast<std::size_t>(in.gcount()) != bytes)
    throw error("cannot read '" + path_ + "': it changed, or " + std::strerror(errno));
  to_values_of_arrays(header_, cells, bytes);
  if (staged)
    copy_from_host(target, cells, is_in_order ? cells_order::first_index : cells_order::last_index);
}

}  // namespace detail

}  // namespace teff::io
