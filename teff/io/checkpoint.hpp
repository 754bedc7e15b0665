// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <teff/io/any_field.hpp>
#include <teff/io/field_bytes.hpp>

/// The state of a run between two steps, from which it goes on to the same bits. docs/solve.md has
/// the format.
namespace teff::io {

struct named_number {
  std::string name;
  double value = 0;
  friend bool operator==(const named_number&, const named_number&) = default;
};

struct checkpoint {
  std::string solver, type;            ///< the type that the solver computes in
  std::vector<index_t> shape;          ///< the solver's
  std::vector<named_number> numbers;   ///< what the solver was made with
  std::vector<named_number> settings;  ///< how far and how it runs: they may change on the way
  double dt = 0;
  index_t step = 0;
  std::vector<field_bytes> fields;
};

/// The file's bytes. @throws error if a field's values do not fit its shape
std::string checkpoint_bytes(const checkpoint& state);

/// The same into a file, whole or not at all: an older checkpoint stays until the new one is on the
/// disk.
void write_checkpoint(const std::string& path, const checkpoint& state);

/// Reads what checkpoint_bytes made, in earlier versions too. Every byte is covered by a checksum,
/// which a field of another place, step or file does not have either; every size is compared with
/// the bytes that are there before it is believed: hostile ones too are refused.
/// @param name in messages
/// @throws error with the position of what is wrong
checkpoint checkpoint_from(std::string_view bytes, const std::string& name);

/// There is a file that is neither a checkpoint, whole or cut, nor empty: what nobody wants
/// replaced.
/// @throws error if it can not be read
bool holds_something_else(const std::string& path);

/// Reads a file. One that is no checkpoint, or was cut, is refused by its first bytes.
checkpoint read_checkpoint(const std::string& path);

/// The arrays of a program's own run after `step` steps, each of any type, shape, strides and
/// device: write_checkpoint("run.ckpt", step, {{"T", T}}).
/// @throws error for names that are empty, not plain ASCII, or there twice
/// @sync waits for the arrays' streams
void write_checkpoint(const std::string& path, index_t step,
                      const std::vector<named_field>& fields);

/// Reads it into arrays of the same names, types and shapes, in any order. Returns the step.
/// @throws error if the file holds others, or lacks one, or as read_checkpoint does; then no array
/// was changed
/// @sync waits for the arrays' streams
index_t read_checkpoint(const std::string& path, const std::vector<named_field>& fields);

}  // namespace teff::io
