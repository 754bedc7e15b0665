// SPDX-License-Identifier: MIT
// The formulas of test_bits.py in C++, as a user writes them: reads fields from a file of raw
// cells, runs them, and writes them back. Arguments: steps, schedule, depth, file, then nx and ny
// of each field. FORMULA, FIELDS and REAL are given when it is compiled.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <teff/expr/fd2.hpp>
#include <teff/formula/residual.hpp>
#include <teff/stencil/iterate.hpp>

using namespace teff;
using namespace teff::fd2;

namespace {

const double dx = 10.0 / 99, _dx = 1 / dx, _dy = 1 / (1.1 * dx), lam = 0.9;

// NOLINTBEGIN(bugprone-reserved-identifier)
[[maybe_unused]] auto heat() {
  const double dt = dx * dx / lam / 0.5 / 4.1;
  return timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return update(inn(T), inn(T) + dt * dTdt);
  });
}

[[maybe_unused]] auto insulated() {
  const double dt = dx * dx / lam / 0.5 / 4.1;
  return timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return update(inn(T), inn(T) + dt * dTdt,
                  boundary{.x = gradient(0.0), .y = {fixed(0.5 * ix), gradient(0.0)}});
  });
}

[[maybe_unused]] auto pressure() {
  const double k = 1, _1_theta = 1 / 5.5, _beta = 0.02;
  return timestep([=](auto Pf, auto qDx, auto qDy) {
    auto div = d_xa(qDx) * _dx + d_ya(qDy) * _dy;
    return stages(update(inn_x(qDx), inn_x(qDx) - (inn_x(qDx) + k * d_xa(Pf) * _dx) * _1_theta),
                  update(inn_y(qDy), inn_y(qDy) - (inn_y(qDy) + k * d_ya(Pf) * _dy) * _1_theta),
                  update(Pf, Pf - div * _beta), residual(max_abs(div)));
  });
}

[[maybe_unused]] auto wave() {
  const double dt = 0.4 * dx, rho = 1.3, k = 0.8;
  return timestep([=](auto P, auto Vx, auto Vy) {
    return stages(update(inn_x(Vx), inn_x(Vx) - dt / rho * d_xa(P) * _dx),
                  update(inn_y(Vy), inn_y(Vy) - dt / rho * d_ya(P) * _dy),
                  update(P, P - dt * k * (d_xa(Vx) * _dx + d_ya(Vy) * _dy)));
  });
}

[[maybe_unused]] auto gray_scott() {
  const double Du = 0.16, Dv = 0.08, F = 0.035, k = 0.065, dt = 1;
  const boundary round{.x = periodic, .y = periodic};
  return timestep([=](auto U, auto V) {
    auto R = inn(U) * sq(inn(V));
    return together(
        update(inn(U), inn(U) + dt * (Du * (d2_xi(U) + d2_yi(U)) - R + F * (1 - inn(U))), round),
        update(inn(V), inn(V) + dt * (Dv * (d2_xi(V) + d2_yi(V)) + R - (F + k) * inn(V)), round));
  });
}
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace

int main(int, char** argv) {
  iterate_options options{.steps = std::atoll(argv[1])};
  for (const schedule s : schedules())
    if (argv[2] == std::string(schedule_name(s))) options.schedule = s;
  options.depth = std::atoi(argv[3]);
  const std::string path = argv[4];
  std::vector<array<REAL, 2>> fields;
  std::ifstream in(path, std::ios::binary);
  for (char** a = argv + 5; *a != nullptr; a += 2) {
    fields.emplace_back(device::cpu(), extents<2>(std::atoll(a[0]), std::atoll(a[1])));
    in.read(reinterpret_cast<char*>(fields.back().data()), bytes(fields.back()));
  }
  const auto over = [&]<std::size_t... F>(std::index_sequence<F...>) {
    return iterate(FORMULA(), options, fields[F]...);
  };
  std::cout << over(std::make_index_sequence<FIELDS>{}) << '\n';
  std::ofstream out(path, std::ios::binary);
  for (const auto& field : fields)
    out.write(reinterpret_cast<const char*>(field.data()), bytes(field));
  return out ? 0 : 1;
}
