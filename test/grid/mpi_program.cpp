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
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_reduce.hpp>
#include <teff/grid/iterate.hpp>
#include <teff/grid/transport/mpi_transport.hpp>

#include "mpi_checks.hpp"
#include "mpi_user.h"

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

namespace {

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
