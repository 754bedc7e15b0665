// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <teff/expr/fd2.hpp>
#include <teff/grid/gather.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/iterate.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/grid_checkpoint.hpp>

#include "../devices.hpp"
#include "../message.hpp"
#include "../temp_folder.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

using namespace fd2;

/// Sound: three fields, two of them staggered.
auto sound() {
  return timestep([](auto P, auto Vx, auto Vy) {
    return stages(update(inn_x(Vx), inn_x(Vx) - 0.3 * d_xa(P)),
                  update(inn_y(Vy), inn_y(Vy) - 0.3 * d_ya(P)),
                  update(P, P - 0.3 * (d_xa(Vx) + d_ya(Vy))));
  });
}
/// Each field takes three blocks of a checkpoint.
constexpr extents<2> of_box{601, 502};

struct box {
  grid<2> g;
  grid_array<f64, 2> P = g.array<f64>("P"), Vx = g.array<f64>("Vx", {1, 0}),
                     Vy = g.array<f64>("Vy", {0, 1});
  explicit box(const ranks& r, const std::array<int, 3>& cuts = {0, 0, 0})
      : g(of_box, {.on = r, .cuts = cuts}) {}
  void begin() const {
    P = 1.0 / (1.0 + sq((ix - 200.0) / 30) + sq((iy - 300.0) / 40));
    Vx = 0.0;
    Vy = 0.001 * ix;
  }
  void run(index_t from, index_t to) const {
    iterate(sound(), {.steps = to - from, .first_step = from}, P, Vx, Vy);
  }
  std::vector<io::named_grid_field> fields() const { return {{"P", P}, {"Vx", Vx}, {"Vy", Vy}}; }
  std::vector<f64> cells() const {
    std::vector<f64> all;
    for (const auto* one : {&P, &Vx, &Vy}) {
      const std::vector<f64> cells = to_host(gather(*one));
      all.insert(all.end(), cells.begin(), cells.end());
    }
    return all;
  }
};

/// 40 steps on one rank, and a checkpoint in the middle written by three.
struct runs {
  temp_folder folder;
  std::string path = folder / "run.ckpt", of_one = folder / "one.ckpt";
  std::vector<f64> expected;
  runs() {
    const box alone{ranks()};
    alone.begin();
    alone.run(0, 20);
    io::write_checkpoint(of_one, 20, alone.fields());
    alone.run(20, 40);
    expected = alone.cells();
    run_on(cpu_ranks(3), [&](const ranks& r) {
      const box three(r);
      three.begin();
      three.run(0, 20);
      io::write_checkpoint(path, 20, three.fields());
    });
  }
};

TEST_CASE("checkpoint of a grid: bytes are those of one rank, a run goes on, on any number") {
  const runs all;
  CHECK(io::read_file(all.path, 1 << 25) == io::read_file(all.of_one, 1 << 25));
  for (const int count : is_quick() ? std::vector{3, 8} : std::vector{1, 2, 3, 5, 8}) {
    CAPTURE(count);
    std::atomic<int> right = 0;
    run_on(cpu_ranks(count), [&](const ranks& r) {
      // (Two of these cut x.)
      const box again(r, {count == 5 ? 5 : count == 8 ? 2 : 0, 0, 0});
      const index_t step = io::read_checkpoint(all.path, again.fields());
      again.run(step, 40);
      const std::vector<f64> cells = again.cells();
      if (step == 20 && (!r.is_root() || cells == all.expected)) ++right;
    });
    CHECK(right == count);
  }
}

/// What three ranks say, alike.
template <class F>
std::string said(const F& f) {
  std::vector<std::string> texts(3);
  run_on(cpu_ranks(3), [&](const ranks& r) {
    const box three(r);
    three.P = 7.0;
    texts[static_cast<std::size_t>(r.rank())] = message_of([&] { f(three); });
    if (to_host(gather(three.P)) != std::vector<f64>(r.is_root() ? 601 * 502 : 0, 7.0))
      throw error("it was changed");
  });
  CHECK(texts[0] == texts[1]);
  CHECK(texts[0] == texts[2]);
  return texts[0];
}

TEST_CASE(
    "checkpoint of a grid: a damaged, short or foreign file is refused alike, all unchanged") {
  const runs all;
  const std::string whole = io::read_file(all.path, 1 << 25), name = "checkpoint '" + all.path;
  const auto refusal = [&](const std::string& content) {
    io::write_file(all.path, content);
    return said([&](const box& b) { (void)io::read_checkpoint(all.path, b.fields()); });
  };
  const std::size_t bytes_of_P = 8 * 601 * 502, behind_P = bytes_of_P + 4 * 8,
                    bytes_of_Vx = 8 * 602 * 502, behind_Vx = bytes_of_Vx + 4 * 8;
  const std::size_t P = whole.size() - behind_P - behind_Vx - (8 * 601 * 503 + 4 * 8);
  const auto damaged = [&](std::size_t at) {
    std::string file = whole;
    file[at] = static_cast<char>(file[at] ^ 1);
    return file;
  };
  CHECK(refusal(damaged(P + behind_P + (2 << 20) + 5)) ==
        name + "', byte " + std::to_string(P + behind_P + (2 << 20)) +
            ": block 3 of 3 of field 'Vx' does not have its checksum; it was damaged, said by rank "
            "2");
  CHECK(refusal(damaged(P + behind_P + bytes_of_Vx + 9)) ==
        name + "', byte " + std::to_string(P + behind_P + bytes_of_Vx) +
            ": field 'Vx' does not have its checksum; it was damaged, or is not of this place, "
            "step or file");
  CHECK(contains(refusal(damaged(30)), "the header does not have its checksum; it was damaged"));
  CHECK(contains(refusal(whole.substr(0, whole.size() - 1)), "it was cut"));
  CHECK(contains(refusal(whole.substr(0, 10)), "it was cut"));
  CHECK(contains(refusal("notes"), "this is no checkpoint"));
  CHECK(contains(refusal(""), "it was cut"));
  io::write_file(all.path, whole);
  CHECK(said([&](const box& b) {
          (void)io::read_checkpoint(all.path, {{"P", b.P}, {"Vx", b.Vx}});
        }) == name +
                  "' holds 'P', 'Vx', 'Vy', and is read into 'P', 'Vx' alone: a run that goes on "
                  "needs all");
  CHECK(contains(said([&](const box& b) {
                   (void)io::read_checkpoint(all.path, {{"P", b.P}, {"Vx", b.Vy}, {"Vy", b.Vx}});
                 }),
                 "'Vx' of 602x502 f64, which does not fit 'Vx' of 601x503 f64"));
  CHECK(said([&](const box& b) { (void)io::read_checkpoint(all.folder / "no", b.fields()); }) ==
        "cannot read '" + (all.folder / "no") + "': No such file or directory");
}

TEST_CASE("checkpoint of a grid: what can not be written is said alike, the old file stays") {
  const temp_folder folder;
  const std::string path = folder / "run.ckpt";
  io::write_file(path, "old");
  const auto refusal = [&](const auto& write) { return said(write); };
  CHECK(refusal([&](const box& b) { io::write_checkpoint(folder / "a/b", 1, b.fields()); }) ==
        "cannot write '" + (folder / "a/b") + "': No such file or directory");
  CHECK(contains(refusal([&](const box& b) { io::write_checkpoint(path, -1, b.fields()); }),
                 "expected 0 steps or more, got -1"));
  CHECK(contains(refusal([&](const box& b) {
                   io::write_checkpoint(path, 1, {{"P", b.P}, {"P", b.Vx}});
                 }),
                 "two arrays are named 'P'"));
  CHECK(refusal([&](const box& b) {
          io::write_checkpoint(path, b.g.on().rank() == 1 ? 2 : 1, {{"P", b.P}});
        }) ==
        "write_checkpoint: the checkpoint must be the same on all ranks, but rank 0 has step 1 "
        "and rank 1 step 2");
  CHECK(io::read_file(path, 100) == "old");
}

/// A checkpoint of one small field as format 3 has it: without the sum of its one block.
std::string of_format_3(std::string file, std::size_t bytes) {
  const auto put = [&](std::size_t at, auto value) {
    std::memcpy(&file[at], &value, sizeof value);
  };
  std::uint32_t header = 0;
  std::memcpy(&header, &file[12], sizeof header);
  file.resize(file.size() - 8);
  put(8, std::uint32_t{3});
  put(16, std::uint64_t{file.size()});
  const std::uint64_t sum = XXH3_64bits(file.data(), header - 8);
  put(header - 8, sum);
  put(header + bytes, std::uint64_t{XXH3_64bits_withSeed(&file[header], bytes, sum)});
  return file;
}

TEST_CASE("checkpoint of a grid: one of arrays is read, and one of an earlier format") {
  const temp_folder folder;
  const std::string path = folder / "arrays";
  array<bool, 3> a(device::cpu(), {9, 4, 3});
  a = ix == 3 || ix + iy + iz == 8;
  io::write_checkpoint(path, 5, {{"a", a}});
  const std::string now = io::read_file(path, 10000), old = of_format_3(now, 9 * 4 * 3);
  std::string damaged = old;
  damaged[old.size() - 20] ^= 1;
  for (const std::string& file : {now, old, damaged}) {
    io::write_file(path, file);
    std::atomic<int> right = 0;
    run_on(cpu_ranks(4), [&](const ranks& r) {
      const grid g({9, 4, 3}, {.on = r, .cuts = {2, 2, 1}});
      const auto b = g.array<bool>();
      index_t step = 0;
      const std::string text = message_of([&] { step = io::read_checkpoint(path, {{"a", b}}); });
      const array<bool, 3> all = gather(b);
      if (file == damaged) {
        if (text.find("field 'a' does not have its checksum") != std::string::npos) ++right;
      } else if (step == 5 && (!r.is_root() || to_host(all) == to_host(a))) {
        ++right;
      }
    });
    CHECK(right == 4);
  }
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test
