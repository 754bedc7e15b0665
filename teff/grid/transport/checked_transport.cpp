// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/grid/transport/checked_transport.hpp>

namespace teff::runtime {

namespace {

/// Any changed bit changes it: each step can be undone.
std::uint64_t sum_of(const std::byte* bytes, std::size_t count) {
  std::uint64_t sum = count;
  for (std::size_t at = 0; at < count; at += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min(sizeof word, count - at));
    sum =
        (sum ^ word) * 0x9e3779b97f4a7c15U;  // an odd number: a multiplication that has an inverse
    sum ^= sum >> 32;
  }
  return sum;
}

}  // namespace

void checked_transport::post(const std::vector<message>& sends,
                             const std::vector<message>& receives) {
  std::vector<message> with_header, room;
  for (const message& one : sends) {
    header front{sent_to_[one.rank]++, one.bytes, sum_of(one.data, one.bytes), 0};
    front.sum_of_header =
        sum_of(reinterpret_cast<const std::byte*>(&front), offsetof(header, sum_of_header));
    std::vector<std::byte>& buffer = sent_.emplace_back(sizeof front + one.bytes);
    std::memcpy(buffer.data(), &front, sizeof front);
    if (one.bytes > 0) std::memcpy(buffer.data() + sizeof front, one.data, one.bytes);
    with_header.push_back({one.rank, buffer.data(), buffer.size(), one.what});
  }
  for (const message& one : receives) {
    received& to = received_.emplace_back(received{one, {}});
    to.buffer.resize(sizeof(header) + one.bytes);
    room.push_back({one.rank, to.buffer.data(), to.buffer.size(), one.what});
  }
  through_->post(with_header, room);
}

void checked_transport::wait(const std::string& place) {
  try {
    through_->wait(place);
    for (const received& one : received_) check(one, place);
  } catch (...) {
    sent_.clear();
    received_.clear();
    throw;
  }
  sent_.clear();
  received_.clear();
}

void checked_transport::check(const received& one, const std::string& place) {
  header front{};
  std::memcpy(&front, one.buffer.data(), sizeof front);
  const std::byte* const data = one.buffer.data() + sizeof front;
  const std::uint64_t number = received_from_[one.asked.rank]++;
  const std::string whose =
      "grid: rank " + std::to_string(rank()) + " got from rank " + std::to_string(one.asked.rank);
  std::string why;
  if (front.sum_of_header != sum_of(one.buffer.data(), offsetof(header, sum_of_header)) ||
      front.bytes != one.asked.bytes || front.sum != sum_of(data, one.asked.bytes))
    why = whose + " a message that was damaged on the way";
  else if (front.number != number)
    why = whose + " its message " + std::to_string(front.number) + " in place of message " +
          std::to_string(number) + ", which was lost on the way";
  if (!why.empty()) {
    const error what(why + ": " + *one.asked.what + ", " + place);
    through_->abort(std::make_exception_ptr(what));
    throw error(what);
  }
  if (one.asked.bytes > 0) std::memcpy(one.asked.data, data, one.asked.bytes);
}

std::shared_ptr<transport> checked_if_asked(std::shared_ptr<transport> through) {
  const char* const asked = std::getenv("TEFF_CHECK_MESSAGES");
  if (asked == nullptr || std::string(asked) != "1") return through;
  return std::make_shared<checked_transport>(std::move(through));
}

}  // namespace teff::runtime
