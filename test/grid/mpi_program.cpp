// SPDX-License-Identifier: MIT
// mpi_program MODE: one rank of a job that tools/test_mpi.py starts, with what goes wrong as the
// mode says. The last rank is the one that does it.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <omp.h>

#include <teff/base/memory.hpp>
#include <teff/base/stream.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/formula/residual.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_random.hpp>
#include <teff/grid/grid_reduce.hpp>
#include <teff/grid/iterate.hpp>
#include <teff/grid/transport/mpi_transport.hpp>

#include "mpi_user.h"

using namespace teff;
using namespace teff::fd2;

namespace {

auto heat() {
  return timestep([](auto T) {
    return stages(update(inn(T), inn(T) + 0.2 * (d2_xi(T) + d2_yi(T)),
                         boundary{.x = {gradient(0.0), fixed(1.0)}, .y = {fixed, gradient(0.0)}}),
                  residual(max_abs(d2_xi(T) + d2_yi(T))));
  });
}

constexpr extents<2> cells{37, 53};

void expect(bool is_right, const std::string& what) {
  if (!is_right) throw error(failure::verification, "not as on one rank: " + what);
}

/// Reductions, random numbers, scatter and gather, checks and on_step of a run: those of one rank.
void check_bits(const grid_options& options) {
  const grid<2> g(cells, options);
  const auto T = random<double>(g, 42);
  const array<double, 2> A = random<double>(default_device(), cells, 42);
  T *= 1.0 + 0.01 * ix + 0.02 * iy;
  A *= 1.0 + 0.01 * ix + 0.02 * iy;
  expect(double(sum(T)) == double(sum(A)), "sum");
  expect(double(mean(T)) == double(mean(A)), "mean");
  expect(double(norm2(T * T)) == double(norm2(A * A)), "norm2");
  expect(double(dot(T, T + 1.0)) == double(dot(A, A + 1.0)), "dot");
  expect(double(min(T)) == double(min(A)) && double(max(T)) == double(max(A)), "min and max");
  const auto U = g.array<double>("U");
  scatter(U, A);
  int told = 0;
  iterate_options run{.steps = 23, .check_every = 6};
  run.on_step = {5, [&](index_t) { ++told; }};
  const auto report = iterate(heat(), run, U);
  const auto expected = iterate(heat(), iterate_options{.steps = 23, .check_every = 6}, A);
  expect(report.residual() == expected.residual(), "residual");
  expect(told == 4, "calls of on_step");
  const array<double, 2> all = gather(U);
  expect(!g.is_root() || to_host(all) == to_host(A), "cells");
  if (g.is_root()) std::cout << report << '\n';
}

auto sound() {
  return timestep([](auto P, auto Vx, auto Vy) {
    return stages(update(inn_x(Vx), inn_x(Vx) - 0.3 * d_xa(P)),
                  update(inn_y(Vy), inn_y(Vy) - 0.3 * d_ya(P)),
                  update(P, P - 0.3 * (d_xa(Vx) + d_ya(Vy))));
  });
}

/// Heat and sound, exchanged every step and more seldom.
void check_periods() {
  const extents<2> n{517, 389};
  for (const int every : {1, 4, 8}) {
    const iterate_options options{.steps = 41, .exchange_every = every}, plain{.steps = 41};
    const std::string when = ", exchanged every " + std::to_string(every);
    const grid<2> g(n);
    const auto T = random<double>(g, 7), P = random<double>(g, 8);
    const auto Vx = g.array<double>("Vx", {1, 0}), Vy = g.array<double>("Vy", {0, 1});
    Vx = 0.0;
    Vy = 0.0;
    const device here = default_device();
    const array<double, 2> of_heat = random<double>(here, n, 7),
                           of_sound = random<double>(here, n, 8);
    array<double, 2> along_x(here, {n[0] + 1, n[1]}), along_y(here, {n[0], n[1] + 1});
    along_x = 0.0;
    along_y = 0.0;
    const auto report = iterate(heat(), options, T);
    iterate(sound(), options, P, Vx, Vy);
    iterate(heat(), plain, of_heat);
    iterate(sound(), plain, of_sound, along_x, along_y);
    const auto same = [&](const grid_array<double, 2>& parts, const array<double, 2>& whole) {
      const array<double, 2> all = gather(parts);
      return !g.is_root() || to_host(all) == to_host(whole);
    };
    expect(same(T, of_heat), "heat" + when);
    expect(same(P, of_sound) && same(Vx, along_x) && same(Vy, along_y), "sound" + when);
    if (g.is_root()) std::cout << report << '\n';
  }
}

/// The time of a step, on grids of several sizes: a number for people, not for tests.
/// @param is_weak a part of this size for each rank, else one grid for all
void show_speed(bool is_weak) {
  for (const index_t n : {1024, 2048, 4096, 8192, 16384}) {
    const grid<2> g({n, is_weak ? n * grid<2>(cells).on().count() : n});
    const auto T = g.array<double>("T");
    T = 0.1 * ix + 0.01 * iy;
    const int steps = static_cast<int>(std::clamp<index_t>(4096 * 4096 / n * 1000 / n, 64, 16384));
    for (const int every : {0, 1, 8}) {
      iterate(heat(), {.steps = steps, .exchange_every = every}, T);
      const auto report = iterate(heat(), {.steps = steps, .exchange_every = every}, T);
      if (g.is_root()) std::cout << report << "; " << report.exchange_s() << " s of exchanges\n";
    }
  }
}

/// A message between any two ranks' devices, before which the last one does something to itself.
void send_unless(const std::function<void()>& happens) {
  const grid<2> g(cells, {.timeout_s = 2});
  runtime::transport& through = g.on().through();
  const device dev = runtime::device_of_rank(g.on(), default_device());
  const device place = dev.is_cuda() && !through.reaches_gpus() ? device::cpu_pinned() : dev;
  const stream on = dev;
  constexpr std::size_t bytes = 1000;
  const std::string what = "the halo of field 0, 'T', side +y";
  const memory_block to(on, place, bytes, what), from(on, place, bytes, what);
  const int last = g.on().count() - 1, other = last - g.on().rank();
  const auto message_in = [&](const memory_block& block) {
    return runtime::message{other, static_cast<std::byte*>(block.data()), bytes, &what,
                            place.is_cuda() ? &on : nullptr};
  };
  if (g.is_root()) std::cout << through.name() << std::endl;
  for (int period = 1; period <= 3 && other != g.on().rank(); ++period) {
    try {
      if (g.on().rank() == last && period == 3) happens();
    } catch (...) {
      through.abort(std::current_exception());
      throw;
    }
    zero_bytes(on, to.data(), bytes);
    if (place.is_pinned()) on.synchronize();
    through.post({message_in(to)}, {message_in(from)});
    through.wait("period " + std::to_string(period));
    through.finish();
    on.synchronize();
  }
  (void)runtime::gathered(g.on(), "the end", 0);
}

/// Messages larger than MPI is given at once.
void check_pieces(const ranks& r, runtime::mpi_transport& through) {
  const std::string what = "the halo of field 0";
  for (const std::size_t bytes : {0u, 1u, 99u, 100u, 101u, 200u, 1234u}) {
    through.limit_pieces(100);
    const int next = (r.rank() + 1) % r.count(), last = (r.rank() + r.count() - 1) % r.count();
    std::vector<std::byte> to(bytes, std::byte(7 + r.rank())), from(bytes);
    through.post({{next, to.data(), bytes, &what}}, {{last, from.data(), bytes, &what}});
    through.wait("period 1");
    expect(from == std::vector<std::byte>(bytes, std::byte(7 + last)), "a message in pieces");
  }
  through.limit_pieces(std::size_t{1} << 30);
}

struct job {
  grid<2> g;
  grid_array<double, 2> T;
  const ranks& on() const { return g.on(); }
  bool is_last() const { return on().rank() == on().count() - 1; }
  void run(const std::function<void(index_t)>& at_step, int steps = 40) const {
    iterate_options options{.steps = steps, .exchange_every = 2};
    options.on_step = {10, at_step};
    iterate(heat(), options, T);
  }
  /// Rank 0 expects so many bytes of rank 1.
  void receive_wrong(std::size_t sent, std::size_t expected, std::size_t at_once) const {
    const std::string what = "the halo of field 0, 'T', side +y";
    auto& through = dynamic_cast<runtime::mpi_transport&>(on().through());
    through.limit_pieces(at_once);
    std::vector<std::byte> bytes(std::max(sent, expected));
    if (on().rank() == 1) through.post({{0, bytes.data(), sent, &what}}, {});
    if (on().rank() == 0) through.post({}, {{1, bytes.data(), expected, &what}});
    through.wait("period 17");
    (void)max(T);
  }
};

job started(double timeout_s) {
  const grid<2> g(cells, {.timeout_s = timeout_s});
  auto T = g.array<double>("T");
  T = 0.1 * ix + 0.01 * iy;
  return {g, std::move(T)};
}

/// Stops its process, which a kernel can not.
template <bool has_kernels>
struct stops {
  static constexpr const char* name = "stops";
  static constexpr int flops = 0;
  bool is_here;
  double operator()(double value) const {
    if (is_here) (void)raise(SIGSTOP);
    return value;
  }
};
template <bool has_kernels>
void stop_in_a_halo() {
  if constexpr (!has_kernels) {
    const job j = started(1);
    const stops<has_kernels> here{j.is_last()};
    const auto step =
        timestep([=](auto t) { return update(inn(t), map(here, inn(t)) + d2_yi(t)); });
    iterate(step, {.steps = 4, .exchange_every = 1}, j.T);
  }
}

/// The MPI of a program that has its own: TEFF_TEST_USER names its library.
const mpi_user& users_mpi() {
  void* const library = dlopen(std::getenv("TEFF_TEST_USER"), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return *reinterpret_cast<const mpi_user* (*)()>(dlsym(library, "mpi_user_functions"))();
}

const std::map<std::string, std::function<void()>> modes{
    {"bits",
     [] {
       check_bits({});
       const grid<2> g(cells);
       if (auto* const mpi = dynamic_cast<runtime::mpi_transport*>(&g.on().through()))
         check_pieces(g.on(), *mpi);
       grid<2> cut(cells, {.cuts = {g.on().count(), 1}});
       check_bits({.cuts = {g.on().count(), 1}});
     }},
    {"ranks",
     [] {
       const grid<2> g(cells);
       const auto all = runtime::gathered(g.on(), "threads", omp_get_max_threads());
       if (!g.is_root()) return;
       std::cout << g.on().count() << " ranks, threads";
       for (const int threads : all) std::cout << ' ' << threads;
       std::cout << '\n';
     }},
    {"other_mpi",
     [] {
       (void)users_mpi();
       grid<2> g(cells);
     }},
    {"refused_alike",
     [] {
       grid<2> g(cells, {.cuts = {1000, 0}});
     }},
    {"throws",
     [] {
       const job j = started(30);
       j.run([&](index_t done) {
         if (j.is_last() && done == 20) throw error(failure::non_finite, "no more");
       });
     }},
    {"throws_elsewhere",
     [] {
       const job j = started(30);
       if (j.is_last()) throw std::runtime_error("of the user's");
       (void)max(j.T);
     }},
    {"returns",
     [] {
       const job j = started(30);
       if (!j.is_last()) (void)max(j.T);
     }},
    {"exits",
     [] {
       const job j = started(30);
       if (j.is_last()) std::exit(9);
       std::this_thread::sleep_for(std::chrono::seconds(30));
     }},
    {"killed",
     [] {
       const job j = started(30);
       j.run([&](index_t) {
         if (j.is_last()) (void)raise(SIGKILL);
       });
     }},
    {"stopped",
     [] {
       const job j = started(1);
       j.run([&](index_t) {
         if (j.is_last()) (void)raise(SIGSTOP);
       });
     }},
    {"stopped_in_a_halo", [] { stop_in_a_halo<is_cuda_unit>(); }},
    {"periods", check_periods},
    {"speed", [] { show_speed(false); }},
    {"weak_speed", [] { show_speed(true); }},
    {"sent", [] { send_unless([] {}); }},
    {"killed_before_a_message", [] { send_unless([] { (void)raise(SIGKILL); }); }},
    {"stopped_before_a_message", [] { send_unless([] { (void)raise(SIGSTOP); }); }},
    {"throws_before_a_message",
     [] { send_unless([] { throw error(failure::non_finite, "no more"); }); }},
    {"returns_before_a_message", [] { send_unless([] { std::exit(0); }); }},
    {"long_run",  // that something happens to
     [] {
       const job j = started(2);
       std::cout << "on " << j.on().through().machines() << " machines" << std::endl;
       iterate(heat(), 10000000, j.T);
     }},
    {"late",  // the others wait, and leave the cores
     [] {
       const job j = started(30);
       const std::clock_t before = std::clock();
       if (j.is_last()) std::this_thread::sleep_for(std::chrono::seconds(1));
       (void)max(j.T);
       const double used_s = double(std::clock() - before) / CLOCKS_PER_SEC;
       if (used_s > 0.5) throw error("waiting took " + std::to_string(used_s) + " s of a core");
     }},
    {"other_call",
     [] {
       const job j = started(30);
       if (j.is_last())
         (void)min(j.T);
       else
         (void)max_abs(j.T);
     }},
    {"short", [] { started(30).receive_wrong(24, 32, 1000); }},
    {"long", [] { started(30).receive_wrong(40, 32, 1000); }},
    {"short_of_pieces", [] { started(30).receive_wrong(200, 250, 100); }},
    {"goes_on",  // after an error that all ranks raise alike
     [] {
       const job j = started(30);
       try {
         j.run([](index_t) { throw error("enough"); });
       } catch (const error& e) {
         if (j.on().is_root()) std::cout << e.what() << '\n';
       }
       check_bits({});
     }},
    {"of_the_user",  // a communicator of some ranks, before the user's finalize
     [] {
       const mpi_user& mpi = users_mpi();
       mpi.initialise(1);
       const void* const comm = mpi.split(0, 2);
       if (comm != nullptr) {
         check_bits({.comm = comm});
         const grid<2> g(cells, {.comm = comm}), same(cells, {.comm = comm});
         expect(g.on() == same.on(), "one transport for a communicator");
         if (g.is_root()) std::cout << g.on().count() << " ranks of the user's\n";
       }
       check_bits({});
       mpi.finalise();
     }},
    {"user_finalises",  // while others wait
     [] {
       const mpi_user& mpi = users_mpi();
       mpi.initialise(1);
       const job j = started(30);
       if (j.is_last()) mpi.finalise();
       (void)max(j.T);
     }},
    {"used_after",
     [] {
       const mpi_user& mpi = users_mpi();
       mpi.initialise(1);
       const job j = started(30);
       mpi.finalise();
       (void)max(j.T);
     }},
    {"user_returns",  // without MPI_Finalize
     [] {
       const mpi_user& mpi = users_mpi();
       mpi.initialise(1);
       const job j = started(30);
       if (j.is_last()) throw error(failure::non_finite, "no more");
       (void)max(j.T);
     }},
    {"no_threads",
     [] {
       const mpi_user& mpi = users_mpi();
       mpi.initialise(0);
       grid<2> g(cells);
     }},
    {"finalised",
     [] {
       const mpi_user& mpi = users_mpi();
       mpi.initialise(1);
       mpi.finalise();
       grid<2> g(cells);
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const auto mode = modes.find(argc > 1 ? argv[1] : "");
  if (mode == modes.end()) {
    std::cerr << "mpi_program: there is no such mode\n";
    return 2;
  }
  if (argc > 2 && std::string(argv[2]) == "uncaught") {
    mode->second();
    return 0;
  }
  try {
    mode->second();
  } catch (const error& e) {
    std::cerr << std::string(e.what()) + "\n";
    return e.exit_status();
  }
  return 0;
}
