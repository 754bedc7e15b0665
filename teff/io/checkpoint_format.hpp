// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <teff/io/checkpoint.hpp>

/// Where what of a checkpoint is in its file, and the sums that cover it, for those who write and
/// read it: a rank alone, or all of a grid. docs/solve.md has the format.
namespace teff::io {

constexpr std::string_view checkpoint_magic = "TEFFCKPT";
/// Before the texts: magic, version, bytes of the header, bytes of the file.
constexpr std::size_t checkpoint_start_bytes = 24;
/// A field's values are summed by blocks of so many bytes, whoever writes them.
constexpr std::size_t checkpoint_block = std::size_t{1} << 20;

using checksum = std::uint64_t;
checksum sum_of_block(std::string_view values);
/// A field's: of the sums of its blocks. It begins with the one before it, the first with the
/// header's: so it says too which field of which file these are, at which step, and behind which
/// others.
checksum sum_of_field(checksum before, const std::vector<checksum>& of_blocks);

/// A field in a file: its values, a sum of each block of them, and one of these sums.
struct field_place {
  std::uint64_t at = 0, bytes = 0;
  std::uint64_t blocks() const { return (bytes + checkpoint_block - 1) / checkpoint_block; }
  std::uint64_t sums_at() const { return at + bytes; }
  std::uint64_t end() const { return sums_at() + (blocks() + 1) * sizeof(checksum); }
};

/// What stands before the values.
struct checkpoint_head {
  checkpoint state;  ///< its fields have no values yet
  std::uint32_t format = 0;
  checksum sum = 0;
  std::vector<field_place> fields;  ///< of files of the present format
};

/// All that stands before the values, in the present format. @param state its values are not looked
/// at
std::string checkpoint_header(const checkpoint& state);

/// Where the fields of a file are whose values begin at a place.
std::vector<field_place> places_of(const std::vector<field_bytes>& fields, std::uint64_t at);

/// Bytes of the header, of the first checkpoint_start_bytes of a file; what they say is believed
/// only as far as it fits the file's real size. @throws error
std::size_t header_bytes_of(std::string_view start, std::uint64_t file_bytes,
                            const std::string& name);

/// @param bytes the header, or more @throws error with the position of what is wrong
checkpoint_head head_from(std::string_view bytes, std::uint64_t file_bytes,
                          const std::string& name);

/// What is behind a field's values: the sums of its blocks. @param before the checksum before it,
/// which becomes this field's @param bytes behind the values, as many as there are up to
/// place.end()
/// @throws error if they have not the checksum
std::vector<checksum> sums_from(std::string_view bytes, checksum& before, const field_bytes& field,
                                const field_place& place, const std::string& name);

/// @throws error if the values have not the sum that they should have. @param number of the block
void check_block(std::string_view values, checksum expected, std::uint64_t number,
                 const field_bytes& field, const field_place& place, const std::string& name);

/// @throws error: "checkpoint 'run.ckpt', byte 12: ..."
[[noreturn]] void refuse_checkpoint(const std::string& name, std::uint64_t position,
                                    const std::string& why);

}  // namespace teff::io
