// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/checkpoint.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"

using namespace teff;
using teff::test::contains;
using teff::test::message_of;

namespace {

struct saved_run {
  test::temp_folder folder;
  std::string path = folder / "run.ckpt";
  array<f64, 2> T{device::cpu(), {5, 4}, "T"};
  array<i32, 1> count = full(device::cpu(), {3}, 7);

  saved_run() {
    T = ix + 10 * iy;
    io::write_checkpoint(path, 42, {{"T", T}, {"count", count}});
  }
};

}  // namespace

TEST_CASE("checkpoint of arrays: they come back by name, in any order, and so does the step") {
  const saved_run run;
  const auto expected = to_host(run.T);
  array<f64, 2> T(device::cpu(), {5, 4});
  array<i32, 1> count(device::cpu(), {3});
  T = -1;
  CHECK(io::read_checkpoint(run.path, {{"count", count}, {"T", T}}) == 42);
  CHECK(to_host(T) == expected);
  CHECK(to_host(count) == std::vector<i32>{7, 7, 7});
}

TEST_CASE("checkpoint of arrays: parts of arrays, of every type") {
  const test::temp_folder folder;
  const std::string path = folder / "parts";
  array<f32, 2> A(device::cpu(), {6, 5}, "A");
  A = convert<f32>(ix + 10 * iy);
  const auto yes = full(device::cpu(), {2}, true);
  const auto bytes = full(device::cpu(), {2, 1, 2}, u8{200});
  const auto longs = full(device::cpu(), {1}, i64{1} << 40);
  io::write_checkpoint(
      path, 0,
      {{"inner", A(range(1, 5), range(1, 4))}, {"yes", yes}, {"bytes", bytes}, {"longs", longs}});
  const auto B = full(device::cpu(), {3, 8}, -1.0F);
  const array_ref<f32, 2> turned = transposed(flip(B(whole, range(0, 8, 2)), 0));
  array<bool, 1> truths(device::cpu(), {2});
  array<u8, 3> small(device::cpu(), {2, 1, 2});
  array<i64, 1> wide(device::cpu(), {1});
  CHECK(io::read_checkpoint(
            path, {{"inner", turned}, {"yes", truths}, {"bytes", small}, {"longs", wide}}) == 0);
  CHECK(to_host(turned) == to_host(A(range(1, 5), range(1, 4))));
  CHECK(to_host(B(whole, range(1, 8, 2))) == std::vector<f32>(12, -1.0F));
  CHECK(to_host(truths) == std::vector<bool>{true, true});
  CHECK(to_host(small) == std::vector<u8>(4, 200));
  CHECK(wide(0) == i64{1} << 40);
}

TEST_CASE("checkpoint of arrays: a truth is what is not 0") {
  const test::temp_folder folder;
  io::checkpoint forged;
  forged.fields = {{"yes", "bool", {3}, std::string("\0\1\2", 3)}};
  io::write_checkpoint(folder / "a", forged);
  array<bool, 1> yes(device::cpu(), {3});
  (void)io::read_checkpoint(folder / "a", {{"yes", yes}});
  const u8* const bytes = reinterpret_cast<const u8*>(yes.data());
  CHECK(bytes[2] == 1);
}

TEST_CASE("checkpoint of arrays: names that would not be read are not written") {
  saved_run run;
  const std::string said = message_of([&] {
    io::write_checkpoint(run.path, 43, {{std::string(1 << 16, 'n'), run.T}});
  });
  CHECK(contains(said, "bytes, and at most 65536 are read: give shorter names"));
  run.T = -1;
  CHECK(io::read_checkpoint(run.path, {{"T", run.T}, {"count", run.count}}) == 42);
}

TEST_CASE("checkpoint of arrays: what does not fit is refused with both, and nothing is changed") {
  saved_run run;
  const std::string holds = "checkpoint '" + run.path + "' holds ";
  const auto T = full(device::cpu(), {5, 4}, -1.0);
  const auto refusal = [&](const std::vector<io::named_field>& fields) {
    const std::string said = message_of([&] { (void)io::read_checkpoint(run.path, fields); });
    CHECK(to_host(T) == std::vector<f64>(20, -1.0));
    return said;
  };
  CHECK(refusal({{"T", T}, {"P", T}}) == holds + "no 'P'; it holds 'T', 'count'");
  CHECK(refusal({{"T", T}}) == holds +
                                   "'T', 'count', and is read into 'T' alone: a run that goes "
                                   "on needs all");
  CHECK(refusal({{"T", T}, {"count", full(device::cpu(), {4}, 1)}}) ==
        holds + "'count' of 3 i32, which does not fit 'count' of 4 i32");
  CHECK(refusal({{"T", T}, {"count", full(device::cpu(), {3}, 1.0)}}) ==
        holds + "'count' of 3 i32, which does not fit 'count' of 3 f64");
  CHECK(refusal({{"T", T}, {"T", T}}) == "checkpoint '" + run.path + "': two arrays are named 'T'");
  io::write_file(run.path, "notes");
  CHECK(contains(refusal({{"T", T}}), "this is no checkpoint"));
  const auto unwritten = [&](index_t step, const std::vector<io::named_field>& fields) {
    return message_of([&] { io::write_checkpoint(run.path, step, fields); });
  };
  CHECK(contains(unwritten(-1, {{"T", T}}), "expected 0 steps or more, got -1"));
  CHECK(contains(unwritten(0, {}), "got none"));
  CHECK(contains(unwritten(0, {{"", T}}), "an empty name"));
  CHECK(contains(unwritten(0, {{"\xc3\xa9", T}}), "a name is plain ASCII"));
  CHECK(io::read_file(run.path, 100) == "notes");
}
