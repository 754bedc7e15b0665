// SPDX-License-Identifier: MIT
#include <cstdlib>
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

TEST_CASE("unasked levels: what operators read at several cells, if it saves enough") {
  const auto heat = [](const auto& conductivity) {
    return stages_of([=](auto T, auto) {
      auto lam = conductivity(T);
      auto qx = av_xa(inn_y(lam)) * d_xi(T);
      auto qy = av_ya(inn_x(lam)) * d_yi(T);
      return update(inn(T), inn(T) + 0.05 * (d_xa(qx) + d_ya(qy)));
    });
  };
  CHECK(heat([](auto T) { return T / (1 + T * T); }) ==
        "field 2 = field 0 / (1 + field 0 * field 0) after 0; "
        "field 0 = inn(field 0) + 0.05 * (neighbours of (neighbours of inn_y(field 2) * neighbours "
        "of field 0) + neighbours of (neighbours of inn_x(field 2) * neighbours of field 0)) after "
        "1");
  CHECK(heat([](auto T) { return 1 + T * T; }).find(';') == std::string::npos);  // two slabs more
  // The sum, too, since one of its fields is then read at the cell alone.
  CHECK(stages_of([](auto H, auto B) {  // ice
          auto S = H + B;
          auto D = sq(sq(av_xa(av_ya(H)))) * (sq(av_ya(d_xa(S))) + sq(av_xa(d_ya(S))));
          auto qx = av_ya(D) * d_xi(S);
          auto qy = av_xa(D) * d_yi(S);
          return update(inn(H), inn(H) + inn(B) - 0.01 * (d_xa(qx) + d_ya(qy)));
        })
            .starts_with("field 3 = field 0 + field 1 after 0; field 2 = sq(sq("));
  CHECK(stages_of([](auto T, auto) { return update(inn(T), d2_xi(T + 1.0)); }).find(';') ==
        std::string::npos);
  CHECK(stages_of([](auto T, auto) { return update(inn(T), inn(exp(T))); }).find(';') ==
        std::string::npos);
}

TEST_CASE("unasked levels: a product stays in the sum with which it fuses") {
  CHECK(stages_of([](auto T, auto C) {
          auto product = exp(T) * C;
          return update(T, inn_x(at<1, 0>(around<1>(T)) + d2_xi(product)) + T + product);
        }).find("field 0 * field 1") == std::string::npos);
}

TEST_CASE("unasked levels: inner and outer ones stand in their order, whichever saves more") {
  const std::string both = stages_of([](auto T, auto C) {
    auto inner = exp(T);
    auto outer = exp(d_xi(inner) + inn_y(d_xa(C)));
    return update(inn(T), d_xa(outer) * d2_yi(inner));
  });
  CHECK(both ==
        "field 2 = exp(field 0) after 0; "
        "field 3 = exp(neighbours of field 2 + inn_y(neighbours of field 1)) after 1; "
        "field 0 = neighbours of field 3 * neighbours of field 2 after 2");
  const std::string chain = stages_of([](auto T, auto) {
    auto inner = T / (1 + T);
    auto outer = exp(inn(inner) + d2_xi(inner));
    return update(around<2>(T)(), d2_xi(outer) + d2_yi(outer));
  });
  CHECK(chain ==
        "field 3 = field 0 / (1 + field 0) after 0; "
        "field 2 = exp(inn(field 3) + neighbours of field 3) after 1; "
        "field 0 = neighbours of field 2 + neighbours of field 2 after 2");
}

TEST_CASE("once in a pass: the generator of its formulas writes what is committed") {
  const std::string here = __FILE__;
  const std::string script = here.substr(0, here.rfind('/') + 1) + "write_once_formulas.py";
  // The tests' binary may run where the sources are not.
  const std::string command = "test ! -e '" + script + "' || python3 '" + script + "' --check";
  CHECK(std::system(command.c_str()) == 0);
}

TEST_CASE("unasked levels: none beside those that once() marks, and of other numbers none") {
  CHECK(stages_of([](auto T, auto C) {
          return update(inn(T), d2_xi(once(2.0 * T)) + d2_xi(exp(C)));
        }).find(';') == std::string::npos);
  stages_of([](auto T, auto) { return update(inn(T), d2_xi(2.0 * exp(T)) + d2_yi(3.0 * exp(T))); },
            false);
  CHECK(stages_of([](auto T, auto) { return update(inn(T), d2_xi(exp(T) * ix)); }).find(';') ==
        std::string::npos);
}
