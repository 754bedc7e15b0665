// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/grid/exchange_timers.hpp>
#include <teff/grid/grid_stepper.hpp>
#include <teff/grid/halo_exchange.hpp>
#include <teff/grid/other_end.hpp>
#include <teff/stencil/step_traffic.hpp>

namespace teff::runtime {

namespace {

template <class T>
std::vector<T> picked(const std::vector<T>& all, const std::vector<int>& which) {
  std::vector<T> some;
  for (const int one : which) some.push_back(all[static_cast<std::size_t>(one)]);
  return some;
}

std::vector<std::string> names_of(const step_on_grid& step) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < step.labels.size(); ++f)
    names.push_back("field " + std::to_string(f) +
                    (step.labels[f].empty() ? "" : ", '" + step.labels[f] + "'"));
  return names;
}

/// Seconds of the host while it lives.
class adds_time {
 public:
  explicit adds_time(double& sum) : sum_(sum) {}
  ~adds_time() { sum_ += std::chrono::duration<double>(clock::now() - begin_).count(); }
  adds_time(const adds_time&) = delete;
  adds_time& operator=(const adds_time&) = delete;

 private:
  using clock = std::chrono::steady_clock;
  double& sum_;
  clock::time_point begin_ = clock::now();
};

}  // namespace

/// What is exchanged, and by what.
struct grid_stepper::exchanges {
  exchanges(const stream& steps, const stream& on, std::shared_ptr<packer> copies)
      : messages(on), by(std::move(copies)), timers(steps, on) {}

  stream messages;
  std::shared_ptr<packer> by;
  std::vector<int> evolving;            // fields that last
  std::vector<int> all_sent, sent;      // all and those, where no caller exchanges them
  std::vector<int> all_called, called;  // where one does
  std::optional<halo_exchange> of_all, of_state;
  std::optional<cells_of_other_end> other_end;
  exchange_timers timers;
  std::optional<sides_first> sides;  // of the last pass before an exchange
};

grid_stepper::grid_stepper(const grid_state& grid, const grid_plan& plan, const step_on_grid& step,
                           field_stepper& part, const stream& messages, std::shared_ptr<packer> by)
    : grid_(grid),
      plan_(plan),
      step_(step),
      part_(part),
      with_(std::make_shared<exchanges>(part.leading().on, messages, std::move(by))) {
  const int given = static_cast<int>(step.described.size());
  for (int f = 0; f < given; ++f) {
    const auto& callers = step.callers[static_cast<std::size_t>(f)];
    const bool is_called = callers && callers->exchange;
    (is_called ? with_->all_called : with_->all_sent).push_back(f);
    if (!table().evolves(f)) continue;
    with_->evolving.push_back(f);
    (is_called ? with_->called : with_->sent).push_back(f);
  }
  transport& through = grid.on.through();
  const std::vector<std::string> names = names_of(step);
  with_->of_all.emplace(through, grid.cells, plan.parts, picked(plan.fields, with_->all_sent),
                        picked(names, with_->all_sent), with_->messages, *with_->by);
  with_->of_state.emplace(through, grid.cells, plan.parts, picked(plan.fields, with_->sent),
                          picked(names, with_->sent), with_->messages, *with_->by);
  with_->sides = sides_of_periods();
  if (std::any_of(std::begin(plan.is_periodic), std::end(plan.is_periodic),
                  [](bool is) { return is; }))
    with_->other_end.emplace(grid, step);
}

traffic grid_stepper::per_step() const {
  std::vector<bound_field> whole = fields();
  for (std::size_t f = 0; f < whole.size(); ++f) {
    region& cells = whole[f].cells;
    // An address that no memory has, another one for each field, so that nothing is counted once.
    cells.first = reinterpret_cast<const void*>((64 + f) << 56);
    index_t stride = cells.cell_bytes;
    for (int d = 0; d < table().rank; ++d) {
      cells.count[d] = grid_.cells.extent(step_.more[f], d);
      cells.stride_bytes[d] = stride;
      stride *= cells.count[d];
    }
  }
  return traffic_of_step(table(), whole, {});
}

double grid_stepper::scratch_bytes(const step_plan& plan) const {
  double bytes = part_.scratch_bytes(plan);
  for (std::size_t f = 0; f < step_.described.size(); ++f) {
    const grid_box own = grid_.cells.own(on().rank(), step_.more[f]);
    const region& held = fields()[f].cells;
    bytes += static_cast<double>((held.cells() - own.cells()) * held.cell_bytes);
  }
  return bytes;
}

grid_box grid_stepper::own_in_part(const stagger& more) const {
  grid_box box = grid_.cells.own(on().rank(), more);
  for (int d = 0; d < grid_.cells.dims(); ++d) {
    box.of[d].begin -= part().box.of[d].begin;
    box.of[d].end -= part().box.of[d].begin;
  }
  return box;
}

// ---- exchanged

std::vector<held_cells> grid_stepper::held(const std::vector<int>& fields, bool is_next) const {
  std::vector<held_cells> all;
  for (const int f : fields) {
    held_cells& one = all.emplace_back();
    one.cells = is_next ? part_.upcoming(f) : part_.current(f);
    for (int d = 0; d < grid_.cells.dims(); ++d) one.first[d] = part().box.of[d].begin;
  }
  return all;
}

exchange_seconds grid_stepper::timed_exchanges() const {
  return with_->timers.sum();
}

std::string grid_stepper::place() const {
  return "period " + std::to_string(exchanges_) + ", before step " + std::to_string(step());
}

void grid_stepper::exchange(bool is_of_all) const {
  const adds_time all_of_it(exchange_s_);
  is_alone_ = true;
  ++exchanges_;
  const std::vector<int>& called = is_of_all ? with_->all_called : with_->called;
  if (!called.empty()) {  // a caller looks into its own blocks
    part_.finish();
    leading().on.synchronize();
  }
  for (const int f : called) step_.callers[static_cast<std::size_t>(f)]->exchange();
  with_->messages.wait_for(leading().on);
  with_->timers.begin();
  (is_of_all ? with_->of_all : with_->of_state)
      ->run(held(is_of_all ? with_->all_sent : with_->sent), place());
  with_->timers.end();
  is_alone_ = false;
}

/// What a pass makes first, since others need it; nothing where that is most of it, or is spread
/// over all slabs, or takes longer than messages do, or a caller exchanges. (Halos are no part of
/// the rest: they are received while it is made.)
std::optional<sides_first> grid_stepper::sides_of_periods() {
  const int slab = table().rank == 3 ? 2 : 1;
  if (!with_->called.empty() || slab >= grid_.cells.dims() || !grid_.cells.is_cut(slab)) return {};
  if (!plan_.hides_exchange || shares_planes()) return {};
  index_t slabs = 0;
  for (std::size_t f = 0; f < fields().size(); ++f)
    if (table().evolves(static_cast<int>(f)))
      slabs = std::max(slabs, fields()[f].cells.count[slab]);
  const index_t first = part().box.of[slab].begin;
  const cell_range rest = with_->of_state->untouched(slab, {first, first + slabs});
  if (rest.count() < slabs / 2) return {};
  // Halos come with the next messages.
  const cell_range own = grid_.cells.own(on().rank(), {}).of[slab];
  const index_t low = rest.begin - first, high = rest.end - first,
                end = own.end == part().box.of[slab].end ? slabs : own.end - first;
  return sides_first{{own.begin - first, low}, {high, end}, {low, high}, with_->messages, [this] {
                       send_sides();
                     }};
}

/// Tiles of a GPU's pass overlap, and what they share comes from the cache as long as all go
/// through the same planes: where those of a dozen slabs do not fit, nothing else may run in
/// between, and sides before the rest, a dozen slabs for the few that others need, take longer than
/// an exchange (512^3 on four H100: 614 to 617 us a step; without sides, and with messages that
/// wait for less, 600).
bool grid_stepper::shares_planes() const {
  constexpr index_t lag = 12;  // of a pass, and a few more
  if (table().rank < 3 || dev().is_cpu()) return false;
  double bytes = 0;
  for (const bound_field& field : fields())
    bytes += static_cast<double>(field.cells.bytes()) /
             static_cast<double>(std::max<index_t>(field.cells.count[2], 1));
  return lag * bytes > static_cast<double>(known_device(dev()).cache_bytes) / 2;
}

void grid_stepper::send_sides() {
  const adds_time all_of_it(exchange_s_);
  const std::vector<held_cells> next = held(with_->sent, true);
  with_->timers.begin();
  with_->of_state->send(next);
  is_under_way_ = true;
}

void grid_stepper::receive() const {
  const adds_time all_of_it(exchange_s_);
  ++exchanges_;
  with_->of_state->receive(held(with_->sent), place());
  is_under_way_ = false;
  with_->timers.end();
}

/// @return why the step can not be made, by this rank; ""
std::string grid_stepper::put_aside() {
  std::vector<held_cells> fields = held(with_->all_sent);
  const stream& on = leading().on;
  if (on.dev().is_cpu()) return with_->other_end->put_aside(*with_->of_all, fields, place());
  std::deque<memory_block> copies;  // of own cells, that the host can look at
  std::vector<packed_box> all;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    held_cells& field = fields[i];
    const grid_box own = grid_.cells.own(this->on().rank(), more(with_->all_sent[i]));
    const index_t bytes = own.cells() * field.cells.cell_bytes;
    copies.emplace_back(on, device::cpu_pinned(), static_cast<std::size_t>(bytes), "");
    all.push_back({field, own, static_cast<std::byte*>(copies.back().data())});
    field.cells.first = copies.back().data();
    index_t stride = field.cells.cell_bytes;
    for (int d = 0; d < 3; ++d) {
      field.first[d] = own.of[d].begin;
      field.cells.count[d] = own.of[d].count();
      field.cells.stride_bytes[d] = stride;
      stride *= field.cells.count[d];
    }
  }
  with_->messages.wait_for(on);
  with_->by->pack(all);
  with_->messages.synchronize();
  const host_packer on_host;
  halo_exchange shown(this->on().through(), grid_.cells, plan_.parts, plan_.fields, names_of(step_),
                      stream(device::cpu()), on_host);
  return with_->other_end->put_aside(shown, fields, place());
}

/// @throws error, on all ranks alike
void grid_stepper::exchange_all() {
  if (with_->other_end) {
    const std::string why = put_aside();
    const auto all = on().through().all_gather("iterate", why.data(), why.size());
    for (const std::vector<std::byte>& one : *all)
      if (!one.empty())
        throw error(failure::usage,
                    std::string(reinterpret_cast<const char*>(one.data()), one.size()));
  }
  exchange(true);
  on().through().finish();
}

// ---- advanced

void grid_stepper::start(const step_plan& plan, index_t first_step) {
  if (!has_begun_) {  // it is called again where a plan found no memory on this rank alone
    exchange_all();
    has_begun_ = true;
  }
  part_.start(plan, first_step);
  left_ = 0;
}

void grid_stepper::take_over() {
  exchange_all();
  part_.take_over();
  left_ = 0;
}

double grid_stepper::advance(index_t steps, const step_plan& plan, const sides_first*) {
  double passes = 0;
  while (steps > 0) {
    if (left_ == 0) {
      if (is_under_way_)
        receive();
      else
        exchange(false);
      left_ = plan_.exchange_every;
    }
    const index_t begin = step(), now = std::min(steps, left_);
    const bool is_before_exchange = now == left_ && now < steps && !is_under_way_;
    const auto count = [&] {  // also of those before an error
      left_ -= step() - begin;
      steps -= step() - begin;
    };
    is_alone_ = true;
    try {
      passes +=
          part_.advance(now, plan, is_before_exchange && with_->sides ? &*with_->sides : nullptr);
    } catch (...) {
      count();
      throw;
    }
    is_alone_ = false;
    count();
  }
  on().through().finish();
  return passes;
}

void grid_stepper::finish() {
  part_.finish();
  if (!with_->other_end) return;
  with_->messages.wait_for(leading().on);
  with_->other_end->give_back(held(with_->all_sent), with_->messages, *with_->by);
}

// ---- checked

bool grid_stepper::is_finite() const {
  bool is_mine = true;
  for (const int f : with_->evolving) is_mine = is_mine && !first_non_finite(f);
  const std::vector<int> all = gathered(on(), "a check of iterate", is_mine ? 1 : 0);
  return std::count(all.begin(), all.end(), 0) == 0;
}

void grid_stepper::keep_state() {
  part_.keep_state();
  kept_left_ = left_;
}

void grid_stepper::go_back() {
  part_.go_back();
  left_ = kept_left_;
}

std::string grid_stepper::non_finite_text(bool matters) const {
  struct found {
    index_t number = std::numeric_limits<index_t>::max();
    double value = 0;
  };
  for (const int f : with_->evolving) {
    if (matters && !table().has_history(f)) continue;
    found mine;
    const auto at = static_cast<std::size_t>(f);
    if (const auto cell = first_non_finite(f)) {
      const grid_box own = grid_.cells.own(on().rank(), more(f));
      index_t rest = cell->number, stride = 1;
      mine = {0, cell->value};
      for (int d = 0; d < grid_.cells.dims(); ++d) {
        const index_t n = own.of[d].count();
        mine.number += (own.of[d].begin + rest % n) * stride;
        rest /= n;
        stride *= grid_.cells.extent(more(f), d);
      }
    }
    const std::vector<found> all = gathered(on(), "a check of iterate", mine);
    const found first = *std::min_element(
        all.begin(), all.end(), [](const found& a, const found& b) { return a.number < b.number; });
    if (first.number == found{}.number) continue;
    std::string where;
    index_t rest = first.number;
    for (int d = 0; d < grid_.cells.dims(); ++d) {
      const index_t n = grid_.cells.extent(more(f), d);
      where += (d == 0 ? "" : ", ") + std::to_string(rest % n);
      rest /= n;
    }
    return "field " + std::to_string(f) + ", " + step_.described[at] + ", is " +
           std::to_string(first.value) + " at (" + where + ")";
  }
  return "";
}

double grid_stepper::residual() const {
  if (left_ < plan_.exchange_every) {  // it reads neighbours of own cells
    exchange(false);
    on().through().finish();
    left_ = plan_.exchange_every;
  }
  is_alone_ = true;
  const double of_all = residual_of_all();
  is_alone_ = false;
  return of_all;
}

// ---- compared: kernels of a GPU alone, which no rank has

std::unique_ptr<stepper> grid_stepper::over_part(const index_t (&left_out)[3]) const {
  return part_.over_part(left_out);
}

bool grid_stepper::has_bits_of(const stepper& other) const {
  return part_.has_bits_of(static_cast<const grid_stepper&>(other).part_);
}

}  // namespace teff::runtime
