// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming)
#include <xxhash.h>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/checkpoint.hpp>

namespace teff::io {

namespace {

constexpr std::string_view magic = "TEFFCKPT";
/// Format 1 had fields whose checksums were of their cells alone, formats 1 and 2 one type for all
/// fields; they are still read.
constexpr std::uint32_t version = 3, oldest_version = 1;
/// Before the texts: magic, version, bytes of the header, bytes of the file.
constexpr std::size_t start_bytes = 24, checksum_bytes = 8;
constexpr std::size_t most_header_bytes = 1 << 16;

std::uint64_t checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

/// A field's checksum begins with the one before it, the first with the header's: so it says too
/// which field of which file these cells are, at which step, and behind which others.
std::uint64_t checksum_after(std::uint64_t before, std::string_view cells) {
  return XXH3_64bits_withSeed(cells.data(), cells.size(), before);
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void put_text(std::string& out, const std::string& text) {
  put(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}
void put_shape(std::string& out, const std::vector<index_t>& shape) {
  put(out, static_cast<std::uint32_t>(shape.size()));
  for (const index_t n : shape) put(out, n);
}
void put_numbers(std::string& out, const std::vector<named_number>& numbers) {
  put(out, static_cast<std::uint32_t>(numbers.size()));
  for (const named_number& n : numbers) {
    put_text(out, n.name);
    put(out, n.value);
  }
}

/// The header without its start.
std::string described(const checkpoint& state) {
  std::string out;
  put_text(out, state.solver);
  put_text(out, state.type);
  put_shape(out, state.shape);
  put_numbers(out, state.numbers);
  put_numbers(out, state.settings);
  put(out, state.dt);
  put(out, state.step);
  put(out, static_cast<std::uint32_t>(state.fields.size()));
  for (const field_bytes& f : state.fields) {
    put_text(out, f.name);
    put_text(out, f.type);
    put_shape(out, f.shape);
  }
  return out;
}

[[noreturn]] void refuse(const std::string& name, std::size_t position, const std::string& why) {
  throw error("checkpoint '" + name + "', byte " + std::to_string(position) + ": " + why);
}

/// The part that is read first, believed only as far as it fits the file's real size.
struct start_of_file {
  std::uint32_t format = 0;
  std::size_t header_bytes;

  start_of_file(std::string_view bytes, std::uintmax_t real_bytes, const std::string& name) {
    if (!bytes.starts_with(magic))
      refuse(name, 0,
             magic.starts_with(bytes) ? "the file ends here; it was cut"
                                      : "this is no checkpoint: it does not begin with TEFFCKPT");
    if (bytes.size() < start_bytes) refuse(name, bytes.size(), "the file ends here; it was cut");
    std::uint32_t header = 0;
    std::uint64_t all = 0;
    std::memcpy(&format, &bytes[8], sizeof format);
    std::memcpy(&header, &bytes[12], sizeof header);
    std::memcpy(&all, &bytes[16], sizeof all);
    if (format < oldest_version || format > version)
      refuse(name, 8,
             "format " + std::to_string(format) + ", and this program reads formats " +
                 std::to_string(oldest_version) + " to " + std::to_string(version));
    if (all != real_bytes)
      refuse(name, 16,
             "the header says that the file has " + std::to_string(all) + " bytes, it has " +
                 std::to_string(real_bytes) + (real_bytes < all ? "; it was cut" : ""));
    if (header < start_bytes + checksum_bytes || header > most_header_bytes || header > all)
      refuse(name, 12, "a header of " + std::to_string(header) + " bytes can not be");
    header_bytes = header;
  }
};

std::string first_bytes(const std::string& path) {
  std::string first(start_bytes, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in) throw error("cannot read '" + path + "': " + std::strerror(errno));
  in.read(first.data(), start_bytes);
  first.resize(static_cast<std::size_t>(in.gcount()));
  return first;
}

/// Takes the header apart from front to back.
class header_reader {
 public:
  header_reader(std::string_view header, const std::string& name)
      : header_(header), name_(name), end_(header.size() - checksum_bytes) {}

  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  /// Texts end up in messages on a terminal: none may hold what a terminal obeys.
  std::string text() {
    const std::string_view letters = take(number<std::uint32_t>());
    for (const char c : letters)
      if (c < ' ' || c > '~') refuse(name_, at_ - letters.size(), "a text is not plain ASCII");
    return std::string(letters);
  }
  std::vector<index_t> shape() {
    std::vector<index_t> n(count(sizeof(index_t)));
    for (index_t& one : n) one = number<index_t>();
    return n;
  }
  std::vector<named_number> numbers() {
    std::vector<named_number> all(count(sizeof(std::uint32_t) + sizeof(double)));
    for (named_number& n : all) {
      n.name = text();
      n.value = finite();
    }
    return all;
  }
  double finite() {
    const auto value = number<double>();
    if (!std::isfinite(value)) refuse(name_, at_ - sizeof value, "a number is not finite");
    return value;
  }
  /// How many come, each of so many bytes at least.
  std::size_t count(std::size_t least_bytes) {
    const std::size_t n = number<std::uint32_t>();
    if (n > (end_ - at_) / least_bytes)
      refuse(name_, at_, std::to_string(n) + " entries do not fit in the header");
    return n;
  }
  std::size_t position() const { return at_; }
  void expect_end() const {
    if (at_ != end_) refuse(name_, at_, "the header holds more than it should");
  }

 private:
  std::string_view take(std::size_t bytes) {
    if (bytes > end_ - at_)
      refuse(name_, at_, std::to_string(bytes) + " bytes do not fit in the header");
    at_ += bytes;
    return header_.substr(at_ - bytes, bytes);
  }

  std::string_view header_;
  const std::string& name_;
  std::size_t end_, at_ = start_bytes;
};

std::uint64_t checksum_at(std::string_view bytes, std::size_t at) {
  std::uint64_t sum = 0;
  std::memcpy(&sum, &bytes[at], sizeof sum);
  return sum;
}

/// The values of the fields, each behind the last, with a checksum behind each.
void read_fields(checkpoint& state, std::string_view bytes, const start_of_file& start,
                 const std::string& name) {
  std::size_t at = start.header_bytes;
  std::uint64_t sum = checksum_at(bytes, at - checksum_bytes);
  for (field_bytes& f : state.fields) {
    const std::size_t left = bytes.size() - at, size = bytes_of_field(f.type, f.shape);
    if (left < checksum_bytes || size > left - checksum_bytes)
      refuse(name, at,
             "field '" + f.name + "' of " + extents_of(f.shape) + " does not fit in the file");
    const std::string_view cells = bytes.substr(at, size);
    sum = start.format == 1 ? checksum(cells) : checksum_after(sum, cells);
    if (sum != checksum_at(bytes, at + size))
      refuse(name, at,
             "field '" + f.name + "' does not have its checksum; it was damaged" +
                 (start.format == 1 ? "" : ", or is not of this place, step or file"));
    f.cells = cells;
    at += size + checksum_bytes;
  }
  if (at != bytes.size()) refuse(name, at, "the file holds more than it should");
}

}  // namespace

std::string checkpoint_bytes(const checkpoint& state) {
  const std::string header = described(state);
  const std::size_t header_bytes = start_bytes + header.size() + checksum_bytes;
  std::size_t all = header_bytes;
  for (const field_bytes& f : state.fields) {
    check_field(f);
    all += f.cells.size() + checksum_bytes;
  }
  std::string file(magic);
  file.reserve(all);
  put(file, version);
  put(file, static_cast<std::uint32_t>(header_bytes));
  put(file, static_cast<std::uint64_t>(all));
  file += header;
  std::uint64_t sum = checksum(file);
  put(file, sum);
  for (const field_bytes& f : state.fields) {
    file += f.cells;
    sum = checksum_after(sum, f.cells);
    put(file, sum);
  }
  return file;
}

void write_checkpoint(const std::string& path, const checkpoint& state) {
  write_file(path, checkpoint_bytes(state));
}

checkpoint checkpoint_from(std::string_view bytes, const std::string& name) {
  const start_of_file start(bytes, bytes.size(), name);
  const std::string_view header = bytes.substr(0, start.header_bytes);
  const std::size_t checked = header.size() - checksum_bytes;
  if (checksum(header.substr(0, checked)) != checksum_at(header, checked))
    refuse(name, checked, "the header does not have its checksum; it was damaged");

  header_reader in(header, name);
  checkpoint state;
  state.solver = in.text();
  state.type = in.text();
  state.shape = in.shape();
  state.numbers = in.numbers();
  state.settings = in.numbers();
  state.dt = in.finite();
  state.step = in.number<index_t>();
  if (state.step < 0) refuse(name, in.position() - sizeof(index_t), "a negative step");
  const std::size_t texts = start.format < 3 ? 1 : 2;
  state.fields.resize(in.count((texts + 1) * sizeof(std::uint32_t)));
  for (field_bytes& f : state.fields) {
    f.name = in.text();
    f.type = start.format < 3 ? state.type : in.text();
    const std::size_t at = in.position();
    f.shape = in.shape();
    try {
      (void)bytes_of_field(f.type, f.shape);
    } catch (const error& why) {
      refuse(name, at, why.what());
    }
  }
  in.expect_end();
  read_fields(state, bytes, start, name);
  return state;
}

bool holds_something_else(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path, none) && std::filesystem::file_size(path) > 0 &&
         !first_bytes(path).starts_with(magic);
}

checkpoint read_checkpoint(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t real_bytes = std::filesystem::file_size(path, failed);
  if (failed) throw error("cannot read '" + path + "': " + failed.message());
  (void)start_of_file(first_bytes(path), real_bytes, path);
  return checkpoint_from(read_file(path, real_bytes), path);
}

}  // namespace teff::io
