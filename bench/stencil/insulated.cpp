// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string>

#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>

#include <bench/naive/insulated.hpp>
#include <bench/stencil/insulated.hpp>
#include <bench/stencil/step_case.hpp>

namespace teff::bench {

namespace {

template <class T, int Rank>
class insulated_problem {
  /// dt * lam / dx^2: the largest stable step over 2.05 Rank / (2 Rank).
  static constexpr T factor = T(2 / (2.05 * Rank));

 public:
  using value_type = T;
  static constexpr int rank = Rank, fields = 2, evolving = 1;

  explicit insulated_problem(const std::vector<index_t>& shape) : shape_(shape) {
    if (*std::ranges::min_element(shape) < 3)
      throw error(failure::usage, "insulated" + std::to_string(Rank) +
                                      "d needs at least 3 points along each dim, got " +
                                      lab::shape_text(shape));
  }
  std::vector<index_t> extents(int) const { return shape_; }
  /// Temperatures in [0, 1), 1/c between 1/4 and 1/2.
  std::vector<T> start(int field) const {
    const auto n = naive_shape();
    auto values = random_values<T>(n.nx * n.ny * n.nz, 7 + static_cast<std::uint64_t>(field));
    if (field == 1)
      for (T& value : values) value = static_cast<T>(0.25) * (1 + value);
    return values;
  }
  auto step() const {
    return timestep([](auto t, auto Ci) {
      const sides insulated = gradient(0);
      if constexpr (Rank == 2) {
        using namespace fd2;
        return update(inn(t), inn(t) + factor * (inn(Ci) * (d2_xi(t) + d2_yi(t))),
                      boundary{.x = insulated, .y = insulated});
      } else {
        using namespace fd3;
        return update(inn(t), inn(t) + factor * (inn(Ci) * (d2_xi(t) + d2_yi(t) + d2_zi(t))),
                      boundary{.x = insulated, .y = insulated, .z = insulated});
      }
    });
  }
  void advance(std::vector<std::vector<T>>& values, int steps) const {
    naive::insulated(values[0], values[1], naive_shape(), factor, steps);
  }
  /// A step is a weighted mean of values below 1, with under 32 roundings, in whatever order.
  double tolerance(int steps) const {
    return 32.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

 private:
  naive::insulated_shape naive_shape() const {
    return {static_cast<std::size_t>(shape_[0]), static_cast<std::size_t>(shape_[1]),
            Rank == 3 ? static_cast<std::size_t>(shape_[2]) : 1};
  }

  std::vector<index_t> shape_;
};

template <int Rank>
lab::bench_case insulated_case() {
  lab::bench_case made;
  const std::string dims = std::to_string(Rank);
  made.name = "insulated" + dims + "d";
  made.about = dims + "-D heat diffusion between insulating walls: conditions at all sides";
  made.axes = Rank == 2 ? "a shape of two extents" : "a shape of three extents";
  made.types = {"f64", "f32"};
  made.least_rank = made.most_rank = Rank;
  made.arrays = 6;
  made.moved_arrays = 3;
  made.best = "temporal";
  made.variants = step_variants();
  made.prepare = [](const lab::setting& where) {
    return for_type<f64, f32>(where.type, [&](auto example) {
      return make_prepared<step_fields<insulated_problem<decltype(example), Rank>>>(where);
    });
  };
  return made;
}

}  // namespace

lab::bench_case insulated2d_case() {
  lab::bench_case made = insulated_case<2>();
  made.cpu_shape = {8192, 8192};
  made.cuda_shape = {16384, 16384};
  made.small_shape = {511, 511};
  made.variants.push_back(resident_variant());
  return made;
}
lab::bench_case insulated3d_case() {
  lab::bench_case made = insulated_case<3>();
  made.cpu_shape = {384, 384, 384};
  made.cuda_shape = {512, 512, 512};
  return made;
}

}  // namespace teff::bench
