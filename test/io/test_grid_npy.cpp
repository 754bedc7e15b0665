// SPDX-License-Identifier: MIT
#include <atomic>
#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <teff/algo/copy.hpp>
#include <teff/grid/gather.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_statement.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/grid_npy.hpp>

#include "../generator.hpp"
#include "../message.hpp"
#include "../temp_folder.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

std::ptrdiff_t files_in(const temp_folder& folder) {
  const std::filesystem::directory_iterator all(folder.path());
  return std::distance(begin(all), end(all));
}

/// The bytes that all ranks write are those of one, and all ranks read what one wrote.
template <class T, int N>
void check_npy(generator& g, const temp_folder& folder) {
  extents<N> n;
  std::array<int, 3> cuts{1, 1, 1};
  std::array<int, N> more{};
  int count = 1;
  for (int d = 0; d < N; ++d) {
    const auto at = static_cast<std::size_t>(d);
    n[d] = g.between(8, N == 1 ? 9000 : N == 2 ? 90 : 20);
    more[at] = static_cast<int>(g.between(0, 1));
    const int cut = static_cast<int>(g.between(1, 3));
    if (count * cut > 8) continue;
    cuts[at] = cut;
    count *= cut;
  }
  g.count();
  extents<N> whole = n;
  for (int d = 0; d < N; ++d) whole[d] += more[static_cast<std::size_t>(d)];
  array<T, N> A(device::cpu(), whole);
  std::vector<T> given;
  for (index_t i = 0; i < whole.size(); ++i) given.push_back(static_cast<T>(g.between(0, 200)));
  A = from_host(given);
  const std::string one = folder / "one.npy", many = folder / "many.npy";
  io::write_npy(one, A);
  std::atomic<int> right = 0;
  run_on(cpu_ranks(count), [&](const ranks& r) {
    const grid<N> on(n, {.on = r, .cuts = cuts});
    const auto T1 = on.template array<T>("T", more), T2 = on.template array<T>("T", more);
    scatter(T1, A);
    io::write_npy(many, T1);
    T2 = T{};
    io::read_npy(one, T2);
    const array<T, N> all = gather(T2);
    if (!r.is_root() || to_host(all) == given) ++right;
  });
  CHECK(right == count);
  CHECK(io::read_file(many, 1 << 22) == io::read_file(one, 1 << 22));
  CHECK(files_in(folder) == 2);
}

TEST_CASE("npy of a grid: the bytes are those of one rank, for all cuts and types") {
  const temp_folder folder;
  generator g("npy of grids");
  for (int round = 0; round < generator::rounds(12); ++round) {
    check_npy<f64, 2>(g, folder);
    check_npy<f32, 3>(g, folder);
    check_npy<i32, 1>(g, folder);
    check_npy<u8, 3>(g, folder);
    check_npy<i64, 2>(g, folder);
  }
}

/// f(ranks, grid array 'T' of 60x80 f64), on three ranks; what each threw.
template <class F>
std::vector<std::string> texts_of(const F& f) {
  std::vector<std::string> texts(3);
  run_on(cpu_ranks(3), [&](const ranks& r) {
    const grid<2> g({60, 80}, {.on = r});
    const auto T = g.array<double>("T");
    T = 1.0 * ix + 100.0 * iy;
    texts[static_cast<std::size_t>(r.rank())] = message_of([&] { f(r, T); });
    const array<double, 2> all = gather(T);  // the grid goes on
  });
  return texts;
}
void check_all_say(const std::vector<std::string>& texts, const std::string& expected) {
  for (const std::string& text : texts) CHECK(text == expected);
}

TEST_CASE("npy of a grid: files of the other order, big-endian ones, and truths") {
  const temp_folder folder;
  const std::string path = folder / "a.npy";
  std::string file = io::npy_start("i32", {5, 7, 9});
  file.replace(file.find("'<i4', 'fortran_order': True, "), 30, "'>i4', 'fortran_order': False,");
  for (int i = 0; i < 5 * 7 * 9; ++i) {
    const char bytes[4] = {0, 0, static_cast<char>(i / 256), static_cast<char>(i % 256)};
    file.append(bytes, 4);
  }
  io::write_file(path, file);
  const std::string truths = folder / "truths.npy";
  io::write_file(truths, io::npy_start("bool", {8}) + std::string("\0\1\2\3\0\0\4\0", 8));
  const auto expected = to_host(io::read_npy<i32, 3>(device::cpu(), path));
  std::atomic<int> right = 0;
  run_on(cpu_ranks(6), [&](const ranks& r) {
    const grid g({5, 7, 9}, {.on = r, .cuts = {2, 1, 3}});
    const auto A = g.array<i32>();
    io::read_npy(path, A);
    const array<i32, 3> all = gather(A);
    const grid line({8}, {.on = r});
    const auto B = line.array<bool>();
    io::read_npy(truths, B);
    const array<bool, 1> flags = gather(B);
    if (!r.is_root() ||
        (to_host(all) == expected && to_host(flags) == std::vector<bool>{0, 1, 1, 1, 0, 0, 1, 0}))
      ++right;
  });
  CHECK(right == 6);
}

TEST_CASE("npy of a grid: what can not be written is said on all ranks, and the old file stays") {
  const temp_folder folder;
  const std::string path = folder / "a.npy", astray = folder / "missing/a.npy";
  io::write_file(path, "old");
  check_all_say(texts_of([&](const ranks&, const auto& T) { io::write_npy(astray, T); }),
                "cannot write '" + astray + "': No such file or directory");
  check_all_say(texts_of([&](const ranks&, const auto& T) { io::write_npy("/dev/null", T); }),
                "cannot write '/dev/null': ranks write a regular file together, and it is none; "
                "gather(A) brings all cells to the root, which can");
  check_all_say(texts_of([&](const ranks& r, const auto& T) {
                  io::write_npy(r.rank() == 1 ? astray : path, T);
                }),
                "a file of a grid: its path must be the same on all ranks, but rank 0 has " + path +
                    " and rank 1 " + astray);
  // A limit of a file's size fails as a full disk does, here that of rank 2 alone.
  struct rlimit old {};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit tight { 30'000, old.rlim_max };
  REQUIRE(setrlimit(RLIMIT_FSIZE, &tight) == 0);
  const auto texts = texts_of([&](const ranks&, const auto& T) { io::write_npy(path, T); });
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  check_all_say(texts, "cannot write '" + path + "': File too large, said by rank 2");
  CHECK(io::read_file(path, 100) == "old");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("npy of a grid: what does not fit or is cut is refused on all ranks, nothing changed") {
  const temp_folder folder;
  const std::string path = folder / "a.npy";
  const auto refusal = [&](const std::string& expected) {
    std::atomic<int> unchanged = 0;
    check_all_say(texts_of([&](const ranks& r, const auto& T) {
                    const std::string text = message_of([&] { io::read_npy(path, T); });
                    const array<double, 2> all = gather(T);
                    if (!r.is_root() || all(59, 79) == 59 + 7900.0) ++unchanged;
                    throw error(text);
                  }),
                  expected);
    CHECK(unchanged == 3);
  };
  refusal("cannot read '" + path + "': No such file or directory");
  const array<f32, 2> other = array<f32, 2>(device::cpu(), {60, 80});
  io::write_npy(path, other);
  refusal(".npy file '" + path +
          "' holds f32 of 60x80, which does not fit grid array 'T' of 60x80 f64");
  io::write_file(path, io::npy_start("f64", {60, 80}) + std::string(8 * 60 * 80 - 1, 'x'));
  refusal(".npy file '" + path +
          "': byte 128: 60x80 f64 has 38400 bytes, and 38399 follow; it was cut");
  io::write_file(path, "a picture");
  refusal(".npy file '" + path + "': byte 0: it does not begin with \\x93NUMPY, so it is none");
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test
