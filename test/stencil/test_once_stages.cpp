// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>

#include <teff/expr/fd2.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/formula/once_levels.hpp>

using namespace teff;
using namespace teff::fd2;

namespace {

using array_type = array_ref<f64, 2>;

/// The stages of a step over two fields, with levels: "field 2 = once(...) after 0; ...".
template <class Fn>
std::string stages_of(const Fn& fn, bool are_equal = true) {
  const auto step = detail::with_levels<2>(timestep(fn).template formula<array_type, array_type>());
  using traits = typename detail::step_of<decltype(step.formula)>::traits;
  static_assert(traits::is_sound());
  CHECK(step.are_equal == are_equal);
  std::string text;
  detail::each_number(
      [&]<int K>() {
        text += (K > 0 ? "; field " : "field ") + std::to_string(traits::slot_of(K)) + " = " +
                detail::entry<K>(step.formula.list.list).rhs.text() + " after " +
                std::to_string(traits::sees(K));
      },
      std::make_integer_sequence<int, traits::stages>{});
  return text;
}

const auto value = [](auto u) { return once(u * exp(u)); };

double thrice(double a) {
  return 3 * a;
}
struct impure {
  double operator()(double a) const { return thrice(a); }
};

}  // namespace

TEST_CASE("levels of once: what is read at several cells is a stage before its reader") {
  CHECK(stages_of([](auto T, auto) {
          auto D = value(T);
          return update(inn(T), inn(T) + d2_xi(D) + inn(D));
        }) ==
        "field 2 = once(field 0 * exp(field 0)) after 0; "
        "field 0 = inn(field 0) + neighbours of field 2 + inn(field 2) after 1");
  CHECK(stages_of([](auto T, auto) { return update(T, T + value(T)); }) ==
        "field 0 = field 0 + once(field 0 * exp(field 0)) after 0");
}

TEST_CASE("levels of once: a value of a stage is made of what that stage sees") {
  CHECK(stages_of([](auto T, auto C) {
          auto D = value(T);
          return stages(together(update(inn(T), d2_xi(D)), update(inn(C), d2_yi(D))),
                        update(inn(C), d2_xi(D)));
        }) ==
        "field 2 = once(field 0 * exp(field 0)) after 0; "
        "field 0 = neighbours of field 2 after 1; field 1 = neighbours of field 2 after 1; "
        "field 3 = once(field 0 * exp(field 0)) after 3; "
        "field 1 = neighbours of field 3 after 4");
}

TEST_CASE("levels of once: of nested ones an inner value is a level if several cells read it") {
  CHECK(stages_of([](auto T, auto) {
          auto outer = once(exp(d_xi(value(T))));
          return update(inn(T), d_xa(outer));
        }) ==
        "field 3 = once(field 0 * exp(field 0)) after 0; "
        "field 2 = once(exp(neighbours of field 3)) after 1; "
        "field 0 = neighbours of field 2 after 2");
  CHECK(stages_of([](auto T, auto C) {
          auto outer = once(exp(value(T)) + C);
          return update(inn(T), d2_xi(outer));
        }) ==
        "field 2 = once(exp(once(field 0 * exp(field 0))) + field 1) after 0; "
        "field 0 = neighbours of field 2 after 1");
}

TEST_CASE("levels of once: what is cheap, impure, of an index or no real stays where it is") {
  const auto stays = [](const auto& made) {
    return stages_of([made](auto T, auto) {
             return update(inn(T), 1.0 * d2_xi(made(T)));
           }).find(';') == std::string::npos;
  };
  CHECK(!stays(value));
  CHECK(stays([](auto T) { return once(2.0 * T); }));
  CHECK(stays([](auto T) { return once(exp(T) * ix); }));
  CHECK(stays([](auto T) { return once(exp(map(impure{}, T))); }));
  CHECK(stays([](auto T) { return once(convert<i64>(exp(T))); }));
  CHECK(stays([](auto) { return once(exp(ix)); }));
}

TEST_CASE("levels of once: of one type with other numbers or parameters in them, none is made") {
  const auto two = [](const auto& a, const auto& b) {
    return [=](auto T, auto) {
      return update(inn(T), d2_xi(once(a * exp(T))) + d2_yi(once(b * exp(T))));
    };
  };
  const auto p = param(2.0), q = param(2.0);
  stages_of(two(2.0, 2.0));
  stages_of(two(2.0, 3.0), false);
  stages_of(two(p, p));
  stages_of(two(p, q), false);
}

TEST_CASE("levels of once: a time integrator has them after its own fields") {
  const auto rates = rk4(
      [](auto T, auto C) {
        auto D = value(T);
        return rate(inn(T), inn(C) * (d2_xi(D) + d2_yi(D)));
      },
      0.1);
  const auto step = detail::with_levels<5>(rates.template formula<array_type, array_type>());
  using traits = typename detail::step_of<decltype(step.formula)>::traits;
  CHECK(step.levels == 4);
  CHECK(traits::is_sound());
  CHECK(traits::stages == 8);
  for (int k = 0; k < 8; k += 2) {
    CHECK(traits::owner_of(traits::slot_of(k)) == no_owner);
    CHECK(traits::frame_from(traits::slot_of(k)) == no_owner);
    CHECK(traits::frame_from(traits::slot_of(k + 1)) == 0);
  }
}
