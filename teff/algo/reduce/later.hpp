// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <teff/expr/operands.hpp>

/// Reductions of fields that are given later: what a rule is made of by which a parameter follows
/// the flow (formula/follows.hpp).
namespace teff::inline TEFF_MODE::detail {

/// Field number S of a rule, as values of V, of however many dims it has.
template <int S, class V>
struct later_field : node<later_field<S, V>> {
  using value_type = V;
  static constexpr int rank = 0, flops = 0, widest = sizeof(V), loads = 1;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  template <class B>
  shape3 shape(const B& fields) const {
    return fields.template shape<S>();
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    f.template reads_field<S, X, Y, Z>(w);
  }
  later_field lower(const lowering&) const { return *this; }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return c.template load_field<S, X, Y, Z>();
  }
  [[gnu::cold]] std::string text() const { return "field " + std::to_string(S); }
};

template <class E>
struct is_later_field {
  static constexpr bool value = false;
};
template <int S, class V>
struct is_later_field<later_field<S, V>> {
  static constexpr bool value = true;
};
template <class E>
inline constexpr bool has_later_fields = any_node<is_later_field, E>::value;

/// A reduction of them to an R: a device scalar, once it was computed. How is a reduction.
template <class E, class R, class How>
struct later_reduction : node<later_reduction<E, R, How>> {
  using value_type = R;
  static constexpr int rank = 0, flops = 0, widest = sizeof(R), loads = 1;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  E e;
  How how;
  std::shared_ptr<std::optional<scalar<R>>> result;

  later_reduction(const E& of, const How& by)
      : e(of), how(by), result(std::make_shared<std::optional<scalar<R>>>()) {}

  template <class B>
  shape3 shape(const B&) const {
    return {};
  }
  /// Tells f of itself, if f computes reductions; else of the scalar.
  template <int X, int Y, int Z, class F>
  void visit(const window&, F& f) const {
    if constexpr (requires { f.reduces(*this); })
      f.reduces(*this);
    else
      f.reads_along((*result)->cell(), region_of((*result)->cell()));
  }
  device_along<0, R> lower(const lowering&) const { return {{}, (*result)->cell().data(), 0}; }
  [[gnu::cold]] std::string text() const {
    return std::string(how.name) + "(" + text_of_operand(e) + ")";
  }

 private:
  template <class Of>
  static std::string text_of_operand(const Of& of) {
    return of.text();
  }
  /// max_abs is the largest of these: it says so itself.
  template <class Of>
  static std::string text_of_operand(const call<ops::full_magnitude, Of>& of) {
    return of.operands.first.text();
  }
};

}  // namespace teff::inline TEFF_MODE::detail
