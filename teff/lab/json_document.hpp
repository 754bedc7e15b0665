// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <teff/base/index.hpp>

namespace teff::lab {

/// JSON that came from elsewhere, within bounds, so that no file takes more than about 300 MB or
/// more than seconds: at most 64 levels, 2 million values, and 256 members of an object.
/// @throws error with line and column, and what is wrong there
nlohmann::ordered_json parse_json(std::string_view text);

/// A value of a document together with the way to it, for messages such as
/// "/results/3/type: expected a text, got 7". Every member throws such an error.
class json_node {
 public:
  using json = nlohmann::ordered_json;
  static constexpr std::size_t longest_text = 4096, longest_name = 200;

  explicit json_node(const json& value, std::string path = "")
      : value_(&value), path_(std::move(path)) {}

  json_node at(const char* key) const;
  /// An optional member; nothing also where it is null.
  std::optional<json_node> find(const char* key) const;
  /// The text of an optional member, or "".
  std::string text_or_empty(const char* key) const;

  bool is_null() const { return value_->is_null(); }
  bool boolean() const;
  std::string text() const { return text_up_to(longest_text); }
  /// A text for a cell of a table, which is as wide as its longest.
  std::string name() const { return text_up_to(longest_name); }
  double number() const;
  std::optional<double> number_or_null() const;
  std::uint64_t natural() const;
  int small(int least = 0) const;
  index_t extent() const;

  /// What `read` makes of each item.
  template <class Read>
  auto list(Read read, std::size_t longest) const {
    require(value_->is_array(), "a list");
    require(value_->size() <= longest, "a list of at most " + std::to_string(longest));
    std::vector<decltype(read(*this))> items;
    items.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i)
      items.push_back(read(json_node((*value_)[i], path_ + "/" + std::to_string(i))));
    return items;
  }

  /// @throws error that shows the value unless `satisfied`
  void require(bool satisfied, const std::string& expected) const;

 private:
  std::string text_up_to(std::size_t longest) const;
  std::string where() const { return path_.empty() ? "the document" : path_; }

  const json* value_;
  std::string path_;
};

}  // namespace teff::lab
