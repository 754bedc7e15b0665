// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming)
#include <xxhash.h>

#include <teff/base/error.hpp>
#include <teff/io/checkpoint.hpp>

namespace {

/// Makes the file's size in its header right, and the header's checksum where the file says that it
/// is, so that what is behind them is read too: nobody who forges a file leaves them wrong.
void forge(std::string& file) {
  constexpr std::size_t header_at = 12, size_at = 16, least = 32;
  std::uint32_t header = 0;
  if (file.size() < least) return;
  const std::uint64_t size = file.size();
  std::memcpy(file.data() + size_at, &size, sizeof size);
  std::memcpy(&header, file.data() + header_at, sizeof header);
  if (header < least || header > file.size()) return;
  const std::uint64_t sum = XXH3_64bits(file.data(), header - sizeof sum);
  std::memcpy(file.data() + header - sizeof sum, &sum, sizeof sum);
}

}  // namespace

/// A checkpoint of someone else: it is refused with a message, or read, and then written as it was;
/// one of format 1, whose fields' checksums the header does not change, as one of the present.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file(reinterpret_cast<const char*>(data), size);
  forge(file);
  try {
    const teff::io::checkpoint read = teff::io::checkpoint_from(file, "fuzzed");
    const std::string written = teff::io::checkpoint_bytes(read);
    constexpr std::size_t format_at = 8;
    const bool is_present = written[format_at] == file[format_at];
    if (is_present ? written != file
                   : teff::io::checkpoint_bytes(teff::io::checkpoint_from(written, "w")) != written)
      std::abort();
  } catch (const teff::error&) {
    return 0;
  }
  return 0;
}
