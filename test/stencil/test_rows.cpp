// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <memory>
#include <sstream>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/formula/residual.hpp>
#include <teff/stencil/iterate.hpp>
#include <teff/stencil/relay.hpp>
#include <teff/stencil/rows/row_cells.hpp>
#include <teff/stencil/rows/row_stepper.hpp>

using namespace teff;
using namespace teff::fd2;
using namespace teff::runtime;

namespace {

/// smooth() below, as a compiler of rows would write it.
void smooth_row(void* to, const void* const* from, index_t cells, const index_t*,
                const double* reals, const i64*) {
  const auto* T = static_cast<const double*>(from[0]);
  const auto* above = static_cast<const double*>(from[1]);
  const auto* below = static_cast<const double*>(from[2]);
  for (index_t i = 0; i < cells; ++i) {
    const double x = (T[i + 1] - T[i]) - (T[i] - T[i - 1]);
    const double y = (above[i] - T[i]) - (T[i] - below[i]);
    static_cast<double*>(to)[i] = std::fma(reals[0], x + y, T[i]);
  }
}
void copy_row(void* to, const void* const* from, index_t cells, const index_t*, const double*,
              const i64*) {
  for (index_t i = 0; i < cells; ++i)
    static_cast<double*>(to)[i] = static_cast<const double*>(from[0])[i];
}

constexpr double share = 0.21;
const double* const numbers = &share;

auto smooth() {
  return timestep([](auto T) {
    return stages(update(inn(T), inn(T) + share * (d2_xi(T) + d2_yi(T)),
                         boundary{.x = periodic, .y = {fixed, gradient(0.5)}}),
                  residual(max_abs(T)));
  });
}

std::shared_ptr<const row_step> smooth_as_rows() {
  using kind = side_condition::kind;
  auto step = std::make_shared<row_step>();
  stage_table table;
  table.is_real = table.has_conditions = true;
  table.flops = 9;
  for (int d = 0; d < 2; ++d) table.low[d] = table.high[d] = 1;
  for (const int x : {-1, 0, 1}) table.reads[0].add_cell(x, 0, 0);
  for (const int y : {-1, 1}) table.reads[0].add_cell(0, y, 0);
  step->tables.push_back(table);
  step->table = {2, 1, 1, 0, table.flops, step->tables.data()};
  row_stage& stage = step->stages.emplace_back();
  stage.computed = {
      smooth_row, numbers, nullptr, cell_type::f64, {{0, 0, 0}, {0, 1, 0}, {0, -1, 0}}};
  for (side_condition& side : stage.sides[0]) side = row_side(kind::periodic, 0, 0, 0.0);
  stage.sides[1][1] = row_side(kind::slope, 0, 0, 0.5);
  step->residual.emplace();
  step->residual->computed = {copy_row, numbers, nullptr, cell_type::f64, {{0, 0, 0}}};
  return step;
}

std::unique_ptr<row_field> row_field_over(const array<f64, 2>& T) {
  const row_array cells{cell_type::f64,
                        T.handle(),
                        const_cast<f64*>(T.data()),
                        {T.extent(0), T.extent(1), 1},
                        {T.stride(0), T.stride(1), 0}};
  return row_field_of(cells, 2, T.on());
}
std::shared_ptr<stepper> rows_over(const array<f64, 2>& T) {
  std::vector<std::unique_ptr<row_field>> fields;
  fields.push_back(row_field_over(T));
  return std::make_shared<row_stepper>(smooth_as_rows(), std::move(fields));
}

/// wave() below: its first update, of U from U and W.
void wave_row(void* to, const void* const* from, index_t cells, const index_t*, const double* reals,
              const i64*) {
  const auto* U = static_cast<const double*>(from[0]);
  const auto* above = static_cast<const double*>(from[1]);
  const auto* below = static_cast<const double*>(from[2]);
  const auto* W = static_cast<const double*>(from[3]);
  for (index_t i = 0; i < cells; ++i) {
    const double x = (U[i + 1] - U[i]) - (U[i] - U[i - 1]);
    const double y = (above[i] - U[i]) - (U[i] - below[i]);
    static_cast<double*>(to)[i] = std::fma(reals[0], x + y, U[i]) - W[i];
  }
}
auto wave() {
  return timestep([](auto U, auto W) {
    return stages(together(update(inn(U), inn(U) + share * (d2_xi(U) + d2_yi(U)) - inn(W),
                                  boundary{.x = periodic, .y = {fixed, gradient(0.5)}}),
                           update(inn(W), inn(U))),
                  residual(max_abs(W)));
  });
}
std::shared_ptr<stepper> wave_over(const array<f64, 2>& U, const array<f64, 2>& W) {
  auto step = std::make_shared<row_step>(*smooth_as_rows());
  stage_table &first = step->tables[0], second;
  first.flops = 10;
  first.reads[1].add_cell(0, 0, 0);
  step->stages[0].computed.compute = wave_row;
  step->stages[0].computed.from.push_back({1, 0, 0});
  second.slot = 1;
  second.copies = 0;
  second.is_real = true;
  for (int d = 0; d < 2; ++d) second.low[d] = second.high[d] = 1;
  second.reads[0].add_cell(0, 0, 0);
  step->tables.push_back(second);
  step->table = {2, 2, 2, 0, step->tables.front().flops, step->tables.data()};
  step->stages.push_back({{copy_row, numbers, nullptr, cell_type::f64, {{0, 0, 0}}}, {}});
  step->residual->computed.from = {{1, 0, 0}};
  step->residual->shape_of = 1;
  std::vector<std::unique_ptr<row_field>> fields;
  fields.push_back(row_field_over(U));
  fields.push_back(row_field_over(W));
  return std::make_shared<row_stepper>(std::move(step), std::move(fields));
}

array<f64, 2> bumps(index_t nx, index_t ny) {
  array<f64, 2> T(device::cpu(), {nx, ny}, "T");
  for (index_t j = 0; j < ny; ++j)
    for (index_t i = 0; i < nx; ++i) T(i, j) = std::sin(0.7 * static_cast<double>(i * 3 + j * j));
  return T;
}

}  // namespace

TEST_CASE("a step as rows has the bits of its formula, and its facts") {
  // (The last one is stored past the caches, where they are small.)
  for (const auto& [nx, ny] : {std::pair<index_t, index_t>{9, 7}, {131, 70}, {4099, 40}}) {
    array<f64, 2> T = bumps(nx, ny), as_rows = bumps(nx, ny);
    auto formula = detail::stepper_of(smooth(), T);
    const auto rows = rows_over(as_rows);
    CHECK(rows->table().key() == formula.table().key());
    CHECK(rows->borders_text() == formula.borders_text());
    CHECK(rows->key() != formula.key());
    CHECK(rows->per_step().a_eff_bytes() == formula.per_step().a_eff_bytes());
    const iterate_options options{.steps = 11, .schedule = schedule::stepwise, .check_every = 4};
    const auto one = run(formula, options), other = run(*rows, options);
    CHECK(to_host(T) == to_host(as_rows));
    CHECK(*one.residual() == *other.residual());
    CHECK(one.scratch_bytes() == other.scratch_bytes());
  }
}

TEST_CASE("rows hand on arrays in place of a copy of old values, as their formula does") {
  for (const auto& [nx, ny] : {std::pair<index_t, index_t>{9, 7}, {131, 70}, {4099, 40}})
    for (const index_t steps : {1, 4, 7}) {
      array<f64, 2> U = bumps(nx, ny), W = bumps(nx, ny), as_rows = bumps(nx, ny),
                    older = bumps(nx, ny);
      W(0, 3) = older(0, 3) = 90;  // which no update writes
      auto formula = detail::stepper_of(wave(), U, W);
      const auto rows = wave_over(as_rows, older);
      const iterate_options options{
          .steps = steps, .schedule = schedule::stepwise, .check_every = 2};
      const auto one = run(formula, options), other = run(*rows, options);
      CHECK(to_host(U) == to_host(as_rows));
      CHECK(to_host(W) == to_host(older));
      CHECK(*one.residual() == *other.residual());
      CHECK(*one.residual() >= 90);
      CHECK(one.scratch_bytes() == other.scratch_bytes());
      CHECK(rows->facts().stepwise_bytes == formula.facts().stepwise_bytes);
      CHECK((rows->facts().stepwise_bytes < rows->facts().a_eff_bytes) == (nx > 9));
    }
}

TEST_CASE("rows make single steps, and say so") {
  const array<f64, 2> T = bumps(20, 10);
  const auto rows = rows_over(T);
  CHECK(planned(*rows, {.steps = 1000}).reason == "compiled as rows, which make single steps");
  CHECK_THROWS_AS(rows->advance(1, {.schedule = schedule::temporal, .depth = 4}), error);
}

TEST_CASE("a run is handed over to another stepper when that is ready") {
  for (const schedule asked_for : {schedule::automatic, schedule::stepwise, schedule::temporal}) {
    const array<f64, 2> expected = bumps(60, 50), T = bumps(60, 50);
    iterate(smooth(), {.steps = 40, .schedule = schedule::stepwise}, expected);
    int asked = 0;
    relay both(rows_over(T), [&]() -> std::shared_ptr<stepper> {
      if (++asked < 3) return nullptr;
      struct held {  // (nvcc would copy what `new` is given)
        decltype(detail::stepper_of(smooth(), T)) formula;
      };
      const std::shared_ptr<held> one(new held{detail::stepper_of(smooth(), T)});
      return std::shared_ptr<stepper>(one, &one->formula);
    });
    // A look at least at each call of on_step.
    const auto report =
        run(both,
            {.steps = 40, .schedule = asked_for, .check_every = 6, .on_step = {5, [](index_t) {}}});
    CHECK(asked == 3);
    CHECK_FALSE(both.awaits_successor());
    CHECK(to_host(T) == to_host(expected));
    CHECK((asked_for != schedule::temporal || report.schedule() == asked_for));
    std::ostringstream text;
    text << report;
    CHECK(text.str().find(" single steps: compiled as rows, which make single steps") !=
          std::string::npos);
  }
}

TEST_CASE("without a successor, or with one that fails, a run goes on") {
  for (const bool fails : {false, true}) {
    const array<f64, 2> expected = bumps(30, 20), T = bumps(30, 20);
    iterate(smooth(), {.steps = 9, .schedule = schedule::stepwise}, expected);
    relay both(rows_over(T), [&]() -> std::shared_ptr<stepper> {
      if (fails) throw error("not to be made");
      return nullptr;
    });
    run(both, {.steps = 9, .check_every = 2});
    CHECK(both.awaits_successor() != fails);
    CHECK(to_host(T) == to_host(expected));
  }
}

TEST_CASE("a kernel of rows gets the words that its text reads") {
  const double reals[] = {0.25, -3};
  const i64 integers[] = {7};
  const row_kernel kernel{nullptr, 2, 1}, plain{nullptr, 0, 0};
  float cells[6] = {};
  region target;
  target.first = cells + 1;
  target.cell_bytes = 4;
  for (int d = 0; d < 3; ++d) {
    target.count[d] = 2 + d;
    target.stride_bytes[d] = 4 << d;
  }
  region field = target;
  field.cell_bytes = 8;
  row of{nullptr, reals, integers, cell_type::f32, {{0, 1, -1}}, &kernel};
  const auto word = [](auto value) { return std::bit_cast<unsigned long long>(value); };
  const row_cells one(of, 9, target, {5, 6, 7}, {field});
  const auto* from = reinterpret_cast<const char*>(cells + 1) + 5 * 8 + 7 * 8 + 6 * 16;
  CHECK(row_kernel_words(one, {1, 2, 3}, false) ==
        std::vector<unsigned long long>{
            word(cells + 1), 2,          3, 4,          4, 8, 16, 1, 2, 3, 9, 0, 0,
            word(0.25),      word(-3.0), 7, word(from), 8, 8, 16});
  // Nothing is of no elements; what is stored as f64 lies as such.
  of.kernel = &plain;
  of.from.clear();
  row_cells bare(of, 9, target, {0, 0, 0}, {});
  bare.is_of_one_block = true;
  const auto words = row_kernel_words(bare, {0, 0, 0}, true);
  CHECK(words == std::vector<unsigned long long>{word(cells + 1), 2, 3, 4, 8, 8, 16, 0, 0, 0, 9, 1,
                                                 1, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("without CUDA there are no kernels of rows") {
  if (cuda_device_count() > 0) return;
  CHECK_THROWS_AS(loaded_row_kernels(device::cpu(), "", 0, 0, {"row0_cells"}), error);
}

TEST_CASE("a run that may be handed over waits for its steps now and then") {
  // (On a GPU, where steps are enqueued, the other stepper would come when nothing is left.)
  const auto waits_of_run = [](stepper& on) {
    const auto before = host_waits();
    run(on, {.steps = 100, .schedule = schedule::stepwise});
    return host_waits() - before;
  };
  const array<f64, 2> T = bumps(20, 10);
  const auto rows = rows_over(T);
  CHECK(waits_of_run(*rows) == 0);
  relay both(rows, [] { return nullptr; });
  CHECK(waits_of_run(both) > 0);
}
