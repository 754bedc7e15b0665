// SPDX-License-Identifier: MIT
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sys/resource.h>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <teff/io/atomic_file.hpp>
#include <teff/io/checkpoint.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"
#include "cell_bytes.hpp"

namespace fs = std::filesystem;
using namespace teff::io;
using teff::test::cells_of;
using teff::test::contains;
using teff::test::message_of;

namespace {

checkpoint small_state() {
  return {"wave2d",
          "f64",
          {2, 1},
          {{"rho", 1.5}, {"K", 2}},
          {{"steps", 100}},
          0.125,
          42,
          {{"P", "f64", {2, 1}, cells_of<double>({1, -0.0})},
           {"Vx", "f64", {3, 1}, cells_of<double>({0, 1e300, 5e-324})}}};
}

/// Bytes of the cells of small_state().
constexpr std::size_t bytes_of_P = 16, bytes_of_Vx = 24;

/// A file whose header was changed, with the checksums that belong to it: each field's begins with
/// the one before it, in format 1 with none. Since format 4 it is that of the sums of blocks: here
/// one a field.
std::string summed(std::string file, std::uint32_t header) {
  std::uint32_t format = 0;
  std::memcpy(&format, &file[8], sizeof format);
  std::uint64_t sum = XXH3_64bits(file.data(), header - sizeof sum);
  std::memcpy(&file[header - sizeof sum], &sum, sizeof sum);
  std::size_t at = header;
  for (const std::size_t bytes : {bytes_of_P, bytes_of_Vx}) {
    const char* summed = &file[at];
    std::size_t count = bytes;
    at += bytes;
    if (format >= 4) {
      const std::uint64_t of_block = XXH3_64bits(summed, bytes);
      std::memcpy(&file[at], &of_block, sizeof of_block);
      summed = &file[at];
      count = sizeof of_block;
      at += sizeof of_block;
    }
    sum = XXH3_64bits_withSeed(summed, count, format == 1 ? 0 : sum);
    std::memcpy(&file[at], &sum, sizeof sum);
    at += sizeof sum;
  }
  return file;
}

/// The header of `file` changed by `change`, with the checksums that belong to it: what only one
/// who means harm, or another program, would write.
template <class Change>
std::string forged(std::string file, const Change& change) {
  std::uint32_t header = 0;
  std::memcpy(&header, &file[12], sizeof header);
  change(file);
  return summed(std::move(file), header);
}
template <class T>
auto put_at(std::size_t at, T value) {
  return [=](std::string& file) { std::memcpy(&file[at], &value, sizeof value); };
}
/// small_state() in a format in which fields have one checksum, or no type of their own either.
std::string of_earlier_format(std::string file, std::uint32_t format) {
  std::uint32_t header = 0;
  std::memcpy(&header, &file[12], sizeof header);
  file.erase(file.size() - 16, 8);  // sums of blocks
  file.erase(header + bytes_of_P, 8);
  const std::string type("\x03\0\0\0f64", 7);
  for (const char* name : {"P", "Vx"}) {
    if (format == 3) continue;
    file.erase(file.find(name + type) + std::strlen(name), 7);
    header -= type.size();
  }
  put_at(8, format)(file);
  put_at(12, header)(file);
  put_at(16, std::uint64_t{file.size()})(file);
  return summed(file, header);
}
std::string refusal(const std::string& bytes) {
  return message_of([&] { (void)checkpoint_from(bytes, "x"); });
}
/// Where a text stands, behind its length.
std::size_t behind(const std::string& file, const std::string& text) {
  return file.find(text) + text.size();
}

/// A file that goes.
struct temporary {
  teff::test::temp_folder folder;
  std::string path = folder / "state";
};

}  // namespace

TEST_CASE("checkpoint: what was written is read, to the bit") {
  const temporary file;
  const checkpoint state = small_state();
  write_checkpoint(file.path, state);
  const checkpoint found = read_checkpoint(file.path);
  CHECK(found.solver == state.solver);
  CHECK(found.type == state.type);
  CHECK(found.shape == state.shape);
  CHECK(found.numbers == state.numbers);
  CHECK(found.settings == state.settings);
  CHECK(found.dt == state.dt);
  CHECK(found.step == state.step);
  REQUIRE(found.fields.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(found.fields[i].name == state.fields[i].name);
    CHECK(found.fields[i].shape == state.fields[i].shape);
    CHECK(found.fields[i].cells == state.fields[i].cells);
  }
  CHECK(checkpoint_bytes(found) == checkpoint_bytes(state));
}

TEST_CASE("checkpoint: every length but the whole is refused") {
  const std::string whole = checkpoint_bytes(small_state());
  const temporary file;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    CHECK(refusal(whole.substr(0, length)).find("cut") != std::string::npos);
    std::ofstream(file.path, std::ios::binary) << whole.substr(0, length);
    CHECK_THROWS_AS((void)read_checkpoint(file.path), teff::error);
  }
  CHECK(refusal(whole).empty());
  CHECK(contains(refusal(whole + "x"), "has " + std::to_string(whole.size()) + " bytes, it has " +
                                           std::to_string(whole.size() + 1)));
}

TEST_CASE("checkpoint: every flipped bit is refused") {
  const std::string whole = checkpoint_bytes(small_state());
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      CAPTURE(at);
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      CHECK_THROWS_AS((void)checkpoint_from(damaged, "x"), teff::error);
    }
}

TEST_CASE("checkpoint: what is wrong is named, with its position") {
  const std::string whole = checkpoint_bytes(small_state());
  CHECK(refusal("") == "checkpoint 'x', byte 0: the file ends here; it was cut");
  CHECK(refusal("\x89PNG and more of it, a picture") ==
        "checkpoint 'x', byte 0: this is no checkpoint: it does not begin with TEFFCKPT");
  CHECK(refusal(forged(whole, put_at(8, std::uint32_t{5}))) ==
        "checkpoint 'x', byte 8: format 5, and this program reads formats 1 to 4");
  CHECK(contains(refusal(forged(whole, put_at(8, std::uint32_t{0}))), "format 0, and"));
  std::string damaged = whole;
  damaged[behind(whole, "wave2d") - 1] = 'x';
  CHECK(contains(refusal(damaged), "the header does not have its checksum; it was damaged"));
  damaged = whole;
  damaged[whole.size() - 9] ^= 1;
  CHECK(contains(refusal(damaged), "field 'Vx' does not have its checksum; it was damaged"));
}

TEST_CASE("checkpoint: files of earlier formats are read, and written in the present one") {
  const std::string now = checkpoint_bytes(small_state());
  CHECK(checkpoint_bytes(checkpoint_from(of_earlier_format(now, 3), "x")) == now);
  const std::string second = of_earlier_format(now, 2);
  CHECK(checkpoint_bytes(checkpoint_from(second, "x")) == now);
  const std::string old = of_earlier_format(now, 1);
  const std::size_t sum_of_P = old.size() - 8 - bytes_of_Vx - 8;
  const std::uint64_t alone = XXH3_64bits(&old[sum_of_P - bytes_of_P], bytes_of_P);
  REQUIRE(std::memcmp(&old[sum_of_P], &alone, sizeof alone) == 0);  // as they were
  CHECK(checkpoint_bytes(checkpoint_from(old, "x")) == now);
  std::string damaged = old;
  damaged[sum_of_P - 1] ^= 1;
  CHECK(contains(refusal(damaged), "field 'P' does not have its checksum; it was damaged"));
  // A file can not pass for one of another format, which is in the header's checksum.
  damaged = second;
  put_at(8, std::uint32_t{1})(damaged);
  CHECK(contains(refusal(damaged), "the header does not have its checksum"));
}

TEST_CASE("checkpoint: a field of another place, step or run is refused, with its checksum too") {
  checkpoint state = small_state();
  state.fields = {{"P", "f64", {2}, cells_of<double>({1, 2})},
                  {"f", "f64", {2}, cells_of<double>({3, 4})},
                  {"g", "f64", {2}, cells_of<double>({5, 6})}};
  const std::string whole = checkpoint_bytes(state);
  constexpr std::size_t field = 16 + 8 + 8;  // its cells, their sum and its checksum
  const auto place = [&](std::size_t number) { return whole.size() - (3 - number) * field; };
  const auto put_field = [&](std::size_t to, const std::string& of, std::size_t from) {
    std::string file = whole;
    return file.replace(place(to), field, of, place(from), field);
  };
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      CAPTURE(a);
      CAPTURE(b);
      if (a == b) continue;
      std::string exchanged = put_field(a, whole, b);
      exchanged.replace(place(b), field, whole, place(a), field);
      CHECK(contains(refusal(exchanged), "or is not of this place, step or file"));
      CHECK(refusal(put_field(a, whole, b)) != "");
    }
  checkpoint later = state, other = state, renamed = state;
  later.step = 43;
  other.fields[0].cells[0] ^= 1;  // one header, but another run
  renamed.fields[1].name = "h";
  for (std::size_t n = 0; n < 3; ++n) {
    CAPTURE(n);
    CHECK(refusal(put_field(n, checkpoint_bytes(later), n)) != "");
    CHECK(refusal(put_field(n, checkpoint_bytes(other), n)) != "");
    CHECK(refusal(put_field(n, checkpoint_bytes(renamed), n)) != "");
  }
  CHECK(refusal(put_field(1, whole, 1)) == "");
}

TEST_CASE("checkpoint: sizes that lie are refused, even with the right checksums") {
  const std::string whole = checkpoint_bytes(small_state());
  constexpr std::uint32_t many = 0xffffffff;
  constexpr auto huge = std::numeric_limits<std::int64_t>::max();
  for (const std::uint32_t header :
       {std::uint32_t{0}, std::uint32_t{31}, many, static_cast<std::uint32_t>(whole.size() + 1)}) {
    std::string file = whole;
    put_at(12, header)(file);
    CHECK(contains(refusal(file), "byte 12: a header of " + std::to_string(header)));
  }
  CHECK(contains(refusal(forged(whole, put_at(24, many))), "do not fit in the header"));
  const std::size_t rank = behind(whole, "f64");
  CHECK(contains(refusal(forged(whole, put_at(rank, many))), "4294967295 entries do not fit"));
  const std::size_t type = behind(whole, "Vx") + 4;
  CHECK(contains(refusal(forged(whole, put_at(type, 'g'))), "or bool, got 'g64'"));
  const std::size_t field = type + 3 + 4;  // behind its rank
  CHECK(contains(refusal(forged(whole, put_at(field, huge))), "has no size that a file holds"));
  CHECK(contains(refusal(forged(whole, put_at(field, huge / 16))), "does not fit in the file"));
  CHECK(
      contains(refusal(forged(whole, put_at(field, std::int64_t{4}))), "does not fit in the file"));
  CHECK(contains(refusal(forged(whole, put_at(field, std::int64_t{2}))), "holds more than it"));
  CHECK(contains(refusal(forged(whole, put_at(field, std::int64_t{-3}))), "has no size"));
  CHECK(contains(refusal(forged(whole, put_at(behind(whole, "rho"), std::nan("")))),
                 "a number is not finite"));
  const std::size_t step = behind(whole, "steps") + 8 + 8;
  CHECK(contains(refusal(forged(whole, put_at(step, std::int64_t{-1}))), "a negative step"));
  CHECK(contains(refusal(forged(whole, put_at(behind(whole, "wave2d") - 1, '\033'))),
                 "byte 28: a text is not plain ASCII"));
}

TEST_CASE("checkpoint: a damaged block of a large field is named") {
  checkpoint state;
  state.fields = {{"f", "u8", {(3 << 20) - 5}, std::string((3 << 20) - 5, 'x')}};
  std::string whole = checkpoint_bytes(state);
  const std::size_t values = whole.size() - 4 * 8 - state.fields[0].cells.size();
  CHECK(checkpoint_from(whole, "x").fields[0].cells == state.fields[0].cells);
  whole[values + (1 << 20)] = 'y';
  CHECK(refusal(whole) == "checkpoint 'x', byte " + std::to_string(values + (1 << 20)) +
                              ": block 2 of 3 of field 'f' does not have its checksum; it was "
                              "damaged");
}

TEST_CASE("checkpoint: a file's size is compared before it is read") {
  const temporary file;
  std::ofstream(file.path, std::ios::binary) << "no checkpoint";
  fs::resize_file(file.path, std::uintmax_t{1} << 40);  // a hole: it takes no place on the disk
  CHECK(contains(message_of([&] { (void)read_checkpoint(file.path); }), "this is no checkpoint"));
  std::string start = checkpoint_bytes(small_state()).substr(0, 24);
  std::ofstream(file.path, std::ios::binary | std::ios::in) << start;
  CHECK(contains(message_of([&] { (void)read_checkpoint(file.path); }), "it has 1099511627776"));
  CHECK(contains(message_of([] { (void)read_checkpoint("/nowhere/x"); }),
                 "cannot read '/nowhere/x'"));
  CHECK(contains(message_of([] { (void)read_checkpoint("/tmp"); }), "cannot read '/tmp'"));
}

TEST_CASE("checkpoint: on a full disk the one before stays whole") {
  const temporary file;
  const checkpoint before = small_state();
  write_checkpoint(file.path, before);
  checkpoint after = before;
  after.step = 43;
  after.fields[0] = {"P", "f64", {1000, 1000}, std::string(8'000'000, 'x')};
  // A limit of a file's size fails as a full disk does: in the middle of writing.
  struct rlimit old {};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit tight { 1'000'000, old.rlim_max };
  REQUIRE(setrlimit(RLIMIT_FSIZE, &tight) == 0);
  const std::string said = message_of([&] { write_checkpoint(file.path, after); });
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  CHECK(contains(said, "cannot write '" + file.path + "'"));
  CHECK(read_checkpoint(file.path).step == 42);
  const fs::directory_iterator all(file.folder.path());
  CHECK(std::distance(begin(all), end(all)) == 1);
}

TEST_CASE("checkpoint: what else a file may hold is told from a checkpoint, whole or cut") {
  const temporary file;
  CHECK(!holds_something_else(file.path));
  std::ofstream(file.path).close();
  CHECK(!holds_something_else(file.path));
  std::ofstream(file.path) << "notes";
  CHECK(holds_something_else(file.path));
  std::ofstream(file.path) << "TEFF";
  CHECK(holds_something_else(file.path));
  std::ofstream(file.path, std::ios::binary) << checkpoint_bytes(small_state()).substr(0, 20);
  CHECK(!holds_something_else(file.path));
  CHECK(!holds_something_else("/dev/null"));
}
