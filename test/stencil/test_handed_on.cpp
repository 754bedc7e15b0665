// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/formula/residual.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../generator.hpp"
#include "handed_on.hpp"

using namespace teff;
using namespace teff::test;

namespace {

// ---- steps: each as a function of how old values are taken

constexpr float c = 0.1f;

struct line {  // 1-D, cells of their own outside the target
  static constexpr int rank = 1, fields = 2;
  static constexpr bool has_residual = false;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto U, auto W) {
      using namespace fd1;
      return together(update(inn(U), 2 * inn(U) - inn(W) + d2(U) * c), update(inn(W), old(inn(U))));
    });
  }
};
struct whole_line {  // the copy is listed first, and of all cells
  static constexpr int rank = 1, fields = 2;
  static constexpr bool has_residual = false;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto U, auto W) {
      using namespace fd1;
      return together(update(W, old(U)), update(inn(U), inn(U) + d2(U) * c - inn(W) * c));
    });
  }
};
struct held_membrane {  // conditions at its sides, a residual that reads the older level's corners
  static constexpr int rank = 2, fields = 2;
  static constexpr bool has_residual = true;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto U, auto W) {
      using namespace fd2;
      return stages(together(update(inn(U), 2 * inn(U) - inn(W) + (d2_xi(U) + d2_yi(U)) * c,
                                    boundary{.x = periodic, .y = {fixed, gradient(0.0)}}),
                             update(W, old(U))),
                    residual(max_abs(W - U)));
    });
  }
};
struct framed_membrane {  // the same, where the older level has cells of its own there
  static constexpr int rank = 2, fields = 2;
  static constexpr bool has_residual = true;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto U, auto W) {
      using namespace fd2;
      return stages(together(update(inn(U), 2 * inn(U) - inn(W) + (d2_xi(U) + d2_yi(U)) * c,
                                    boundary{.x = {fixed(0.25), gradient(0.5)}, .y = periodic}),
                             update(inn(W), old(inn(U)))),
                    residual(norm2(W - U)));
    });
  }
};
struct three_levels {  // and a field that reads all of them, later, at neighbours
  static constexpr int rank = 2, fields = 4;
  static constexpr bool has_residual = false;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto A, auto B, auto C, auto S) {
      using namespace fd2;
      return stages(together(update(C, old(B)),
                             update(inn(A), inn(A) + c * (d2_xi(B) + d2_yi(A)) - c * inn(C)),
                             update(B, old(A))),
                    update(inn(S), inn(S) * c + d2_xi(C) + d2_yi(B) + inn(A)));
    });
  }
};
struct three_framed_levels {
  static constexpr int rank = 2, fields = 3;
  static constexpr bool has_residual = false;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto A, auto B, auto C) {
      using namespace fd2;
      return together(update(inn_x(A), inn_x(A) + c * d2_xa(A) - c * inn_x(C) + c * inn_x(B)),
                      update(inn_x(B), old(inn_x(A))), update(inn_x(C), old(inn_x(B))));
    });
  }
};
struct two_pairs {  // staggered, and another update beside them
  static constexpr int rank = 2, fields = 5;
  static constexpr bool has_residual = false;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto U, auto V, auto P, auto Q, auto H) {
      using namespace fd2;
      return together(update(inn(U), inn(U) + c * d2_xi(P) - c * inn(V)), update(V, old(U)),
                      update(P, P - Q * c + H * c), update(Q, old(P)), update(H, H * c + P * c));
    });
  }
};
struct faces {  // a level of a field that has one cell more along y
  static constexpr int rank = 2, fields = 3;
  static constexpr bool has_residual = false;
  static constexpr index_t more_along_y(int field) { return field == 1 ? 0 : 1; }
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto Vy, auto P, auto before) {
      using namespace fd2;
      return stages(together(update(inn_y(Vy), inn_y(Vy) - c * d_ya(P)),
                             update(inn_y(before), old(inn_y(Vy)))),
                    update(P, P - c * d_ya(Vy)));
    });
  }
};
struct solid {  // 3-D; the older level is only looked at, by what ends the run
  static constexpr int rank = 3, fields = 2;
  static constexpr bool has_residual = true;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto T, auto before) {
      using namespace fd3;
      return stages(together(update(inn(T), inn(T) + c * (d2_xi(T) + d2_yi(T) + d2_zi(T)),
                                    boundary{.z = gradient(0.0)}),
                             update(inn(before), old(inn(T)))),
                    residual(max_abs(T - before)));
    });
  }
};
struct sound {  // 3-D, two levels, cells of their own along x and z
  static constexpr int rank = 3, fields = 2;
  static constexpr bool has_residual = false;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto U, auto W) {
      using namespace fd3;
      return together(update(inn(U), 2 * inn(U) - inn(W) + c * (d2_xi(U) + d2_yi(U) + d2_zi(U))),
                      update(inn(W), old(inn(U))));
    });
  }
};

/// Extents whose arrays are large enough to be handed on.
template <int N>
extents<N> drawn_extents(generator& g) {
  const index_t least = test_devices().size() > 1 ? 1 << 18 : 1 << 12;  // cells of f32
  if constexpr (N == 1) {
    return {least + g.between(1, 999)};
  } else if constexpr (N == 2) {
    const index_t nx = g.between(3, 300);
    return {nx, least / nx + g.between(1, 9)};
  } else {
    const index_t nx = g.between(3, 40), ny = g.between(3, 20);
    return {nx, ny, least / (nx * ny) + g.between(1, 3)};
  }
}

/// Cell 0, 0, ... of an array.
template <class T, int N>
cell_ref<T> corner(const array_ref<T, N>& a) {
  if constexpr (N == 1)
    return a(0);
  else if constexpr (N == 2)
    return a(0, 0);
  else
    return a(0, 0, 0);
}

/// A number that differs where some bit does.
template <class T>
std::string text_of_cells(const std::vector<T>& cells) {
  std::uint64_t mixed = 1469598103934665603u;
  for (const T cell : cells) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &cell, sizeof(T));
    for (const unsigned char byte : bytes) mixed = (mixed ^ byte) * 1099511628211u;
  }
  return std::to_string(mixed);
}

/// What a run left and said.
template <class T>
struct outcome {
  std::vector<std::vector<T>> fields;
  std::string said;
};

template <class F, class T, class Old>
outcome<T> made_by(const Old& old, const device& dev, const extents<F::rank>& n,
                   iterate_options options, index_t gap) {
  std::vector<array<T, F::rank>> wide;
  std::vector<array_ref<T, F::rank>> fields;
  for (int f = 0; f < F::fields; ++f) {
    extents<F::rank> of = n;
    if constexpr (requires { F::more_along_y(f); }) of[1] += F::more_along_y(f);
    const index_t last = of[F::rank - 1];
    of[F::rank - 1] += gap * (f + 1);  // then they lie differently, too, where they are 1-D slices
    wide.push_back(random_array<T, F::rank>(dev, of, f + 1));
    view<T, F::rank> cells = wide.back().view();
    cells.shape[F::rank - 1] = last;
    fields.push_back({wide.back().on(), wide.back().block(), cells, wide.back().shared_label()});
  }
  outcome<T> made;
  if (options.on_step.every > 0)
    options.on_step.call = [&](index_t done) {
      made.said += " " + std::to_string(done);
      for (auto& field : wide) {
        made.said += ":" + text_of_cells(to_host(field));
        corner<T, F::rank>(field) =
            static_cast<T>(0.125) * static_cast<T>(done % 8);  // a cell of its border
      }
    };
  const auto report = [&]<int... S>(std::integer_sequence<int, S...>) {
    return iterate(F::step(old), options, fields[S]...);
  }
  (std::make_integer_sequence<int, F::fields>{});
  made.said += "; " + std::to_string(report.steps()) + " steps";
  if (report.residual()) made.said += ", residual " + std::to_string(*report.residual());
  for (const auto& field : wide) made.fields.push_back(to_host(field));
  return made;
}

template <class F, class T>
void check(generator& g, const std::string& name) {
  iterate_options options{.schedule = schedule::stepwise};
  options.steps = g.between(1, 16);
  options.first_step = g.chance(20) ? g.between(1, 5) : 0;
  if (g.chance(40)) options.check_every = g.between(1, 4);
  if (g.chance(40)) options.on_step.every = g.between(1, 9);
  if constexpr (F::has_residual)
    if (g.chance(50)) options.tolerance = 0.05;
  const index_t gap = g.chance(40) ? g.between(1, 3) : 0;
  const auto n = drawn_extents<F::rank>(g);
  std::string what = name + " of " + std::to_string(sizeof(T)) + " bytes a cell";
  for (int d = 0; d < F::rank; ++d) what += (d > 0 ? "x" : ", ") + std::to_string(n[d]);
  what += ", " + std::to_string(options.steps) + " steps, checked every " +
          std::to_string(options.check_every) + ", told every " +
          std::to_string(options.on_step.every) + ", gap " + std::to_string(gap);
  g.count();
  const outcome<T> expected = made_by<F, T>(times_one{}, device::cpu(), n, options, gap);
  for (const device dev : test_devices())
    for (const schedule by : {schedule::stepwise, schedule::temporal, schedule::automatic}) {
      options.schedule = by;
      const outcome<T> made = made_by<F, T>(as_they_are{}, dev, n, options, gap);
      const std::string where = what + " on " + dev.name() + " by " + schedule_name(by);
      if (made.said != expected.said) FAIL_CHECK(where << ": " << made.said << expected.said);
      for (std::size_t f = 0; f < made.fields.size(); ++f) {
        const std::string bad = difference(made.fields[f], expected.fields[f]);
        if (!bad.empty()) FAIL_CHECK(where << ", field " << f << ": " << bad);
      }
    }
}

}  // namespace

TEST_CASE("fields that hand on their arrays have the bits of copies") {
  generator g("fields that hand on their arrays");
  for (int k = 0; k < 20; ++k) {
    check<line, double>(g, "line");
    check<whole_line, float>(g, "whole line");
    check<membrane, double>(g, "membrane");
    check<membrane, float>(g, "membrane");
    check<held_membrane, double>(g, "held membrane");
    check<framed_membrane, float>(g, "framed membrane");
    check<three_levels, double>(g, "three levels");
    check<three_framed_levels, float>(g, "three framed levels");
    check<two_pairs, double>(g, "two pairs");
    check<faces, float>(g, "faces");
    check<solid, double>(g, "solid");
    check<sound, float>(g, "sound");
  }
}
