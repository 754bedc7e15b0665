// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include <teff/algo/reduce.hpp>
#include <teff/formula/bound.hpp>
#include <teff/formula/flow_rule.hpp>

/// parameter::follows: a rule is a formula of reductions of the fields, evaluated on their device.
namespace teff::inline TEFF_MODE {

namespace detail {

// ---- the lambda

template <class Rule, class V, class Slots>
struct rule_call;
template <class Rule, class V, int... S>
struct rule_call<Rule, V, std::integer_sequence<int, S...>> {
  static constexpr bool is_possible = std::is_invocable_v<const Rule&, const later_field<S, V>&...>;
  static auto of(const Rule& rule) { return rule(later_field<S, V>{}...); }
};

/// How many fields a rule takes; 0 if it takes something else.
template <class Rule, int Fields = 1>
constexpr int fields_of_rule() {
  if constexpr (rule_call<Rule, double, std::make_integer_sequence<int, Fields>>::is_possible)
    return Fields;
  else if constexpr (Fields < most_fields)
    return fields_of_rule<Rule, Fields + 1>();
  else
    return 0;
}

template <class E>
struct is_later_reduction {
  static constexpr bool value = false;
};
template <class E, class R, class How>
struct is_later_reduction<later_reduction<E, R, How>> {
  static constexpr bool value = true;
};
/// What a rule must return.
template <class X>
constexpr bool is_number_later() {
  if constexpr (expression<X>)
    return X::rank == 0 && !has_later_fields<X> && any_node<is_later_reduction, X>::value;
  else
    return false;
}

// ---- visitors of what it returned

/// Which fields it reads, and the rules of other parameters.
struct read_by_rule {
  std::vector<int>& fields;
  runtime::flow_rules& rules;

  template <int S, int X, int Y, int Z>
  void reads_field(const window&) const {
    for (const int known : fields)
      if (known == S) return;
    fields.push_back(S);
  }
  template <class E, class R, class How>
  void reduces(const later_reduction<E, R, How>& later) const {
    later.e.template visit<0, 0, 0>(window{}, *this);
  }
  template <class T>
  void meets(const std::shared_ptr<runtime::parameter_state<T>>& parameter) const {
    if (parameter->rule) rules.push_back(parameter->rule);
  }
  template <class S, int M>
  void reads(const array_ref<S, M>&, const region&) const {}
  template <class S>
  void reads_along(const array_ref<S, 1>&, const region&) const {}
};

/// Where a rule reads its own parameter, it does not keep it alive: the parameter owns the rule.
template <class T>
struct disown {
  runtime::parameter_state<T>* own;

  template <int S, int X, int Y, int Z>
  void reads_field(const window&) const {}
  template <class E, class R, class How>
  void reduces(const later_reduction<E, R, How>& later) const {
    later.e.template visit<0, 0, 0>(window{}, *this);
  }
  void meets(std::shared_ptr<runtime::parameter_state<T>>& parameter) const {
    if (parameter.get() == own)
      parameter = std::shared_ptr<runtime::parameter_state<T>>(std::shared_ptr<void>(), own);
  }
  template <class S, int M>
  void reads(const array_ref<S, M>&, const region&) const {}
  template <class S>
  void reads_along(const array_ref<S, 1>&, const region&) const {}
};

/// An expression of the fields of a run: of three dims, as those are here.
template <class E, class... A>
struct values_in_flow : bound<E, A...> {
  static constexpr int rank = 3;
  using bound<E, A...>::bound;
};

/// Computes its reductions, inner ones first.
template <class... A>
struct compute_reductions {
  const bound_fields<A...>& fields;

  template <int S, int X, int Y, int Z>
  void reads_field(const window&) const {}
  template <class E, class R, class How>
  void reduces(const later_reduction<E, R, How>& later) const {
    later.e.template visit<0, 0, 0>(window{}, *this);
    later.result->emplace(
        reduce_all(values_in_flow<E, A...>(later.e, fields, lowering{}), later.how));
  }
  template <class S, int M>
  void reads(const array_ref<S, M>&, const region&) const {}
  template <class S>
  void reads_along(const array_ref<S, 1>&, const region&) const {}
};

// ---- the rule

/// @tparam F32, F64 what the lambda returned of fields of f32 and of f64
template <class T, class F32, class F64, int Fields>
class flow_rule_of : public runtime::flow_rule {
  using slots = std::make_integer_sequence<int, Fields>;

 public:
  /// @param state of the parameter, which owns the rule
  flow_rule_of(index_t every, runtime::parameter_state<T>& state, const F32& single,
               const F64& real)
      : flow_rule(every, Fields), state_(state), single_(single), double_(real) {
    const disown<T> not_own{&state_};
    single_.template visit<0, 0, 0>(window{}, not_own);
    double_.template visit<0, 0, 0>(window{}, not_own);
    runtime::flow_rules rules;
    const read_by_rule read{read_, rules};
    double_.template visit<0, 0, 0>(window{}, read);
  }

  std::vector<std::shared_ptr<runtime::flow_rule>> read_rules() const override {
    std::vector<int> fields;
    runtime::flow_rules rules;
    const read_by_rule read{fields, rules};
    double_.template visit<0, 0, 0>(window{}, read);
    return rules;
  }

  double value() const override { return static_cast<double>(state_.now()); }
  void become(double value) override { state_.become(static_cast<T>(value)); }

  void be_on(const stream& on) override {
    if (memory_ && memory_->values.dev() != on.dev()) {
      state_.become(state_.now());
      memory_.reset();
    }
    if (!memory_) memory_.emplace(on);
    on.wait_for(state_.on);
    if (state_.cell == nullptr) assign(memory_->now(), number<T>(state_.value));
    state_.cell = memory_->values.data();
    state_.on = on;
  }
  void evaluate(const std::vector<runtime::flow_field>& fields, index_t step) override {
    if (fields[static_cast<std::size_t>(read_.front())].real_bytes == 4)
      evaluate_as<f32>(single_, fields, slots{});
    else
      evaluate_as<f64>(double_, fields, slots{});
    const array_ref<f64, 1> fault = memory_->fault;
    const scalar_leaf<T> value(memory_->now());
    const auto is_good = isfinite(value) && value != T{};
    // Both cells stay below 0 until there is one; its magnitude tells what it was.
    assign(fault, where(fault < 0.0 && !is_good,
                        where(ix == 0, static_cast<f64>(step), convert<f64>(abs(value))), fault));
  }
  void keep() override { assign(memory_->kept(), memory_->now()); }
  void go_back() override {
    assign(memory_->now(), memory_->kept());
    forget_fault();
  }
  void forget_fault() override { assign(memory_->fault, number(-1.0)); }
  runtime::flow_fault fault() const override {
    const auto step = static_cast<index_t>(f64(memory_->fault(0)));
    if (step < 0) return {};
    return {step, f64(memory_->fault(1))};
  }

 private:
  /// On the stream on which it was last.
  struct values_on_device {
    array<T, 1> values;   // now, and when the state was kept
    array<f64, 1> fault;  // step, value

    explicit values_on_device(const stream& on)
        : values(on, {2}, "a parameter that follows"), fault(on, {2}, "a fault of a parameter") {}
    array_ref<T, 1> now() const { return values(range(0, 1)); }
    array_ref<T, 1> kept() const { return values(range(1, 2)); }
  };

  std::string formula_text() const override { return double_.text(); }

  template <class V, class E, int... S>
  void evaluate_as(const E& e, const std::vector<runtime::flow_field>& fields,
                   std::integer_sequence<int, S...>) {
    const auto as_it_is = [&](int number) {
      const runtime::flow_field& field = fields[static_cast<std::size_t>(number)];
      // (One that is not read may be of any type: another one stands in for it.)
      const bool is_read = field.real_bytes == sizeof(V);
      return array_of<V>(is_read ? field : fields[static_cast<std::size_t>(read_.front())]);
    };
    const bound_fields<decltype(as_it_is(S))...> arrays{tuple_of(as_it_is(S)...)};
    const compute_reductions<decltype(as_it_is(S))...> compute{arrays};
    e.template visit<0, 0, 0>(window{}, compute);
    assign(memory_->now(), e);
  }
  template <class V>
  static array_ref<V, 3> array_of(const runtime::flow_field& field) {
    view<V, 3> cells;
    cells.data = static_cast<V*>(field.data);
    for (int d = 0; d < 3; ++d) {
      cells.shape[d] = field.n[d];
      cells.strides[d] = field.stride[d];
    }
    return {field.handle, cells};
  }

  runtime::parameter_state<T>& state_;
  F32 single_;
  F64 double_;
  std::optional<values_on_device> memory_;
};

}  // namespace detail

template <class T, class As>
template <class Rule>
const parameter<T, As>& parameter<T, As>::follows(index_t every, const Rule& rule) const {
  static_assert(std::floating_point<T>,
                "follows: make the parameter of a real number, as in auto dt = param(0.1).");
  constexpr int fields = detail::fields_of_rule<Rule>();
  static_assert(fields > 0,
                "The lambda of follows takes the fields of the call of iterate, in their order, "
                "each as a parameter `auto u`.");
  if constexpr (std::floating_point<T> && fields > 0) {
    using slots = std::make_integer_sequence<int, fields>;
    const auto real = detail::rule_call<Rule, double, slots>::of(rule);
    using result = std::remove_cvref_t<decltype(real)>;
    static_assert(detail::is_number_later<result>(),
                  "The lambda of follows must return one number that is on the device, made of "
                  "reductions of its fields, as in return 0.4 * dx / max_abs(u).");
    if constexpr (detail::is_number_later<result>()) {
      runtime::check_every(every);
      const auto single = detail::rule_call<Rule, float, slots>::of(rule);
      state_->become(state_->now());
      state_->rule = std::make_shared<
          detail::flow_rule_of<T, std::remove_cvref_t<decltype(single)>, result, fields>>(
          every, *state_, single, real);
    }
  }
  return *this;
}

}  // namespace teff::inline TEFF_MODE
