// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming)
#include <xxhash.h>

#include <teff/base/error.hpp>
#include <teff/io/checkpoint_format.hpp>

namespace teff::io {

namespace {

/// Format 1 had fields whose checksums were of their cells alone, formats 1 and 2 one type for all
/// fields, formats 1 to 3 one checksum of all values of a field; they are still read.
constexpr std::uint32_t version = 4, oldest_version = 1;
constexpr std::size_t most_header_bytes = 1 << 16;

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

checksum checksum_at(std::string_view bytes, std::size_t at) {
  checksum sum = 0;
  std::memcpy(&sum, &bytes[at], sizeof sum);
  return sum;
}

/// Takes the header apart from front to back.
class header_reader {
 public:
  header_reader(std::string_view header, const std::string& name)
      : header_(header), name_(name), end_(header.size() - sizeof(checksum)) {}

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
      if (c < ' ' || c > '~')
        refuse_checkpoint(name_, at_ - letters.size(), "a text is not plain ASCII");
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
    if (!std::isfinite(value))
      refuse_checkpoint(name_, at_ - sizeof value, "a number is not finite");
    return value;
  }
  /// How many come, each of so many bytes at least.
  std::size_t count(std::size_t least_bytes) {
    const std::size_t n = number<std::uint32_t>();
    if (n > (end_ - at_) / least_bytes)
      refuse_checkpoint(name_, at_, std::to_string(n) + " entries do not fit in the header");
    return n;
  }
  std::size_t position() const { return at_; }
  void expect_end() const {
    if (at_ != end_) refuse_checkpoint(name_, at_, "the header holds more than it should");
  }

 private:
  std::string_view take(std::size_t bytes) {
    if (bytes > end_ - at_)
      refuse_checkpoint(name_, at_, std::to_string(bytes) + " bytes do not fit in the header");
    at_ += bytes;
    return header_.substr(at_ - bytes, bytes);
  }

  std::string_view header_;
  const std::string& name_;
  std::size_t end_, at_ = checkpoint_start_bytes;
};

}  // namespace

void refuse_checkpoint(const std::string& name, std::uint64_t position, const std::string& why) {
  throw error("checkpoint '" + name + "', byte " + std::to_string(position) + ": " + why);
}

checksum sum_of_block(std::string_view values) {
  return XXH3_64bits(values.data(), values.size());
}

checksum sum_of_field(checksum before, const std::vector<checksum>& of_blocks) {
  return XXH3_64bits_withSeed(of_blocks.data(), of_blocks.size() * sizeof(checksum), before);
}

std::vector<field_place> places_of(const std::vector<field_bytes>& fields, std::uint64_t at) {
  std::vector<field_place> places;
  for (const field_bytes& f : fields) {
    places.push_back({at, bytes_of_field(f.type, f.shape)});
    at = places.back().end();
  }
  return places;
}

std::string checkpoint_header(const checkpoint& state) {
  const std::string texts = described(state);
  const std::size_t header_bytes = checkpoint_start_bytes + texts.size() + sizeof(checksum);
  if (header_bytes > most_header_bytes)
    throw error(failure::usage, "checkpoint: its texts, numbers and names of " +
                                    std::to_string(state.fields.size()) + " arrays take " +
                                    std::to_string(header_bytes) + " bytes, and at most " +
                                    std::to_string(most_header_bytes) +
                                    " are read: give shorter names, or several checkpoints");
  const std::vector<field_place> places = places_of(state.fields, header_bytes);
  std::string header(checkpoint_magic);
  put(header, version);
  put(header, static_cast<std::uint32_t>(header_bytes));
  put(header, places.empty() ? std::uint64_t{header_bytes} : places.back().end());
  header += texts;
  put(header, sum_of_block(header));
  return header;
}

std::size_t header_bytes_of(std::string_view start, std::uint64_t file_bytes,
                            const std::string& name) {
  if (!start.starts_with(checkpoint_magic))
    refuse_checkpoint(name, 0,
                      checkpoint_magic.starts_with(start)
                          ? "the file ends here; it was cut"
                          : "this is no checkpoint: it does not begin with TEFFCKPT");
  if (start.size() < checkpoint_start_bytes)
    refuse_checkpoint(name, start.size(), "the file ends here; it was cut");
  std::uint32_t format = 0, header = 0;
  std::uint64_t all = 0;
  std::memcpy(&format, &start[8], sizeof format);
  std::memcpy(&header, &start[12], sizeof header);
  std::memcpy(&all, &start[16], sizeof all);
  if (format < oldest_version || format > version)
    refuse_checkpoint(name, 8,
                      "format " + std::to_string(format) + ", and this program reads formats " +
                          std::to_string(oldest_version) + " to " + std::to_string(version));
  if (all != file_bytes)
    refuse_checkpoint(name, 16,
                      "the header says that the file has " + std::to_string(all) +
                          " bytes, it has " + std::to_string(file_bytes) +
                          (file_bytes < all ? "; it was cut" : ""));
  if (header < checkpoint_start_bytes + sizeof(checksum) || header > most_header_bytes ||
      header > all)
    refuse_checkpoint(name, 12, "a header of " + std::to_string(header) + " bytes can not be");
  return header;
}

checkpoint_head head_from(std::string_view bytes, std::uint64_t file_bytes,
                          const std::string& name) {
  const std::size_t header_bytes = header_bytes_of(bytes, file_bytes, name);
  const std::string_view header = bytes.substr(0, header_bytes);
  const std::size_t checked = header.size() - sizeof(checksum);
  checkpoint_head head;
  head.sum = checksum_at(header, checked);
  if (sum_of_block(header.substr(0, checked)) != head.sum)
    refuse_checkpoint(name, checked, "the header does not have its checksum; it was damaged");
  std::memcpy(&head.format, &header[8], sizeof head.format);

  header_reader in(header, name);
  checkpoint& state = head.state;
  state.solver = in.text();
  state.type = in.text();
  state.shape = in.shape();
  state.numbers = in.numbers();
  state.settings = in.numbers();
  state.dt = in.finite();
  state.step = in.number<index_t>();
  if (state.step < 0) refuse_checkpoint(name, in.position() - sizeof(index_t), "a negative step");
  const std::size_t texts = head.format < 3 ? 1 : 2;
  state.fields.resize(in.count((texts + 1) * sizeof(std::uint32_t)));
  for (field_bytes& f : state.fields) {
    f.name = in.text();
    f.type = head.format < 3 ? state.type : in.text();
    const std::size_t at = in.position();
    f.shape = in.shape();
    try {
      (void)bytes_of_field(f.type, f.shape);
    } catch (const error& why) {
      refuse_checkpoint(name, at, why.what());
    }
  }
  in.expect_end();
  // A field's place is used only where the fields up to it fit in the file.
  std::uint64_t at = header_bytes;
  for (const field_bytes& f : state.fields) {
    const std::size_t size = bytes_of_field(f.type, f.shape);
    const field_place place{at, size};
    const std::uint64_t left = file_bytes - at;
    const std::uint64_t behind = head.format < 4 ? sizeof(checksum) : place.end() - place.sums_at();
    if (size > left || behind > left - size)
      refuse_checkpoint(
          name, at,
          "field '" + f.name + "' of " + extents_of(f.shape) + " does not fit in the file");
    head.fields.push_back(place);
    at += size + behind;
  }
  if (at != file_bytes) refuse_checkpoint(name, at, "the file holds more than it should");
  return head;
}

std::vector<checksum> sums_from(std::string_view bytes, checksum& before, const field_bytes& field,
                                const field_place& place, const std::string& name) {
  std::vector<checksum> of_blocks(place.blocks());
  for (std::size_t block = 0; block < of_blocks.size(); ++block)
    of_blocks[block] = checksum_at(bytes, block * sizeof(checksum));
  before = sum_of_field(before, of_blocks);
  if (before != checksum_at(bytes, of_blocks.size() * sizeof(checksum)))
    refuse_checkpoint(name, place.sums_at(),
                      "field '" + field.name +
                          "' does not have its checksum; it was damaged, or is not of this place, "
                          "step or file");
  return of_blocks;
}

void check_block(std::string_view values, checksum expected, std::uint64_t number,
                 const field_bytes& field, const field_place& place, const std::string& name) {
  if (sum_of_block(values) == expected) return;
  refuse_checkpoint(name, place.at + number * checkpoint_block,
                    "block " + std::to_string(number + 1) + " of " +
                        std::to_string(place.blocks()) + " of field '" + field.name +
                        "' does not have its checksum; it was damaged");
}

}  // namespace teff::io
