// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include <teff/base/stream.hpp>
#include <teff/expr/node.hpp>

/// Numbers in a formula that may change between its runs or, where they follow the flow, within
/// one.
namespace teff::runtime {

class flow_rule;  // formula/flow_rule.hpp

/// What all copies of a parameter share.
template <class T>
struct parameter_state {
  T value;                    ///< counts while `cell` is null
  const T* cell = nullptr;    ///< where a run left the value of one that follows, on its device
  stream on = device::cpu();  ///< of the cell
  std::shared_ptr<flow_rule> rule = {};  ///< by which it follows; null if it does not

  /// @sync waits for the device if the value is there
  T now() const {
    if (cell == nullptr) return value;
    T result;
    copy_bytes(on, &result, cell, sizeof(T));
    on.synchronize();
    return result;
  }
  /// A new value, from the host.
  void become(T to) {
    value = to;
    cell = nullptr;
  }
};

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE {

/// A parameter in a formula that is ready for the device. On a GPU the value of one that follows is
/// in the GPU's memory: kernels fetch it when they begin (operands.hpp); what does not reads it
/// where it is used.
template <class T, class As>
struct device_parameter : node<device_parameter<T, As>> {
  using value_type = As;
  static constexpr int rank = 0, flops = 0, widest = 0, loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  As value;       // as the host knows it: on a CPU always
  const T* from;  // null if it is the value anyway

  TEFF_INLINE void fetch() {
    if (from != nullptr) value = static_cast<As>(*from);
    from = nullptr;
  }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE As eval(const C&) const {
#ifdef __CUDA_ARCH__
    return from != nullptr ? static_cast<As>(*from) : value;
#else
    return value;
#endif
  }
};

/// A number that may change between runs of a formula: `auto dt = param(0.1); ... dt = 0.2;`.
/// Copies share the value; it is read when a run starts.
template <class T, class As = T>
class parameter : public node<parameter<T, As>> {
 public:
  using value_type = As;
  static constexpr int rank = 0, flops = 0, widest = 0, loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  explicit parameter(std::shared_ptr<runtime::parameter_state<T>> state)
      : state_(std::move(state)) {}
  parameter(const parameter&) = default;
  ~parameter() = default;
  const parameter& operator=(T value) const {
    state_->become(value);
    return *this;
  }
  /// @throws error if a T does not have the number: a parameter made of an integer takes integers
  template <number_like V>
  const parameter& operator=(V value) const {
    const auto what = [&] {
      return "a parameter made of the integer " + text() + " can not become " +
             runtime::number_text(value);
    };
    if constexpr (std::integral<T> && std::is_floating_point_v<V>)
      if (detail::holds<T>(value) && static_cast<V>(convert<T>(value)) != value)
        throw error(failure::usage, what() + "; make it of a real number, as param(1.0)");
    return *this = detail::fitted<T>(value, what);
  }
  const parameter& operator=(const parameter& other) const { return *this = other.value(); }
  /// @sync waits, if it follows the flow on a GPU
  T value() const { return state_->now(); }
  template <class Other>
  parameter<T, Other> as() const {
    return parameter<T, Other>(state_);
  }

  /// From now on it follows the flow: at every step whose number (that of step_index) is a multiple
  /// of `every`, just before it is made, it becomes what `rule` says of the state then.
  /// `dt.follows(10, [=](auto u, auto v) { return 0.4 * dx / maximum(max_abs(u), max_abs(v)); });`
  /// The rule takes the fields of the call of iterate, in their order, and returns a device scalar,
  /// made of reductions. It is called once, here, with placeholders, as a time step's lambda. Where
  /// a run begins between two such steps, the parameter has the value that the run before it left,
  /// or was given: so a run that is ended and resumed with first_step has the bits of a whole one.
  /// @traffic an evaluation reads what its reductions read
  /// @throws error if `every` is less than 1
  /// @sync none: nothing waits on the host, in runs neither. A value that is 0 or not finite is
  /// told of by the run's next check (iterate_options::check_every)
  template <class Rule>
  const parameter& follows(index_t every, const Rule& rule) const;
  bool follows_flow() const { return state_->rule != nullptr; }
  /// Copies of one parameter, which have one value at all times.
  bool is_same(const parameter& other) const { return state_ == other.state_; }

  template <class B>
  shape3 shape(const B&) const {
    return {};
  }
  /// Shows f what all copies share, if f asks for it.
  template <int X, int Y, int Z, class F>
  void visit(const window&, F& f) const {
    if constexpr (requires { f.meets(state_); }) f.meets(state_);
  }
  device_parameter<T, As> lower(const lowering&) const {
    const bool is_here = state_->cell == nullptr || state_->on.dev().is_cpu();
    const T value = state_->cell != nullptr && is_here ? *state_->cell : state_->value;
    return {{}, is_here ? detail::number_meeting<As>(value) : As{}, state_->cell};
  }
  [[gnu::cold]] std::string text() const { return number<T>(value()).text(); }

 private:
  mutable std::shared_ptr<runtime::parameter_state<T>> state_;
};

template <class T, class As>
std::ostream& operator<<(std::ostream& out, const parameter<T, As>& p) {
  return out << +p.value();  // a number, also of a u8
}

template <number_like T>
parameter<T> param(T value) {
  return parameter<T>(
      std::make_shared<runtime::parameter_state<T>>(runtime::parameter_state<T>{value, nullptr}));
}

}  // namespace teff::inline TEFF_MODE
