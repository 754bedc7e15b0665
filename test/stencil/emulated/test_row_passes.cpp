// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/compare_with_single_steps.hpp>
#include <teff/stencil/fused/compiled_fused.hpp>
#include <teff/stencil/iterate.hpp>
#include <teff/stencil/resident/compiled_resident.hpp>
#include <teff/stencil/rows/row_passes.hpp>
#include <teff/stencil/rows/row_stepper.hpp>
#include <teff/stencil/warps/compiled_pass.hpp>

// Kernels that a host launches from numbers alone, where the emulator runs the kernels.

using namespace teff;
using namespace teff::fd2;
using namespace teff::runtime;

namespace {

/// As NVRTC would compile it, of a formula that is made of numbers.
/// @tparam Made a compiled_pass, compiled_fused or compiled_resident
template <class Facts, class Made, class MadeOf, class... T>
class emulated_kernel : public compiled_kernel<Facts> {
  using kernel = typename Made::kernel;

 public:
  emulated_kernel() { (void)prepared(std::vector<double>(8, 1.0).data()); }
  const Facts& facts() const override { return facts_; }
  std::vector<std::byte> parameter(const stream&, const double* reals, const i64*) const override {
    return prepared(reals);
  }
  void launch(const stream& on, const block_options& options,
              std::vector<std::byte>& parameter) const override {
    ++launches;
    launch_blocks(on, options, *reinterpret_cast<const kernel*>(parameter.data()));
  }
  kernel_facts use(device, int, int) const override { return {}; }

  mutable int launches = 0;

 private:
  std::vector<std::byte> prepared(const double* reals) const {
    std::vector<std::byte> bytes(sizeof(kernel));
    Made::prepare(MadeOf::formula(reals).template formula<array_ref<T, 2>...>(), facts_,
                  *reinterpret_cast<kernel*>(bytes.data()));
    return bytes;
  }

  mutable Facts facts_{};
};
template <class MadeOf, class... T>
using formula_of = decltype(MadeOf::formula(nullptr).template formula<array_ref<T, 2>...>());
template <class MadeOf>
constexpr bool has_formulas = requires {
  MadeOf::has_formulas;
};  // some condition of it
/// Of shape `Number`.
template <int Number, class MadeOf, class... T>
using compiled_pass_of =
    detail::compiled_pass<formula_of<MadeOf, T...>, Number, has_formulas<MadeOf>, T...>;
template <int Number, class MadeOf, class... T>
using emulated_pass =
    emulated_kernel<pass_facts, compiled_pass_of<Number, MadeOf, T...>, MadeOf, T...>;
/// Of all stages at once.
template <class MadeOf, class... T>
using emulated_fused =
    emulated_kernel<fused_facts, detail::compiled_fused<formula_of<MadeOf, T...>, T...>, MadeOf,
                    T...>;
/// Of blocks that stay.
template <class MadeOf, class... T>
using emulated_resident =
    emulated_kernel<resident_facts, detail::compiled_resident<formula_of<MadeOf, T...>, T...>,
                    MadeOf, T...>;

/// Heat, and how a compiler of rows would write it.
struct heat {
  static auto formula(const double* x) {
    const double share = x == nullptr ? 0 : x[0];
    return timestep([share](auto T, auto C) {
      return update(inn(T), inn(T) + share * (inn(C) * (d2_xi(T) + d2_yi(T))));
    });
  }
  template <class T>
  static void row(void* to, const void* const* from, index_t cells, const index_t*,
                  const double* reals, const i64*) {
    const auto of = [&](int k) { return static_cast<const T*>(from[k]); };
    const T *t = of(0), *above = of(1), *below = of(2), *c = of(3);
    for (index_t i = 0; i < cells; ++i) {
      const T x = (t[i + 1] - t[i]) - (t[i] - t[i - 1]), y = (above[i] - t[i]) - (t[i] - below[i]);
      static_cast<T*>(to)[i] = std::fma(static_cast<T>(reals[0]), c[i] * (x + y), t[i]);
    }
  }
};
/// A formula that is another one at each step.
struct driven {
  static auto formula(const double*) {
    return timestep([](auto T, auto) { return update(inn(T), inn(T) + 0.1 * step_index); });
  }
};
/// Heat, but for a number.
struct wrong {
  static auto formula(const double* x) {
    const double share[] = {x == nullptr ? 0 : 0.5 * x[0]};
    return heat::formula(share);
  }
};
/// The same inside of conditions.
struct insulated {
  static auto formula(const double* x) {
    const double share = x == nullptr ? 0 : x[0];
    return timestep([share](auto T, auto C) {
      return update(inn(T), inn(T) + share * (inn(C) * (d2_xi(T) + d2_yi(T))),
                    boundary{.x = periodic, .y = {gradient(0.5), robin(1, 2, 0.25)}});
    });
  }
};

/// The same inside of conditions that have formulas.
struct heated {
  static constexpr bool has_formulas = true;
  static auto formula(const double* x) {
    const double share = x == nullptr ? 0 : x[0];
    return timestep([share](auto T, auto C) {
      return update(inn(T), inn(T) + share * (inn(C) * (d2_xi(T) + d2_yi(T))),
                    boundary{.x = {gradient(0), fixed(0.01 * (iy + step_index))},
                             .y = {fixed(0.005 * ix), robin(1, 2, 0.25)}});
    });
  }
  /// @param at ix, iy, iz of the first cell, step_index
  static void at_high_x(void* to, const void* const*, index_t cells, const index_t* at,
                        const double*, const i64*) {
    for (index_t i = 0; i < cells; ++i)
      static_cast<double*>(to)[i] = 0.01 * static_cast<double>(at[1] + at[3]);
  }
  static void at_low_y(void* to, const void* const*, index_t cells, const index_t* at,
                       const double*, const i64*) {
    for (index_t i = 0; i < cells; ++i)
      static_cast<double*>(to)[i] = 0.005 * static_cast<double>(at[0] + i);
  }
};

/// The same where nothing is periodic.
struct closed {
  static auto formula(const double* x) {
    const double share = x == nullptr ? 0 : x[0];
    return timestep([share](auto T, auto C) {
      return update(inn(T), inn(T) + share * (inn(C) * (d2_xi(T) + d2_yi(T))),
                    boundary{.x = gradient(0), .y = {gradient(0.5), robin(1, 2, 0.25)}});
    });
  }
};

/// Two stages of heat, each through what the other one made.
struct in_turns {
  static auto formula(const double* x) {
    const double share = x == nullptr ? 0 : x[0];
    return timestep([share](auto T, auto C) {
      return stages(update(inn(T), inn(T) + share * (inn(C) * (d2_xi(T) + d2_yi(T)))),
                    update(inn(C), inn(C) + share * (inn(T) * (d2_xi(C) + d2_yi(C)))));
    });
  }
};

const double numbers[] = {0.19};

template <class T>
std::shared_ptr<row_step> as_rows(bool has_conditions, bool is_periodic = true) {
  using kind = side_condition::kind;
  auto step = std::make_shared<row_step>();
  step->types.assign(2, std::is_same_v<T, f64> ? cell_type::f64 : cell_type::f32);
  stage_table table;
  table.is_real = true;
  table.has_conditions = has_conditions;
  table.flops = 10;
  for (int d = 0; d < 2; ++d) table.low[d] = table.high[d] = 1;
  for (const int at : {-1, 0, 1}) {
    table.reads[0].add_cell(at, 0, 0);
    table.reads[0].add_cell(0, at, 0);
  }
  table.reads[1].add_cell(0, 0, 0);
  step->tables.push_back(table);
  step->table = {2, 2, 1, 0, table.flops, step->tables.data()};
  row_stage& stage = step->stages.emplace_back();
  stage.computed = {heat::row<T>,
                    numbers,
                    nullptr,
                    step->types[0],
                    {{0, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}}};
  if (!has_conditions) return step;
  for (side_condition& side : stage.sides[0])
    side = row_side(is_periodic ? kind::periodic : kind::slope, 0, 0, 0.0);
  stage.sides[1][0] = row_side(kind::slope, 0, 0, 0.5);
  stage.sides[1][1] = row_side(kind::mixed, 1, 2, 0.25);
  return step;
}

/// Those of a formula's conditions.
template <class MadeOf, class T>
std::shared_ptr<row_step> rows_of(bool has_conditions) {
  const std::shared_ptr<row_step> step = as_rows<T>(has_conditions);
  if constexpr (has_formulas<MadeOf>) {
    using kind = side_condition::kind;
    auto& sides = step->stages[0].sides;
    sides[0][0] = row_side(kind::slope, 0, 0, 0.0);
    sides[0][1] = row_side(kind::value, 0, 0, row{MadeOf::at_high_x});
    sides[1][0] = row_side(kind::value, 0, 0, row{MadeOf::at_low_y});
  }
  return step;
}

/// The rows of in_turns.
template <class T>
std::shared_ptr<row_step> as_two_stages() {
  const std::shared_ptr<row_step> step = as_rows<T>(false);
  stage_table table = step->tables[0];
  table.slot = table.sees = 1;
  std::swap(table.reads[0], table.reads[1]);
  step->tables.push_back(table);
  step->table = {2, 2, 2, 0, 2 * table.flops, step->tables.data()};
  row_stage stage = step->stages[0];
  for (auto& [field, y, z] : stage.computed.from) field = 1 - field;
  step->stages.push_back(stage);
  return step;
}

template <class T>
std::shared_ptr<row_stepper> over(const std::shared_ptr<row_step>& step, compiled_kernels kernels,
                                  const array<T, 2>& t, const array<T, 2>& c) {
  std::vector<std::unique_ptr<row_field>> fields;
  for (const array<T, 2>* a : {&t, &c})
    fields.push_back(row_field_of({step->types[0],
                                   a->handle(),
                                   const_cast<T*>(a->data()),
                                   {a->extent(0), a->extent(1), 1},
                                   {a->stride(0), a->stride(1), 0}},
                                  2, a->on()));
  return std::make_shared<row_stepper>(step, std::move(fields), std::move(kernels));
}

template <class T>
array<T, 2> bumps(index_t nx, index_t ny, int seed) {
  array<T, 2> a(device::cpu(), {nx, ny}, "T");
  for (index_t j = 0; j < ny; ++j)
    for (index_t i = 0; i < nx; ++i)
      a(i, j) = static_cast<T>(std::sin(0.7 * static_cast<double>(i * 3 + j * j + seed)));
  return a;
}

/// Steps of any number, by passes of both shapes, have the bits of the formula's single ones.
template <class MadeOf, class T>
void check_passes(bool has_conditions) {
  const std::vector<std::shared_ptr<const pass_kernel>> passes{
      std::make_shared<emulated_pass<0, MadeOf, T, T>>(),
      std::make_shared<emulated_pass<1, MadeOf, T, T>>()};
  for (const auto& [nx, ny] : {std::pair<index_t, index_t>{150, 41}, {33, 9}}) {
    array<T, 2> expected = bumps<T>(nx, ny, 0), made = bumps<T>(nx, ny, 0);
    const array<T, 2> c = bumps<T>(nx, ny, 5);
    const auto on = over<T>(rows_of<MadeOf, T>(has_conditions), {passes, {}, {}}, made, c);
    const way_facts* const deep = on->facts().of(schedule::temporal);
    REQUIRE(deep != nullptr);
    CHECK(deep->refused.why() == "");
    REQUIRE(deep->choices.size() == 2);
    CHECK(deep->choices[0].depth == 4);
    CHECK(deep->deepest == deep->choices[1].depth);
    iterate(MadeOf::formula(numbers), {.steps = 13, .schedule = schedule::stepwise}, expected, c);
    const auto report = run(*on, {.steps = 13, .schedule = schedule::temporal, .depth = 8});
    CHECK(report.schedule() == schedule::temporal);
    CHECK(report.passes() < 13);
    CHECK(to_host(made) == to_host(expected));
    // Depths that are asked for are passes, of kernels that may have steps to spare.
    for (const int depth : {3, 4, 5, 7}) {
      const index_t steps = 2 * depth;
      iterate(MadeOf::formula(numbers), {.steps = steps, .schedule = schedule::stepwise}, expected,
              c);
      CHECK(run(*on, {.steps = steps, .schedule = schedule::temporal, .depth = depth}).passes() ==
            2);
      CHECK(to_host(made) == to_host(expected));
    }
    // Stretches of fewer steps than a pass, and of more.
    for (const index_t every : {1, 3, 5, 11}) {
      iterate(MadeOf::formula(numbers), {.steps = 13, .schedule = schedule::stepwise}, expected, c);
      index_t told = 0;
      run(*on, {.steps = 13,
                .schedule = schedule::temporal,
                .depth = 8,
                .on_step = {every, [&](index_t) { ++told; }}});
      CHECK(told == 13 / every);
      CHECK(to_host(made) == to_host(expected));
    }
  }
}

/// All stages at once have the bits of the formula's stages one by one.
template <class T>
void check_fused() {
  const auto kernel = std::make_shared<emulated_fused<in_turns, T, T>>();
  for (const auto& [nx, ny] : {std::pair<index_t, index_t>{150, 41}, {33, 9}, {3, 2}}) {
    array<T, 2> expected[] = {bumps<T>(nx, ny, 0), bumps<T>(nx, ny, 5)},
                made[] = {bumps<T>(nx, ny, 0), bumps<T>(nx, ny, 5)};
    const auto on = over<T>(as_two_stages<T>(), {{}, kernel, {}}, made[0], made[1]);
    const way_facts* const facts = on->facts().of(schedule::fused);
    REQUIRE(facts != nullptr);
    CHECK(facts->refused.why() == "");
    REQUIRE(facts->choices.size() == 1);
    CHECK(facts->choices[0].overlap > 1);
    iterate(in_turns::formula(numbers), {.steps = 7, .schedule = schedule::stepwise}, expected[0],
            expected[1]);
    kernel->launches = 0;
    const auto report = run(*on, {.steps = 7, .schedule = schedule::fused});
    CHECK(report.schedule() == schedule::fused);
    CHECK(report.passes() == 7);
    CHECK(kernel->launches >= 7);  // more where its bits are compared
    for (int f = 0; f < 2; ++f) CHECK(to_host(made[f]) == to_host(expected[f]));
  }
}

/// Many steps in launches of blocks that stay have the bits of the formula's single ones.
template <class MadeOf, class T>
void check_resident(bool has_conditions) {
  const auto kernel = std::make_shared<emulated_resident<MadeOf, T, T>>();
  for (const auto& [nx, ny] : {std::pair<index_t, index_t>{63, 63}, {150, 41}, {33, 9}}) {
    array<T, 2> expected = bumps<T>(nx, ny, 0), made = bumps<T>(nx, ny, 0);
    const array<T, 2> c = bumps<T>(nx, ny, 5);
    const auto on = over<T>(as_rows<T>(has_conditions, false), {{}, {}, kernel}, made, c);
    const way_facts* const facts = on->facts().of(schedule::resident);
    REQUIRE(facts != nullptr);
    CHECK(facts->refused.why() == "");
    CHECK(facts->extra_bytes == 4.0 * static_cast<double>(nx * ny) * sizeof(T));
    for (const index_t steps : {13, 6}) {
      iterate(MadeOf::formula(numbers), {.steps = steps, .schedule = schedule::stepwise}, expected,
              c);
      kernel->launches = 0;
      const auto report = run(*on, {.steps = steps, .schedule = schedule::resident});
      CHECK(report.schedule() == schedule::resident);
      CHECK(report.passes() == 1);
      CHECK(kernel->launches >= 1);  // more where its bits are compared
      CHECK(to_host(made) == to_host(expected));
    }
  }
}

/// What a run may do with one kernel over small fields.
template <int Number, class MadeOf>
way_facts facts_with(std::shared_ptr<row_stepper>* on = nullptr) {
  const array<f64, 2> t = bumps<f64>(150, 41, 0), c = bumps<f64>(150, 41, 5);
  const auto made =
      over<f64>(as_rows<f64>(false),
                {{std::make_shared<emulated_pass<Number, MadeOf, f64, f64>>()}, {}, {}}, t, c);
  if (on != nullptr) *on = made;
  return *made->facts().of(schedule::temporal);
}

}  // namespace

TEST_CASE("passes from numbers alone have the bits of single steps") {
  check_passes<heat, f64>(false);
  check_passes<heat, f32>(false);
  check_passes<insulated, f64>(true);
  check_passes<heated, f64>(true);
  check_passes<heated, f32>(true);
}

TEST_CASE("all stages at once, from numbers alone, have the bits of single steps") {
  check_fused<f64>();
  check_fused<f32>();
}

TEST_CASE("what all stages at once refuse is said") {
  const array<f64, 2> t = bumps<f64>(150, 41, 0), c = bumps<f64>(150, 41, 5);
  const auto refused = [&]<class MadeOf>(MadeOf) {
    return over<f64>(as_rows<f64>(false),
                     {{}, std::make_shared<emulated_fused<MadeOf, f64, f64>>(), {}}, t, c)
        ->facts()
        .of(schedule::fused)
        ->refused.why();
  };
  CHECK(refused(heat{}) == "the stages of a step do not fit a pass of one step on a GPU");
  CHECK(refused(driven{}) ==
        "compiled by NVRTC, which makes single steps of a formula with step_index");
}

TEST_CASE("blocks that stay, from numbers alone, have the bits of single steps") {
  check_resident<heat, f64>(false);
  check_resident<heat, f32>(false);
  check_resident<closed, f64>(true);
}

TEST_CASE("what blocks that stay refuse is said") {
  const array<f64, 2> t = bumps<f64>(150, 41, 0), c = bumps<f64>(150, 41, 5);
  const auto refused = [&]<class MadeOf>(MadeOf, bool has_conditions) {
    return over<f64>(as_rows<f64>(has_conditions),
                     {{}, {}, std::make_shared<emulated_resident<MadeOf, f64, f64>>()}, t, c)
        ->facts()
        .of(schedule::resident)
        ->refused.why();
  };
  CHECK(refused(insulated{}, true) == "resident does not know periodic fields");
  CHECK(refused(driven{}, false).starts_with("resident takes 2-D steps over real fields"));
}

TEST_CASE("a run takes the shapes that are there, and says why there is none") {
  CHECK(facts_with<0, heat>().choices.size() == 1);
  CHECK(facts_with<0, heat>().deepest == 4);
  CHECK(facts_with<0, driven>().refused.why() ==
        "compiled by NVRTC, which makes single steps of a formula with step_index");
}

TEST_CASE("what was the fastest of some kernels is not taken for that of all") {
  const std::shared_ptr<const pass_kernel> first =
                                               std::make_shared<emulated_pass<0, heat, f64, f64>>(),
                                           second =
                                               std::make_shared<emulated_pass<1, heat, f64, f64>>();
  const array<f64, 2> t = bumps<f64>(150, 41, 0), c = bumps<f64>(150, 41, 5);
  const auto key_with = [&](const std::vector<std::shared_ptr<const pass_kernel>>& kernels) {
    return over<f64>(as_rows<f64>(false), {kernels, {}, {}}, t, c)->key();
  };
  const std::string all = key_with({first, second});
  CHECK(all.ends_with("; rows"));
  CHECK(key_with({first}) == all + " of 1 kernels");
  CHECK(over<f64>(as_rows<f64>(false),
                  {{first, second},
                   std::make_shared<emulated_fused<heat, f64, f64>>(),
                   std::make_shared<emulated_resident<heat, f64, f64>>()},
                  t, c)
            ->key() == all + ", fused, resident");
}

TEST_CASE("kernels are compiled of shapes that the device has room for") {
  using runtime::shapes_to_compile;
  pass_facts facts = emulated_pass<0, heat, f64, f64>().facts();
  std::vector<int> numbers;
  facts.each_sensible([&](int s) { numbers.push_back(s); });
  const int all = shapes_to_compile(facts, device::cpu());
  CHECK(all == static_cast<int>(numbers.size()));
  CHECK(all > 1);
  facts.of[numbers.back()].shared_bytes = 1 << 20;
  CHECK(shapes_to_compile(facts, device::cpu()) == all - 1);
  facts.of[numbers.front()].shared_bytes = 1 << 20;
  CHECK(shapes_to_compile(facts, device::cpu()) == 0);
  CHECK(shapes_to_compile(emulated_pass<0, driven, f64, f64>().facts(), device::cpu()) == -1);
}

TEST_CASE("a kernel that gives other bits is found by parts of the fields") {
  const step_plan plan{.schedule = schedule::temporal, .depth = 4};
  for (const bool is_wrong : {false, true}) {
    std::shared_ptr<row_stepper> on;
    (void)(is_wrong ? facts_with<0, wrong>(&on) : facts_with<0, heat>(&on));
    CHECK(has_bits_of_single_steps(*on, plan, 7, 7, {{20, 3, 0}}) == !is_wrong);
  }
}

TEST_CASE("verdicts on kernels hold for all that is bound with them") {
  const std::shared_ptr<const pass_kernel> kernel =
      std::make_shared<emulated_pass<0, heat, f64, f64>>();
  const array<f64, 2> t = bumps<f64>(20, 10, 0), c = bumps<f64>(20, 10, 5);
  const auto one = over<f64>(as_rows<f64>(false), {{kernel}, {}, {}}, t, c),
             other = over<f64>(as_rows<f64>(false), {{kernel}, {}, {}}, t, c);
  CHECK(one->identity_of_kernels() == other->identity_of_kernels());
  CHECK(one->table().stage != other->table().stage);
}
