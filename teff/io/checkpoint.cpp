// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming)
#include <xxhash.h>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/checkpoint_format.hpp>

namespace teff::io {

namespace {

std::string first_bytes(const std::string& path) {
  std::string first(checkpoint_start_bytes, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in) throw error("cannot read '" + path + "': " + std::strerror(errno));
  in.read(first.data(), checkpoint_start_bytes);
  first.resize(static_cast<std::size_t>(in.gcount()));
  return first;
}

/// f(block's number, its values) of all of a field's.
template <class F>
void each_block(std::string_view values, const F& f) {
  for (std::size_t at = 0; at < values.size(); at += checkpoint_block)
    f(at / checkpoint_block, values.substr(at, checkpoint_block));
}

/// Values with one checksum behind them. @param sum the one before it, which becomes the field's
void check_values_of_old(std::string_view values_and_sum, checksum& sum, std::uint32_t format,
                         const field_bytes& field, std::uint64_t at, const std::string& name) {
  const std::size_t bytes = values_and_sum.size() - sizeof sum;
  sum = format == 1 ? XXH3_64bits(values_and_sum.data(), bytes)
                    : XXH3_64bits_withSeed(values_and_sum.data(), bytes, sum);
  if (std::memcmp(&values_and_sum[bytes], &sum, sizeof sum) != 0)
    refuse_checkpoint(name, at,
                      "field '" + field.name + "' does not have its checksum; it was damaged" +
                          (format == 1 ? "" : ", or is not of this place, step or file"));
}

}  // namespace

std::string checkpoint_bytes(const checkpoint& state) {
  for (const field_bytes& f : state.fields) check_field(f);
  std::string file = checkpoint_header(state);
  const std::vector<field_place> places = places_of(state.fields, file.size());
  if (!places.empty()) file.reserve(places.back().end());
  const auto put = [&](checksum sum) {
    file.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  };
  checksum sum = 0;
  std::memcpy(&sum, &file[file.size() - sizeof sum], sizeof sum);
  for (const field_bytes& f : state.fields) {
    file += f.cells;
    std::vector<checksum> of_blocks;
    each_block(f.cells, [&](std::size_t, std::string_view values) {
      of_blocks.push_back(sum_of_block(values));
      put(of_blocks.back());
    });
    sum = sum_of_field(sum, of_blocks);
    put(sum);
  }
  return file;
}

void write_checkpoint(const std::string& path, const checkpoint& state) {
  write_file(path, checkpoint_bytes(state));
}

checkpoint checkpoint_from(std::string_view bytes, const std::string& name) {
  checkpoint_head head = head_from(bytes, bytes.size(), name);
  checksum sum = head.sum;
  for (std::size_t i = 0; i < head.fields.size(); ++i) {
    field_bytes& f = head.state.fields[i];
    const field_place& place = head.fields[i];
    const std::string_view values = bytes.substr(place.at, place.bytes);
    if (head.format < 4) {
      check_values_of_old(bytes.substr(place.at, place.bytes + sizeof sum), sum, head.format, f,
                          place.at, name);
    } else {
      const std::vector<checksum> of_blocks =
          sums_from(bytes.substr(place.sums_at()), sum, f, place, name);
      each_block(values, [&](std::size_t block, std::string_view of_block) {
        check_block(of_block, of_blocks[block], block, f, place, name);
      });
    }
    f.cells = values;
  }
  return std::move(head.state);
}

bool holds_something_else(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path, none) && std::filesystem::file_size(path) > 0 &&
         !first_bytes(path).starts_with(checkpoint_magic);
}

checkpoint read_checkpoint(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t real_bytes = std::filesystem::file_size(path, failed);
  if (failed) throw error("cannot read '" + path + "': " + failed.message());
  (void)header_bytes_of(first_bytes(path), real_bytes, path);
  return checkpoint_from(read_file(path, real_bytes), path);
}

}  // namespace teff::io
