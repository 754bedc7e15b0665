// SPDX-License-Identifier: MIT
#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "../message.hpp"
#include "shared_cells.hpp"
#include "smoothing.hpp"

using namespace teff;
using namespace teff::test;
using teff::fd2::inn;

TEST_CASE("iterate: the result is in the field itself, whose storage and views stay") {
  for (const device dev : test_devices())
    for (const index_t steps : {0, 1, 2, 3, 4, 7}) {
      array<f64, 2> T = random<f64>(dev, {40, 30}, 3), expected = T;
      const f64* memory = T.data();
      const auto corner = T(range(0, 3), range(0, 3));
      for (index_t s = 0; s < steps; ++s) {
        const array<f64, 2> old = expected;
        inn(expected) = inn(old) + 0.1 * (fd2::d2_xi(old) + fd2::d2_yi(old));
      }
      array<f64, 2> deep = T;
      iterate(smoothing(), by(schedule::stepwise, steps), T);
      iterate(smoothing(), by(schedule::temporal, steps, 3), deep);
      CHECK(T.data() == memory);
      CHECK(difference(to_host(T), to_host(expected)) == "");
      CHECK(difference(to_host(deep), to_host(expected)) == "");
      CHECK(difference(to_host(corner), to_host(expected(range(0, 3), range(0, 3)))) == "");
    }
}

TEST_CASE("iterate: what a run reports") {
  for (const device dev : test_devices()) {
    array<f64, 2> T = random<f64>(dev, {64, 48}, 3);
    const double array_bytes = 64 * 48 * 8;
    const auto stepwise = iterate(smoothing(), by(schedule::stepwise, 7), T);
    CHECK(stepwise.steps() == 7);
    CHECK(stepwise.schedule() == schedule::stepwise);
    CHECK(stepwise.depth() == 1);
    CHECK(stepwise.reason() == "asked for");
    CHECK(stepwise.passes() == 7);
    CHECK(stepwise.per_step().a_eff_bytes() == 2 * array_bytes);
    CHECK(stepwise.scratch_bytes() == array_bytes);
    CHECK(stepwise.time_s() > 0);
    CHECK(contains(text_of(stepwise), "7 steps of 64x48 f64, "));
    CHECK(contains(text_of(stepwise), "(1 step per pass"));

    const auto temporal = iterate(smoothing(), by(schedule::temporal, 7, 3), T);
    CHECK(temporal.schedule() == schedule::temporal);
    CHECK(temporal.depth() == 3);
    CHECK(temporal.passes() == 3);
    CHECK(contains(text_of(temporal), "(3 steps per pass"));

    const auto none = iterate(smoothing(), 0, T);
    CHECK(none.steps() == 0);
    CHECK(none.passes() == 0);
    CHECK(text_of(none) == "0 steps of 64x48 f64");
    const auto chosen = iterate(smoothing(), 50, T);
    CHECK(chosen.steps() == 50);
    CHECK(contains(chosen.reason(), "model: "));
  }
}

TEST_CASE("iterate: known fields count once, and stay as they are") {
  const auto step = timestep([](auto T, auto C, auto unused) {
    (void)unused;
    return update(inn(T), inn(T) + inn(C) * fd2::d2_xi(T));
  });
  for (const device dev : test_devices()) {
    array<f32, 2> T = random<f32>(dev, {33, 21}, 1), C = random<f32>(dev, {33, 21}, 2), D = C;
    const auto before = to_host(C);
    const auto report = iterate(step, by(schedule::temporal, 5, 2), T, C, D);
    CHECK(difference(to_host(C), before) == "");
    // T read and written, C read; the third is given and not read.
    CHECK(report.per_step().a_eff_bytes() == 3 * 33 * 21 * 4);
    CHECK(report.per_step().cells == 33 * 21);
  }
}

TEST_CASE("iterate: an array that the formula captures counts, once, and must not evolve") {
  for (const device dev : test_devices()) {
    array<f64, 2> T(dev, {33, 21}, "T"), K = random<f64>(dev, {33, 21}, 2);
    T = random<f64>(dev, {33, 21}, 1);
    const auto known =
        timestep([&K](auto u) { return update(inn(u), inn(u) + inn(K) * fd2::d2_xi(u)); });
    const double inner = 31 * 19 * 8, whole_T = 33 * 21 * 8;
    CHECK(iterate(known, 2, T).per_step().a_eff_bytes() == 2 * whole_T + inner);
    const auto twice = timestep(
        [&K](auto u, auto a, auto b) { return update(inn(u), inn(u) + inn(a) + inn(b) + inn(K)); });
    CHECK(iterate(twice, 1, T, K, K).per_step().a_eff_bytes() == 3 * whole_T);
    const auto own =
        timestep([&T](auto u) { return update(inn(u), inn(T) + 0.1 * fd2::d2_xi(u)); });
    CHECK(message_of([&] { iterate(own, 2, T); }) ==
          "iterate: the formula captures array 'T' of 31x19 f64, which shares memory with field 0, "
          "array 'T' of 33x21 f64, that evolves; read it through the formula's own parameter");
    CHECK(kind_of([&] { iterate(own, 2, T); }) == failure::usage);
    iterate(own, 2, K);  // of another field it is known
  }
}

TEST_CASE("iterate: fields that are used on streams of their own") {
  const auto step = timestep([](auto P, auto q) {
    return stages(update(q, 0.5 * q + P),
                  update(inn(P), inn(P) + 0.1 * fd2::d2_xi(P) + 0.01 * inn(q)));
  });
  for (const device dev : test_devices())
    for (const schedule way : {schedule::stepwise, schedule::temporal, schedule::resident})
      for (int round = 0; round < (dev.is_cpu() ? 1 : 8); ++round) {  // a race may hide
        const index_t n = way == schedule::resident || dev.is_cpu() ? 300 : 2000;
        const array<f64, 2> start = random<f64>(dev, {n, n}, 3);
        array<f64, 2> P(stream::create(dev), {n, n}), q(stream::create(dev), {n, n});
        array<f64, 2> P1(dev, {n, n}), q1(dev, {n, n});
        const iterate_options options{
            .steps = 7, .schedule = way, .depth = 3, .check_every = 3, .on_step = {2, [](index_t) {
                                                                                   }}};
        P = start;  // on their own streams, and read there again
        q = 2 * start;
        iterate(step, options, P, q);
        const auto got_q = to_host(q), got_P = to_host(P);
        P1 = start;
        q1 = 2 * start;
        iterate(step, {.steps = 7, .schedule = schedule::stepwise}, P1, q1);
        CHECK(difference(got_P, to_host(P1)) == "");
        CHECK(difference(got_q, to_host(q1)) == "");
      }
}

TEST_CASE("iterate: the evolving field need not be the first") {
  const auto step =
      timestep([](auto C, auto T) { return update(inn(T), 0.5 * (inn(T) + inn(C))); });
  for (const device dev : test_devices())
    for (const schedule s : {schedule::stepwise, schedule::temporal}) {
      array<f64, 2> C = full(dev, {5, 5}, 8.0), T = zeros<f64>(dev, {5, 5});
      iterate(step, by(s, 3, 2), C, T);
      CHECK(static_cast<f64>(T(2, 2)) == 7);
      CHECK(static_cast<f64>(T(0, 2)) == 0);
      CHECK(static_cast<f64>(C(2, 2)) == 8);
    }
}

TEST_CASE("iterate: a parameter may change between runs of one formula") {
  const auto dt = param(0.5);
  const auto step = timestep([=](auto T) { return update(T, T + dt); });
  for (const device dev : test_devices())
    for (const schedule s : {schedule::stepwise, schedule::temporal}) {
      array<f64, 2> T = zeros<f64>(dev, {6, 4});
      dt = 0.5;
      iterate(step, by(s, 4, 3), T);
      CHECK(static_cast<f64>(T(5, 3)) == 2);
      dt = -1.0;
      iterate(step, by(s, 2, 3), T);
      CHECK(static_cast<f64>(T(5, 3)) == 0);
    }
}

TEST_CASE("iterate: strided fields give the same values (generated)") {
  generator g("strided fields");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(40); ++round) {
      const index_t nx = g.between(2, 30), ny = g.between(2, 20), steps = g.between(0, 5);
      array<f64, 2> T = random<f64>(dev, {nx, ny}, g.next());
      array<f64, 2> wide = full(dev, {2 * nx + 1, ny}, -7.0), turned(dev, {ny, nx});
      const auto strided = wide(range(1, 2 * nx + 1, 2), whole);
      const auto across = transposed(turned);
      strided = T;
      across = T;
      iterate(smoothing(), by(schedule::stepwise, steps), T);
      iterate(smoothing(), by(schedule::temporal, steps, 2), strided);
      iterate(smoothing(), steps, across);
      CHECK(difference(to_host(strided), to_host(T)) == "");
      CHECK(difference(to_host(across), to_host(T)) == "");
      array<f64, 2> between(dev, {nx + 1, ny});
      between = wide(range(0, 2 * nx + 1, 2), whole);
      CHECK(difference(to_host(between),
                       std::vector<f64>(static_cast<std::size_t>((nx + 1) * ny), -7)) == "");
      g.count();
    }
}

TEST_CASE("iterate: neighbours two and four cells away") {
  generator g("far neighbours");
  const auto star = timestep([](auto u, auto c) {
    const auto a = around<2>(u);
    const auto k = around<2>(c);
    return update(a(), 0.5 * a() + k() * (at<2, 0>(a) + at<0, -2>(a) - at<-1, 0>(a)));
  });
  const auto box = timestep([](auto u, auto c) {
    const auto a = around<2>(u);
    const auto k = around<2>(c);
    return update(
        a(), 0.5 * a() + 0.1 * (at<2, 2>(a) + at<-2, 1>(a) + at<1, -2>(k)) + 0.001 * step_index);
  });
  const auto far = timestep([](auto u, auto c) {
    const auto a = around<4>(u);
    return update(a(), 0.5 * a() + 0.25 * (at<4, 0>(a) - at<0, -4>(a)) + 0 * around<4>(c)());
  });
  const auto check = [&](const auto& step, device dev) {
    const index_t nx = g.between(8, 150), ny = g.between(8, 40), steps = g.between(0, 9);
    array<f64, 2> T = random<f64>(dev, {nx, ny}, g.next()), U = T;
    const array<f64, 2> C = random<f64>(dev, {nx, ny}, g.next());
    const auto first = g.between(0, 3);
    iterate(step, {.steps = steps, .schedule = schedule::stepwise, .first_step = first}, T, C);
    const auto r = iterate(step,
                           {.steps = steps,
                            .schedule = schedule::temporal,
                            .depth = static_cast<int>(g.between(1, 4)),
                            .first_step = first},
                           U, C);
    CHECK(difference(to_host(U), to_host(T)) == "");
    CHECK(r.schedule() == schedule::temporal);
    g.count();
  };
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(20); ++round) {
      check(star, dev);
      check(box, dev);
      check(far, dev);
    }
}

TEST_CASE("iterate: one and three dims, against loops (generated)") {
  generator g("time steps of one and three dims");
  const auto rod =
      timestep([](auto u) { return update(fd1::inn(u), fd1::inn(u) + 0.2 * fd1::d2(u)); });
  const auto block = timestep([](auto u, auto c) {
    return update(fd3::inn(u),
                  fd3::inn(u) + fd3::inn(c) * (fd3::d2_xi(u) + fd3::d2_yi(u) + fd3::d2_zi(u)));
  });
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(40); ++round) {
      const index_t nx = g.between(2, 60), ny = g.between(2, 24), nz = g.between(2, 12);
      const index_t steps = g.between(0, 7);
      const auto way = by(g.chance(70) ? schedule::temporal : schedule::stepwise, steps,
                          static_cast<int>(g.between(1, 4)));
      array<f64, 1> u = random<f64>(dev, {nx}, g.next());
      array<f64, 3> v = random<f64>(dev, {nx, ny, nz}, g.next());
      const array<f64, 3> own = random<f64>(dev, {nx, ny, nz}, g.next());
      const array_ref<f64, 3> c =
          g.chance(30) ? with_shared_cells(own, g) : own(whole, whole, whole);
      auto a = to_host(u), b = to_host(v);
      const auto k = to_host(c);
      for (index_t s = 0; s < steps; ++s) {
        const auto p = a, q = b;
        const auto sx = std::size_t{1}, sy = static_cast<std::size_t>(nx),
                   sz = static_cast<std::size_t>(nx * ny);
        const auto second = [](const std::vector<f64>& w, std::size_t i, std::size_t d) {
          return (w[i + d] - w[i]) - (w[i] - w[i - d]);
        };
        for (index_t i = 1; i < nx - 1; ++i) {
          const auto m = static_cast<std::size_t>(i);
          a[m] = std::fma(0.2, second(p, m, 1), p[m]);
        }
        for (index_t z = 1; z < nz - 1; ++z)
          for (index_t y = 1; y < ny - 1; ++y)
            for (index_t i = 1; i < nx - 1; ++i) {
              const auto m = static_cast<std::size_t>(i + nx * (y + ny * z));
              b[m] = std::fma(k[m], second(q, m, sx) + second(q, m, sy) + second(q, m, sz), q[m]);
            }
      }
      const auto one = iterate(rod, way, u);
      const auto three = iterate(block, way, v, c);
      if (dev.is_cpu()) {
        CHECK(one.schedule() == way.schedule);
        CHECK(three.schedule() == way.schedule);
      } else if (way.schedule == schedule::temporal) {
        CHECK(contains(one.reason(), "on a GPU temporal works in 2-D and 3-D, the fields are 1-D"));
        CHECK(three.schedule() == way.schedule);
      }
      CHECK(difference(to_host(u), a) == "");
      CHECK(difference(to_host(v), b) == "");
      g.count();
    }
}

TEST_CASE("iterate: extents of the size of nothing") {
  for (const device dev : test_devices()) {
    array<f64, 2> none = zeros<f64>(dev, {0, 4}), frame = full(dev, {2, 7}, 3.0),
                  line = full(dev, {5, 1}, 2.0);
    const auto whole_field = timestep([](auto T) { return update(T, T + 1); });
    for (const schedule s : {schedule::stepwise, schedule::temporal}) {
      CHECK(iterate(whole_field, by(s, 3, 2), none).passes() == 0);
      iterate(smoothing(), by(s, 3, 2), frame);
      CHECK(difference(to_host(frame), std::vector<f64>(14, 3.0)) == "");
      CHECK(
          contains(message_of([&] { iterate(smoothing(), by(s, 3, 2), line); }), "too few cells"));
    }
  }
}

TEST_CASE("formulas: the generator writes what is committed") {
  const std::string here = __FILE__;
  const std::string script = here.substr(0, here.rfind('/') + 1) + "write_formulas.py";
  // The tests' binary may run where the sources are not.
  const std::string command = "test ! -e '" + script + "' || python3 '" + script + "' --check";
  CHECK(std::system(command.c_str()) == 0);
}

TEST_CASE("iterate: a lambda takes its fields by value or by reference") {
  const auto by_value = timestep([](auto t) { return update(t, t + 1); }).formula<array<f64, 2>>();
  const auto by_reference =
      timestep([](auto& t) { return update(t, t + 1); }).formula<array<f64, 2>>();
  const auto by_any = timestep([](auto&& t) { return update(t, t + 1); }).formula<array<f64, 2>>();
  CHECK(std::is_same_v<decltype(by_value), decltype(by_reference)>);
  CHECK(std::is_same_v<decltype(by_value), decltype(by_any)>);
}
