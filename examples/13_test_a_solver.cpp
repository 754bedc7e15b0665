// SPDX-License-Identifier: MIT
// How to test a solver: unit tests of an operator, and reference tests, which compare sampled
// values with a truth (here of plain loops in Python; else of a run checked by other means).
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd1;

/// A car that goes right and left between 0 and 200 km for 16 h: its place every 0.1 h.
std::vector<double> car_travel_1D() {
  const double V = 113.0, L = 200.0, dt = 0.1;
  std::vector<double> X(160, 0.0);
  int dir = 1;
  for (std::size_t it = 1; it < X.size(); ++it) {
    X[it] = X[it - 1] + dir * V * dt;
    if (X[it] > L) dir = -1;
    if (X[it] < 0) dir = 1;
  }
  return X;
}

/// Diffusion of a concentration with four and a half waves on 20 m, for nx^2 / 100 steps.
std::pair<array<double, 1>, array<double, 1>> diffusion_1D(device dev, double dc = 1) {
  const double lx = 20;
  const index_t nx = 200, nt = nx * nx / 100;
  const double dx = lx / nx, dt = dx * dx / dc / 2, pi = std::acos(-1.0);
  array<double, 1> C(dev, {nx}, "C"), qx = zeros<double>(dev, {nx - 1}, "qx");
  C = 0.5 * cos(9 * pi * (dx / 2 + ix * dx) / lx) + 0.5;
  iterate(timestep([=](auto C, auto qx) {
            return stages(update(qx, -dc * d(C) / dx),                // at faces
                          update(inn(C), inn(C) - dt * d(qx) / dx));  // at points
          }),
          nt, C, qx);
  return {std::move(C), std::move(qx)};
}

// The truth, at 20 random indices, to 10 digits
const index_t cells[] = {2,   5,   6,   7,   26,  55,  56,  81,  97,  108,
                         112, 126, 135, 138, 141, 151, 166, 175, 185, 195};
const double C_true[] = {0.9507509677, 0.8801926432, 0.8573746769, 0.8350340546, 0.5598440348,
                         0.5013348084, 0.4998582001, 0.5045580757, 0.5031364234, 0.4915483253,
                         0.4911110182, 0.5051116788, 0.5083913330, 0.5063134958, 0.5029136559,
                         0.4884571137, 0.4691121182, 0.4260221843, 0.3028056800, 0.0965879858};
const double qx_true[] = {0.2383391813,  0.2285344500,  0.2237703824,  0.2182779961, 0.0592126145,
                          0.0148696926,  0.0143393357,  -0.0106792479, 0.0124157033, 0.0038032416,
                          -0.0034071306, -0.0099965710, 0.0052715226,  0.0101502146, 0.0135903659,
                          0.0126652003,  0.0256894525,  0.0825371015,  0.1735592396, 0.2358529696};

bool agrees(const std::pair<array<double, 1>, array<double, 1>>& got) {
  const auto& [C, qx] = got;
  double off = 0;
  for (int i = 0; i < 20; ++i)
    off += std::abs(C(cells[i]) - C_true[i]) + std::abs(qx(cells[i]) - qx_true[i]);
  return off < 1e-8;
}

int main() {
  const device dev = default_device();
  bool all_right = true;
  const auto expect = [&](const char* what, bool holds) {
    std::printf("%-6s %s\n", holds ? "pass" : "FAIL", what);
    all_right = all_right && holds;
  };
  array<double, 1> squares(dev, {5});
  squares = sq(ix);
  expect("d(A) of squares grows by 2", all(d(squares) == 2 * ix + 1));
  expect("d(A) of a constant is 0", all(d(0 * squares + 3) == 0));
  const auto X = car_travel_1D();
  const auto car_at = [&](std::size_t it, double x) { return std::abs(X[it] - x) < 1e-9; };
  expect("car_travel_1D", car_at(7, 79.1) && car_at(24, 135.6) && car_at(53, 169.5) &&
                              car_at(97, 169.5) && car_at(126, 135.6) && car_at(155, 33.9));
  expect("diffusion_1D, 20 values of C and qx", agrees(diffusion_1D(dev)));
  expect("the test sees dc = 1.0001", !agrees(diffusion_1D(dev, 1.0001)));
  return all_right ? 0 : 1;
}
