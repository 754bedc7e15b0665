// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>

#include <teff/base/error.hpp>
#include <teff/lab/json_document.hpp>

namespace teff::lab {

namespace {

using json = json_node::json;

constexpr int deepest_nesting = 64;
constexpr int most_values = 2'000'000;
constexpr int most_members = 256;  // which are searched one by one

std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(line) + ", column " +
         std::to_string(std::max<std::size_t>(1, before.size() - start));
}

/// The parser's own message without its prefix "[json.exception...] parse error at line 1, column
/// 2: ".
std::string essence(const std::string& message) {
  const auto colon = message.find(": ");
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

/// Walks a text and leaves behind how far the parser has read: it tells that of syntax errors only.
class traced_iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  traced_iterator() = default;
  traced_iterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  traced_iterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  traced_iterator operator++(int) {
    const traced_iterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const traced_iterator& other) const { return at_ == other.at_; }

 private:
  const char* at_ = nullptr;
  const char** reached_ = nullptr;
};

/// Counts what the parser meets. @throws error beyond a bound
class bounds {
 public:
  void meet(int depth, json::parse_event_t event) {
    // Deep nesting would overflow the stack when the tree is destroyed.
    refuse_if(depth > deepest_nesting, "nested deeper", deepest_nesting, "levels");
    if (event == json::parse_event_t::object_start && depth < deepest_nesting)
      members_[static_cast<std::size_t>(depth) + 1] = 0;
    if (event == json::parse_event_t::key)
      refuse_if(++members_[static_cast<std::size_t>(depth)] > most_members, "an object with more",
                most_members, "members");
    refuse_if(++values_ > most_values, "more", most_values, "values");
  }

 private:
  static void refuse_if(bool applies, const char* what, int most, const char* unit) {
    if (applies) throw error(std::string(what) + " than " + std::to_string(most) + " " + unit);
  }

  std::array<int, deepest_nesting + 1> members_{};
  int values_ = 0;
};

}  // namespace

json parse_json(std::string_view text) {
  const char* const begin = text.data();
  const char* reached = begin;
  const auto here = [&] {
    return line_and_column(text, static_cast<std::size_t>(reached - begin)) + ": ";
  };
  bounds seen;
  const auto check = [&](int depth, json::parse_event_t event, json&) {
    seen.meet(depth, event);
    return true;
  };
  try {
    return json::parse(traced_iterator(begin, &reached),
                       traced_iterator(begin + text.size(), &reached), check);
  } catch (const json::parse_error& problem) {
    throw error(line_and_column(text, problem.byte) + ": " + essence(problem.what()));
  } catch (const json::exception& problem) {
    throw error(here() + essence(problem.what()));
  } catch (const error& problem) {
    throw error(here() + problem.what());
  }
}

json_node json_node::at(const char* key) const {
  require(value_->is_object(), "an object");
  const auto found = value_->find(key);
  if (found == value_->end()) throw error(where() + ": the member \"" + key + "\" is missing");
  return json_node(*found, path_ + "/" + key);
}

std::optional<json_node> json_node::find(const char* key) const {
  if (!value_->contains(key) || value_->at(key).is_null()) return std::nullopt;
  return at(key);
}

std::string json_node::text_or_empty(const char* key) const {
  const std::optional<json_node> found = find(key);
  return found ? found->text() : "";
}

bool json_node::boolean() const {
  require(value_->is_boolean(), "true or false");
  return value_->get<bool>();
}

std::string json_node::text_up_to(std::size_t longest) const {
  require(value_->is_string(), "a text");
  require(value_->get_ref<const std::string&>().size() <= longest,
          "a text of at most " + std::to_string(longest) + " bytes");
  return value_->get<std::string>();
}

double json_node::number() const {
  require(value_->is_number(), "a number");
  return value_->get<double>();
}

std::optional<double> json_node::number_or_null() const {
  if (is_null()) return std::nullopt;
  return number();
}

std::uint64_t json_node::natural() const {
  require(value_->is_number_unsigned(), "a whole number >= 0");
  return value_->get<std::uint64_t>();
}

int json_node::small(int least) const {
  const bool fits = value_->is_number_unsigned() && value_->get<std::uint64_t>() <= 1'000'000'000;
  require(fits && value_->get<int>() >= least,
          least == 0 ? "a whole number >= 0" : "a whole number >= 1");
  return value_->get<int>();
}

index_t json_node::extent() const {
  constexpr std::uint64_t most = std::numeric_limits<index_t>::max();
  require(value_->is_number_unsigned() && value_->get<std::uint64_t>() <= most, "an extent >= 0");
  return value_->get<index_t>();
}

void json_node::require(bool satisfied, const std::string& expected) const {
  if (satisfied) return;
  std::string got = value_->dump(-1, ' ', true, json::error_handler_t::replace);
  if (got.size() > 40) got = got.substr(0, 37) + "...";
  throw error(where() + ": expected " + expected + ", got " + got);
}

}  // namespace teff::lab
