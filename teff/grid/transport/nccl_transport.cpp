// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/base/memory.hpp>
#include <teff/grid/transport/nccl_transport.hpp>
#include <teff/grid/transport/pause.hpp>

namespace teff::runtime {

namespace {

/// @returns whether it became so in that time
template <class Done>
bool becomes(double seconds, const Done& is_done) {
  const auto end = waiting_clock::now() + from_seconds(seconds);
  for (pause between; !is_done(); between.take())
    if (waiting_clock::now() > end) return false;
  return true;
}

/// Blocks that a kernel of NCCL's has at most: those that compute have the other multiprocessors.
constexpr int most_nccl_blocks = 4;
/// All pairs of so many ranks are connected at once; of more those that are neighbours in a ring.
constexpr int most_ranks_in_pairs = 16;
constexpr std::size_t bytes_to_connect = 64;
/// How long NCCL may take to find all ranks, to connect them, and to end.
constexpr double longest_begin_s = 60, longest_end_s = 2;

constexpr char between_words = '\n';

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

nccl_candidate candidate_of(const std::string& words) {
  const auto first = words.find(between_words), second = words.find(between_words, first + 1);
  return {words.substr(0, first), words.substr(first + 1, second - first - 1),
          words.substr(second + 1)};
}

/// Ranks that this one has a connection to from the beginning.
std::vector<int> connected(int rank, int ranks) {
  std::vector<int> others;
  for (int other = 0; other < ranks; ++other)
    if (other != rank && (ranks <= most_ranks_in_pairs || other == (rank + 1) % ranks ||
                          rank == (other + 1) % ranks))
      others.push_back(other);
  return others;
}

}  // namespace

std::string why_no_nccl(const std::vector<nccl_candidate>& by_rank) {
  const auto rank_text = [](std::size_t rank) { return "rank " + std::to_string(rank); };
  for (std::size_t r = 0; r < by_rank.size(); ++r)
    if (!by_rank[r].why_not.empty()) return rank_text(r) + ": " + by_rank[r].why_not;
  for (std::size_t r = 0; r < by_rank.size(); ++r)
    for (std::size_t before = 0; before < r; ++before)
      if (by_rank[before].gpu == by_rank[r].gpu)
        return "ranks " + std::to_string(before) + " and " + std::to_string(r) + " share " +
               by_rank[r].gpu;
  for (std::size_t r = 1; r < by_rank.size(); ++r)
    if (by_rank[r].version != by_rank[0].version)
      return "rank 0 has NCCL " + by_rank[0].version + ", " + rank_text(r) + " " +
             by_rank[r].version;
  return "";
}

// ---- begun, on all ranks or on none

nccl_transport::nccl_transport(std::shared_ptr<transport> over, const nccl_rank& mine)
    : over_(std::move(over)),
      nccl_(mine.nccl.library),
      messages_(mine.dev.is_cpu() ? stream(mine.dev) : stream::create_urgent(mine.dev)) {
  const std::string words =
      mine.gpu + between_words + nccl_.version_text() + between_words + mine.nccl.why_not;
  std::vector<nccl_candidate> all;
  const auto words_of_all = over_->all_gather("grid", words.data(), words.size());
  for (const auto& one : *words_of_all) all.push_back(candidate_of(text_of(one)));
  std::string why = why_no_nccl(all);
  if (why.empty()) {
    nccl_id id{};
    std::string why_mine;
    const auto attempt = [&](const auto& work) {
      try {
        with_current_device(messages_.dev(), work);
      } catch (const error& e) {
        why_mine = e.what();
      }
    };
    if (rank() == 0) attempt([&] { check(nccl_.make_id(&id), "ncclGetUniqueId"); });
    const auto ids = over_->all_gather("grid", &id, sizeof id);
    std::memcpy(&id, ids->front().data(), sizeof id);
    why = agreed_reason(why_mine);
    if (why.empty()) {
      attempt([&] { begin(id); });
      why = agreed_reason(why_mine);
    }
    if (why.empty()) {
      attempt([&] { connect(); });
      why = agreed_reason(why_mine);
    }
    if (!why.empty()) drop();
  }
  uses_nccl_ = why.empty();
  name_ = over_->name();
  name_ += uses_nccl_ ? ", messages by NCCL " + nccl_.version_text() : ", staged: " + why;
}

/// The first of all ranks' reasons.
std::string nccl_transport::agreed_reason(const std::string& mine) {
  const auto all = over_->all_gather("grid", mine.data(), mine.size());
  for (std::size_t r = 0; r < all->size(); ++r)
    if (!(*all)[r].empty()) return "rank " + std::to_string(r) + ": " + text_of((*all)[r]);
  return "";
}

void nccl_transport::begin(const nccl_id& id) {
  nccl_config config;
  config.blocking = 0;
  config.most_blocks = most_nccl_blocks;
  const int result = nccl_.begin(&communicator_, ranks(), id, rank(), &config);
  if (result != nccl_in_progress) check(result, "ncclCommInitRankConfig");
  if (!becomes(longest_begin_s, [&] { return is_enqueued(); }))
    throw error("NCCL has not found all ranks in " + decimal(longest_begin_s, 3) + " s");
}

/// A message from and to others, before fields fill the memory: with its first one a connection is
/// made, which takes some.
void nccl_transport::connect() {
  const std::vector<int> others = connected(rank(), ranks());
  const std::size_t bytes = others.size() * bytes_to_connect;
  const memory_block to(messages_, messages_.dev(), bytes, "NCCL's first messages"),
      from(messages_, messages_.dev(), bytes, "NCCL's first messages");
  std::vector<std::byte> said(bytes, static_cast<std::byte>(rank() + 1)), heard(bytes);
  copy_bytes(messages_, to.data(), said.data(), bytes);
  messages_.synchronize();
  const std::string what = "the first message";
  std::vector<message> sends, receives;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::size_t at = i * bytes_to_connect;
    sends.push_back(
        {others[i], static_cast<std::byte*>(to.data()) + at, bytes_to_connect, &what, &messages_});
    receives.push_back({others[i], static_cast<std::byte*>(from.data()) + at, bytes_to_connect,
                        &what, &messages_});
  }
  enqueue(sends, receives);
  if (!becomes(longest_begin_s, [&] { return has_arrived(); }))
    throw error("NCCL's first messages have not come in " + decimal(longest_begin_s, 3) + " s");
  copy_bytes(messages_, heard.data(), from.data(), bytes);
  messages_.synchronize();
  for (std::size_t i = 0; i < bytes; ++i)
    if (heard[i] != static_cast<std::byte>(others[i / bytes_to_connect] + 1))
      throw error("NCCL brought another message from rank " +
                  std::to_string(others[i / bytes_to_connect]) + " than that which it sent");
}

// ---- messages

void nccl_transport::check(int result, const char* call) const {
  if (result == nccl_done) return;
  const char* const last = nccl_.last_error(communicator_);
  const std::string whose = uses_nccl_ ? "grid: rank " + std::to_string(rank()) + ": " : "";
  throw error(whose + "NCCL " + nccl_.version_text() + " says of " + call + ": " +
              nccl_.error_text(result) +
              (last != nullptr && *last != 0 ? std::string(", ") + last : ""));
}

/// What was begun is in the stream.
bool nccl_transport::is_enqueued() const {
  int state = nccl_done;
  check(nccl_.state(communicator_, &state), "ncclCommGetAsyncError");
  if (state == nccl_in_progress) return false;
  check(state, "messages under way");
  return true;
}
bool nccl_transport::has_arrived() const {
  return is_enqueued() && messages_.is_done();
}

void nccl_transport::wait_for(bool (nccl_transport::*is_done)() const) {
  over_->wait_until([&] { return (this->*is_done)(); }, others_, [&] { return late_text(); });
}

std::string nccl_transport::late_text() const {
  if (awaited_.empty()) return "others have not read what it sent, " + place_;
  std::string text;
  for (const awaited& one : awaited_)
    text += (text.empty() ? "" : ", or ") + one.what + " has not come from rank " +
            std::to_string(one.rank);
  return text + ", " + place_;
}

template <class Call>
auto nccl_transport::ending(const Call& call) {
  try {
    return call();
  } catch (...) {
    abort(std::current_exception());
    throw;
  }
}

/// Those on GPUs, as one group: each side sends and receives at once.
void nccl_transport::enqueue(const std::vector<message>& sends,
                             const std::vector<message>& receives) {
  with_current_device(messages_.dev(), [&] {
    constexpr int bytes = 0;
    int result = nccl_.group_begin();
    const auto add = [&](int added) {
      if ((result == nccl_done || result == nccl_in_progress) && added != nccl_done) result = added;
    };
    for (const message& one : sends)
      if (one.on != nullptr)
        add(nccl_.send(one.data, one.bytes, bytes, one.rank, communicator_, messages_.native()));
    for (const message& one : receives)
      if (one.on != nullptr)
        add(nccl_.receive(one.data, one.bytes, bytes, one.rank, communicator_, messages_.native()));
    add(nccl_.group_end());
    if (result != nccl_in_progress) check(result, "a group of messages");
  });
}

void nccl_transport::post(const std::vector<message>& sends, const std::vector<message>& receives) {
  if (communicator_ == nullptr) return over_->post(sends, receives);  // or it throws
  ending([&] {
    const auto is_of_host = [](const message& one) { return one.on == nullptr; };
    std::vector<message> host_sends, host_receives;
    std::copy_if(sends.begin(), sends.end(), std::back_inserter(host_sends), is_of_host);
    std::copy_if(receives.begin(), receives.end(), std::back_inserter(host_receives), is_of_host);
    over_->post(host_sends, host_receives);
    if (host_sends.size() == sends.size() && host_receives.size() == receives.size()) return;
    finish();
    awaited_.clear();
    others_.clear();
    waiting_.clear();
    place_ = "before it was waited for";
    for (const std::vector<message>* const all : {&sends, &receives})
      for (const message& one : *all) {
        if (is_of_host(one)) continue;
        if (all == &receives) awaited_.push_back({one.rank, *one.what});
        if (std::find(others_.begin(), others_.end(), one.rank) == others_.end())
          others_.push_back(one.rank);
        if (std::find(waiting_.begin(), waiting_.end(), *one.on) == waiting_.end())
          waiting_.push_back(*one.on);
      }
    for (const stream& one : waiting_) messages_.wait_for(one);
    enqueue(sends, receives);
    is_posted_ = is_under_way_ = true;
  });
}

void nccl_transport::wait(const std::string& place) {
  ending([&] {
    over_->wait(place);
    if (!is_posted_) return;
    place_ = place;
    wait_for(&nccl_transport::is_enqueued);
    for (const stream& one : waiting_) one.wait_for(messages_);
    is_posted_ = false;
  });
}

void nccl_transport::finish() {
  if (!is_under_way_) return;
  ending([&] {
    wait_for(&nccl_transport::has_arrived);
    is_under_way_ = false;
  });
}

void nccl_transport::wait_until(const std::function<bool()>& is_done,
                                const std::vector<int>& others,
                                const std::function<std::string()>& what) {
  ending([&] { over_->wait_until(is_done, others, what); });
}

std::shared_ptr<const words_of_ranks> nccl_transport::all_gather(const std::string& what,
                                                                 const void* data,
                                                                 std::size_t bytes) {
  return ending([&] { return over_->all_gather(what, data, bytes); });
}

// ---- ended

/// Kernels of NCCL that wait for others return, so that nobody waits for a stream for ever.
void nccl_transport::drop() noexcept {
  if (communicator_ != nullptr) (void)nccl_.abort(communicator_);
  communicator_ = nullptr;
  is_posted_ = is_under_way_ = false;
}

void nccl_transport::abort(std::exception_ptr why) noexcept {
  over_->abort(std::move(why));
  drop();
}

void nccl_transport::end() noexcept {
  if (communicator_ == nullptr) return;
  try {
    if (becomes(longest_end_s, [&] { return has_arrived(); })) {
      const int result = nccl_.finalise(communicator_);
      if (result != nccl_in_progress) check(result, "ncclCommFinalize");
      if (becomes(longest_end_s, [&] { return is_enqueued(); })) {
        (void)nccl_.destroy(communicator_);
        communicator_ = nullptr;
      }
    }
  } catch (...) {  // it is aborted
  }
  drop();
}

}  // namespace teff::runtime
