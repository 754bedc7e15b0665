// SPDX-License-Identifier: MIT
#include <array>
#include <string>

#include <teff/base/error.hpp>
#include <teff/solver/sbp_weights.hpp>

namespace teff::runtime {

namespace {

using list = std::vector<double>;

list norm_of(int order) {
  if (order == 2) return {1. / 2};
  if (order == 4) return {17. / 48, 59. / 48, 43. / 48, 49. / 48};
  return {13649. / 43200, 12013. / 8640, 2711. / 4320, 5359. / 4320, 7877. / 8640, 43801. / 43200};
}

list slope_of(int order) {
  if (order == 2) return {-3. / 2, 2, -1. / 2};
  if (order == 4) return {-11. / 6, 3, -3. / 2, 1. / 3};
  return {-25. / 12, 4, -3, 4. / 3, -1. / 4};
}

/// norm * d/dx, above the diagonal: of the rows near the end, row after row. The one number that
/// order 6 leaves free, the last, is 141/200: the errors of these rows are then smallest.
list skew_part_of(int order) {
  if (order == 2) return {};
  if (order == 4) return {59. / 96, -1. / 12, -1. / 32, 59. / 96, 0, 59. / 96};
  return {2617. / 4050,   -3091. / 51840, -1727. / 14400, 4691. / 259200,   1981. / 129600,
          3773. / 8640,   14789. / 51840, -347. / 8640,   -3079. / 86400,   5897. / 12960,
          -1537. / 17280, 19. / 1728,     3539. / 5184,   -20471. / 259200, 141. / 200};
}
/// The weights of the points ahead, far from the ends.
list central_of(int order) {
  if (order == 2) return {1. / 2};
  if (order == 4) return {2. / 3, -1. / 12};
  return {3. / 4, -3. / 20, 1. / 60};
}

/// Rows of the first derivative: -1/2 at the corner, else skew-symmetric after division by the
/// norm.
void set_first(int order, const sbp_layout& at, list& w) {
  const list skew = skew_part_of(order), central = central_of(order);
  const auto weight = [&](int i, int j) -> double& {
    return w[static_cast<std::size_t>(at.first + i * at.columns + j)];
  };
  std::size_t next = 0;
  for (int i = 0; i < at.rows; ++i) {
    for (int j = i + 1; j < at.rows; ++j, ++next) {
      weight(i, j) = skew[next];
      weight(j, i) = -skew[next];
    }
    for (int d = 1; d <= order / 2; ++d)
      if (i + d >= at.rows) weight(i, i + d) = central[static_cast<std::size_t>(d - 1)];
  }
  weight(0, 0) = -1. / 2;
  for (int i = 0; i < at.rows; ++i)
    for (int j = 0; j < at.columns; ++j) weight(i, j) /= w[static_cast<std::size_t>(at.norm + i)];
}

list second_of(int order) {
  if (order == 2) return {1, -2, 1};
  if (order == 4)
    return {2,        -5,       4,          -1,         0,        0,  //
            1,        -2,       1,          0,          0,        0,  //
            -4. / 43, 59. / 43, -110. / 43, 59. / 43,   -4. / 43, 0,  //
            -1. / 49, 0,        59. / 49,   -118. / 49, 64. / 49, -4. / 49};
  return {114170. / 40947,
          -438107. / 54596,
          336409. / 40947,
          -276997. / 81894,
          3747. / 13649,
          21035. / 163788,
          0,
          0,
          0,  //
          6173. / 5860,
          -2066. / 879,
          3283. / 1758,
          -303. / 293,
          2111. / 3516,
          -601. / 4395,
          0,
          0,
          0,  //
          -52391. / 81330,
          134603. / 32532,
          -21982. / 2711,
          112915. / 16266,
          -46969. / 16266,
          30409. / 54220,
          0,
          0,
          0,  //
          68603. / 321540,
          -12423. / 10718,
          112915. / 32154,
          -75934. / 16077,
          53369. / 21436,
          -54899. / 160770,
          48. / 5359,
          0,
          0,  //
          -7053. / 39385,
          86551. / 94524,
          -46969. / 23631,
          53369. / 15754,
          -87904. / 23631,
          820271. / 472620,
          -1296. / 7877,
          96. / 7877,
          0,  //
          21035. / 525612,
          -24641. / 131403,
          30409. / 87602,
          -54899. / 131403,
          820271. / 525612,
          -117600. / 43801,
          64800. / 43801,
          -6480. / 43801,
          480. / 43801};
}

/// Points of a line long enough that its low end does not see the other.
constexpr int line = 16;
using row = std::array<double, line>;

/// One term of the energy of d(b du/dx)/dx: b (scale * row . u)^2, with b a mean of two points.
struct energy_term {
  row of{};
  double factor = 0;
  int b[2] = {0, 0};
};

row stencil(int first, const list& weights) {
  row result{};
  for (std::size_t k = 0; k < weights.size(); ++k)
    result[static_cast<std::size_t>(first) + k] = weights[k];
  return result;
}

/// Order 2: differences. Order 4: first derivatives, and third and fourth differences that make
/// rows narrow, with the factors that keep order 2 at the end.
std::vector<energy_term> energy_of(int order, const sbp_layout& at, const list& w) {
  std::vector<energy_term> terms;
  const auto add = [&](const row& of, double factor, int b0, int b1) {
    terms.push_back({of, factor, {b0, b1}});
  };
  if (order == 2) {
    for (int i = 0; i + 1 < line; ++i) add(stencil(i, {-1, 1}), 1, i, i + 1);
    return terms;
  }
  for (int i = 0; i + 2 < line; ++i) {
    const auto near = w.begin() + at.first + i * at.columns;
    const bool is_far = i >= at.rows;
    add(is_far ? stencil(i - 2, {1. / 12, -2. / 3, 0, 2. / 3, -1. / 12})
               : stencil(0, list(near, near + at.columns)),
        is_far ? 1 : w[static_cast<std::size_t>(at.norm + i)], i, i);
  }
  for (int i = 2; i + 2 < line; ++i) {
    const double third = i == 2 ? 163928591571. / 53268010936 : i == 3 ? 189284. / 185893 : 1;
    const double fourth = i == 2 ? 1644330. / 301051 : i == 3 ? 156114. / 181507 : 1;
    add(i == 2 ? stencil(
                     0, {-185893. / 301051, 79000249461. / 54642863857, -33235054191. / 54642863857,
                         -36887526683. / 54642863857, 26183621850. / 54642863857, -4386. / 181507})
               : stencil(i - 1, {-1, 3, -3, 1}),
        third / 18, i, i + 1);
    add(stencil(i - 2, {1, -4, 6, -4, 1}), fourth / 144, i, i);
  }
  return terms;
}

/// d(b du/dx)/dx: minus the energy's derivative, minus b du/dx at the end, divided by the norm.
void set_flux(int order, const sbp_layout& at, list& w) {
  if (at.flux_rows == 0) return;
  const auto weight = [&](int i, int j, int k) -> double& {
    return w[static_cast<std::size_t>(at.flux + (i * at.flux_u + j) * at.flux_b + k)];
  };
  for (const energy_term& t : energy_of(order, at, w))
    for (int i = 0; i < at.flux_rows; ++i)
      for (int j = 0; j < at.flux_u; ++j)
        for (const int k : t.b)
          if (k < at.flux_b)
            weight(i, j, k) -= t.factor / 2 * t.of[static_cast<std::size_t>(i)] *
                               t.of[static_cast<std::size_t>(j)];
  for (int j = 0; j < at.slope_columns; ++j)
    weight(0, j, 0) -= w[static_cast<std::size_t>(at.slope + j)];
  for (int i = 0; i < at.rows; ++i)
    for (int n = 0; n < at.flux_u * at.flux_b; ++n)
      weight(i, 0, n) /= w[static_cast<std::size_t>(at.norm + i)];
}

}  // namespace

std::vector<double> sbp_weights(int order) {
  const sbp_layout at = sbp_layout_of(order);
  list w(static_cast<std::size_t>(at.count), 0.);
  const auto put = [&](int first, const list& values) {
    std::size_t i = static_cast<std::size_t>(first);
    for (const double value : values) w[i++] = value;
  };
  put(at.norm, norm_of(order));
  put(at.second, second_of(order));
  put(at.slope, slope_of(order));
  set_first(order, at, w);
  set_flux(order, at, w);
  return w;
}

void check_sbp_grid(int order, int dim, index_t points, double spacing) {
  const index_t least = sbp_layout_of(order).least_points();
  if (points < least)
    throw error(failure::usage, "sbp<" + std::to_string(order) + ">: " + std::to_string(least) +
                                    " points or more are needed along dim " + std::to_string(dim) +
                                    ", got " + std::to_string(points));
  if (!(spacing > 0))
    throw error(failure::usage, "sbp<" + std::to_string(order) + ">: the spacing along dim " +
                                    std::to_string(dim) + " must be above 0, got " +
                                    std::to_string(spacing));
}

void check_sbp_flux(int order, int dim, index_t points, index_t least) {
  if (points < least)
    throw error(failure::usage, "sbp<" + std::to_string(order) + ">: d(b du/dx)/dx needs " +
                                    std::to_string(least) + " points or more along dim " +
                                    std::to_string(dim) + ", got " + std::to_string(points));
}

void check_sbp_extent(const char* what, int dim, index_t extent, index_t points) {
  if (extent != points)
    throw error(failure::usage, std::string("sbp: ") + what + " has " + std::to_string(extent) +
                                    " points along dim " + std::to_string(dim) +
                                    ", the grid of the operators has " + std::to_string(points));
}

}  // namespace teff::runtime
