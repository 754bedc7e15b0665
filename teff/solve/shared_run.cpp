// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/solve/shared_run.hpp>

namespace teff::solve {

namespace {

enum class call_kind { make, advance, read, write, end };

/// What the root does next, and what with.
struct call {
  call_kind kind = call_kind::end;
  std::size_t field = 0;
  index_t steps = 0, first_step = 0, check_every = 0;
  double tolerance = 0;
  teff::schedule schedule = teff::schedule::automatic;
  int depth = 0;

  iterate_options options() const {
    return {.steps = steps,
            .schedule = schedule,
            .depth = depth,
            .first_step = first_step,
            .check_every = check_every,
            .tolerance = tolerance};
  }
};

constexpr const char* what_is_next = "the next call of a solver";

/// The root's; what others give is not looked at.
call call_of_root(const ranks& on, const call& mine) {
  return runtime::gathered(on, what_is_next, mine).front();
}

/// A setup as a state without fields, which is read as it was written, to the bit.
std::string text_of(const spec& what, const setup& s) {
  io::checkpoint state{what.name, s.type, s.shape, {}, {}, s.dt, 0, {}};
  for (const solver_number& n : s.numbers) state.numbers.push_back({n.name, n.value});
  state.settings = {{"takes_unstable", s.takes_unstable ? 1.0 : 0.0}};
  return io::checkpoint_bytes(state);
}

std::string text_of_root(const ranks& on, const std::string& mine) {
  const auto all = on.through().all_gather("the setup of a solver", mine.data(), mine.size());
  const std::vector<std::byte>& text = all->front();
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

/// On every rank, or on none.
std::unique_ptr<solver_run> made(const ranks& on, const spec& what, const setup& s) {
  std::unique_ptr<solver_run> run;
  runtime::agreed(on, "making a solver", [&] { run = what.make(s); });
  return run;
}

/// The root's end: it says what it does before it does it.
class run_of_root final : public solver_run {
 public:
  run_of_root(const ranks& on, std::unique_ptr<solver_run> part) : on_(on), part_(std::move(part)) {
    fields_ = part_->fields();
  }
  made_steps advance(const iterate_options& options) override {
    call_of_root(on_, {.kind = call_kind::advance,
                       .steps = options.steps,
                       .first_step = options.first_step,
                       .check_every = options.check_every,
                       .tolerance = options.tolerance,
                       .schedule = options.schedule,
                       .depth = options.depth});
    return part_->advance(options);
  }
  double dt() const override { return part_->dt(); }
  void read(std::size_t field, void* to) const override {
    call_of_root(on_, {.kind = call_kind::read, .field = field});
    part_->read(field, to);
  }
  void write(std::size_t field, const void* from) override {
    call_of_root(on_, {.kind = call_kind::write, .field = field});
    part_->write(field, from);
  }

 private:
  ranks on_;
  std::unique_ptr<solver_run> part_;
};

setup setup_from(const io::checkpoint& state, const spec& what, const ranks& on) {
  setup s{.dev = on.dev().value_or(default_device()),
          .type = state.type,
          .shape = state.shape,
          .numbers = what.numbers};
  for (std::size_t i = 0; i < s.numbers.size(); ++i) s.numbers[i].value = state.numbers[i].value;
  s.dt = state.dt;
  s.takes_unstable = state.settings.front().value != 0;
  s.on = on;
  return s;
}

}  // namespace

other_ranks::other_ranks(const ranks& on) : on_(on) {
  on_.through().limit_waiting(longest_wait_s);
}

other_ranks::~other_ranks() {
  try {
    call_of_root(on_, {.kind = call_kind::end});
  } catch (const std::exception&) {  // they have ended before
  }
}

std::unique_ptr<solver_run> other_ranks::make(const spec& what, const setup& s) {
  if (!what.is_for_ranks)
    throw error(failure::usage, what.name + " runs on one rank, not on " +
                                    std::to_string(on_.count()) +
                                    " that share its grid (docs/solve.md)");
  setup shared = s;
  shared.on = on_;
  call_of_root(on_, {.kind = call_kind::make});
  text_of_root(on_, text_of(what, s));
  return std::make_unique<run_of_root>(on_, made(on_, what, shared));
}

void follow_root(const ranks& on, const spec_finder& find) {
  on.through().limit_waiting(longest_wait_s);
  std::unique_ptr<solver_run> run;
  for (;;) {
    const call next = call_of_root(on, {});
    if (next.kind == call_kind::end) return;
    try {
      switch (next.kind) {
        case call_kind::make: {
          const io::checkpoint state = io::checkpoint_from(text_of_root(on, ""), "a setup");
          const spec& what = find(state.solver);
          run = made(on, what, setup_from(state, what, on));
          break;
        }
        case call_kind::advance:
          (void)run->advance(next.options());
          break;
        case call_kind::read:
          run->read(next.field, nullptr);
          break;
        case call_kind::write:
          run->write(next.field, nullptr);
          break;
        case call_kind::end:
          break;
      }
    } catch (const error&) {  // the root throws, too, and says it
    }
  }
}

}  // namespace teff::solve
