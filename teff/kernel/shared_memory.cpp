// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include <teff/kernel/detail/emulated_block.hpp>
#include <teff/kernel/detail/shared_memory.hpp>

namespace teff::runtime {

namespace {
constexpr std::size_t alignment_of_all = 128;
}

void shared_memory::free_aligned::operator()(std::byte* memory) const {
  std::free(memory);
}

shared_memory::shared_memory(std::size_t bytes, bool check) : bytes_(bytes), check_(check) {
  const std::size_t whole = (bytes + alignment_of_all) / alignment_of_all * alignment_of_all;
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment_of_all, whole)));
  if (memory_ == nullptr) throw std::bad_alloc();
}

void shared_memory::begin() {
  std::memset(memory_.get(), 0xff, bytes_);  // not a number, where nothing is checked
  carved_bytes_ = 0;
  arrays_.clear();
  used_elements_ = 0;
  ++epoch_;
  ++block_;
}

int shared_memory::carve(fiber_thread& by, index_t n, std::size_t element_bytes,
                         std::size_t alignment, site at) {
  const auto number = static_cast<std::size_t>(by.carved++);
  if (n < 0)
    throw_fault(by, "carves a shared array of " + std::to_string(n) + " elements" +
                        runtime::at(at) + "; it takes 0 or more");
  if (number < arrays_.size()) {
    const carved_array& known = arrays_[number];
    if (known.n != n || known.element_bytes != element_bytes)
      throw_fault(by, "carves " + std::to_string(n) + " elements of " +
                          std::to_string(element_bytes) + " bytes" + runtime::at(at) +
                          " where another thread of the block carved " + std::to_string(known.n) +
                          " of " + std::to_string(known.element_bytes) + runtime::at(known.where) +
                          "; all threads carve the same arrays in the same order");
    return static_cast<int>(number);
  }
  const std::size_t offset = (carved_bytes_ + alignment - 1) / alignment * alignment;
  const std::size_t end = offset + static_cast<std::size_t>(n) * element_bytes;
  if (end > bytes_)
    throw_fault(by, "carves " + std::to_string(n) + " elements of " +
                        std::to_string(element_bytes) + " bytes" + runtime::at(at) +
                        " from shared memory, where " + std::to_string(bytes_ - carved_bytes_) +
                        " bytes are left; launch with .shared_bytes = " + std::to_string(end) +
                        " or more");
  carved_bytes_ = end;
  arrays_.push_back({offset, element_bytes, n, at, used_elements_});
  used_elements_ += static_cast<std::size_t>(n);
  // Records of earlier blocks stay: their epochs are over, so they count for nothing.
  if (check_ && elements_.size() < used_elements_) elements_.resize(used_elements_);
  return static_cast<int>(number);
}

void* shared_memory::access(fiber_thread& by, int array, index_t i, int count, shared_use use,
                            const void* written, site at) {
  const carved_array& a = arrays_[static_cast<std::size_t>(array)];
  const std::size_t bytes = static_cast<std::size_t>(count) * a.element_bytes;
  if (count > 1 && i % count != 0)
    throw_fault(by, "element " + std::to_string(i) + runtime::at(at) + " is the first of " +
                        std::to_string(count) + " in one access; begin it at a multiple of " +
                        std::to_string(count));
  if (i < 0 || i + count > a.n)
    throw_fault(
        by, "element " + std::to_string(i < 0 ? i : std::max(i, a.n)) + " of a shared array of " +
                std::to_string(a.n) + " elements, carved" + runtime::at(a.where) +
                ", is out of bounds" + runtime::at(at) + "; " +
                (a.n > 0 ? "indices go from 0 to " + std::to_string(a.n - 1) : "it is empty"));
  if (count > 1 && a.offset % std::min<std::size_t>(bytes, 16) != 0)
    throw_fault(by, "one access of " + std::to_string(bytes) + " bytes" + runtime::at(at) +
                        " in a shared array that begins at byte " + std::to_string(a.offset) +
                        ", carved" + runtime::at(a.where) + "; carve it before the smaller ones");
  const std::size_t offset = a.offset + static_cast<std::size_t>(i) * a.element_bytes;
  if (check_) {
    by.warp->banks.note(by.lane, static_cast<std::uint32_t>(offset),
                        static_cast<std::uint32_t>(bytes));
    const auto* const values = static_cast<const std::byte*>(written);
    for (int v = 0; v < count; ++v) {
      const std::size_t begin = static_cast<std::size_t>(v) * a.element_bytes;
      const bool is_same = values != nullptr && std::memcmp(memory_.get() + offset + begin,
                                                            values + begin, a.element_bytes) == 0;
      check_element(by, array, i + v, use, is_same, at);
    }
  }
  return memory_.get() + offset;
}

void shared_memory::check_element(fiber_thread& by, int array, index_t i, shared_use use,
                                  bool is_same, site at) {
  element& e =
      elements_[arrays_[static_cast<std::size_t>(array)].first + static_cast<std::size_t>(i)];
  if (use != shared_use::write && e.written_in != block_)
    throw_fault(
        by, "reads " + name(array, i) + runtime::at(at) +
                ", which no thread of this block has written; write it first, with blk.sync() "
                "between if another thread does (shared memory begins with whatever was there)");
  check_order(by, array, i, e, use, is_same, at);
  if (use == shared_use::read) note(e.reads, by, at);
  if (use == shared_use::atomic) note(e.atomics, by, at);
  if (use == shared_use::write) {
    note(e.writes, by, at);
    e.written_in = block_;
  }
}

int shared_memory::conflicting_lane(const trace& t, const fiber_thread& by) const {
  if (t.epoch != epoch_) return -1;  // a barrier is between
  if (t.warp == by.warp->index) {
    if (t.warp_epoch != by.warp->epoch) return -1;  // a sync of the warp is between
    return t.lane != by.lane ? t.lane : t.other_lane;
  }
  return t.lane;
}

void shared_memory::check_order(const fiber_thread& by, int array, index_t i, const element& e,
                                shared_use use, bool is_same, site at) const {
  const auto check = [&](const trace& t, const char* did) {
    const int lane = conflicting_lane(t, by);
    if (lane >= 0) throw_race(by, array, i, use, at, t, lane, did);
  };
  if (is_same) {
    if (conflicting_lane(e.writes[0], by) >= 0 || conflicting_lane(e.writes[1], by) >= 0) {
      auto& noted = by.owner->scheduler->report.same_value_writes;
      if (noted.count++ == 0) noted.first = at;
    }
  } else {
    for (const trace& t : e.writes) check(t, "wrote");
  }
  if (use != shared_use::atomic)
    for (const trace& t : e.atomics) check(t, "changed atomically");
  if (use != shared_use::read)
    for (const trace& t : e.reads) check(t, "read");
}

void shared_memory::note(traces& of, const fiber_thread& by, site at) const {
  for (trace& t : of)
    if (t.epoch == epoch_ && t.warp == by.warp->index) return note(t, by, at);
  for (trace& t : of)
    if (t.epoch != epoch_) return note(t, by, at);
  // Two other warps are recorded already.
}

void shared_memory::note(trace& of, const fiber_thread& by, site at) const {
  const bool same =
      of.epoch == epoch_ && of.warp == by.warp->index && of.warp_epoch == by.warp->epoch;
  const auto lane = static_cast<std::int8_t>(by.lane);
  const std::int8_t other = !same ? std::int8_t{-1} : of.lane != lane ? of.lane : of.other_lane;
  of = {epoch_,  by.warp->epoch, static_cast<std::uint16_t>(by.warp->index), lane, other,
        at.line, at.file};
}

void shared_memory::throw_race(const fiber_thread& by, int array, index_t i, shared_use use,
                               site at, const trace& other, int other_lane, const char* did) const {
  const char* does = use == shared_use::read    ? "reads "
                     : use == shared_use::write ? "writes "
                                                : "changes atomically ";
  const auto number = std::size_t{other.warp} * warp_lanes + static_cast<std::size_t>(other_lane);
  const site there{other.file, other.line};
  throw_fault(by, "race: " + std::string(does) + name(array, i) + runtime::at(at) + ", which " +
                      thread_name(by.owner->threads[number]) + " " + did + runtime::at(there) +
                      " with no barrier between; put blk.sync() between the two" +
                      (other.warp == by.warp->index ? " (or warp().sync(): both are of one warp; "
                                                      "shuffles order nothing)"
                                                    : ""));
}

std::string shared_memory::name(int array, index_t i) const {
  return "element " + std::to_string(i) + " of the shared array carved" +
         runtime::at(arrays_[static_cast<std::size_t>(array)].where) + ",";
}

}  // namespace teff::runtime
