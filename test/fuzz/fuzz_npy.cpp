// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <teff/base/error.hpp>
#include <teff/io/field_bytes.hpp>
#include <teff/io/npy.hpp>

/// A .npy file of someone else: its header is refused with a message that a terminal can show, or
/// read, and then tells of as many bytes as follow.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file(reinterpret_cast<const char*>(data), size);
  try {
    const teff::io::npy_header found = teff::io::npy_header_from(file, size, "fuzzed");
    if (found.header_bytes + teff::io::bytes_of_field(found.type, found.shape) != size)
      std::abort();
  } catch (const teff::error& refused) {
    const std::string said = refused.what();
    if (said.size() > 2000 ||
        !std::ranges::all_of(said, [](char c) { return c >= ' ' && c <= '~'; }))
      std::abort();
  }
  return 0;
}
