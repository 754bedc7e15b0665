// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>

#include <teff/stencil/step_error.hpp>

namespace teff::runtime {

namespace {

/// Every "field 1" becomes the label; "field 10" is another.
std::string with_label(std::string text, std::size_t number, const std::string& label) {
  const std::string name = "field " + std::to_string(number);
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    const std::size_t end = at + name.size();
    if (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) {
      at = end;
    } else {
      text.replace(at, name.size(), label);
      at += label.size();
    }
  }
  return text;
}

}  // namespace

error error_in_step(const error& e, const std::string& place,
                    const std::vector<named_field>& fields) {
  std::string what = e.what(), all;
  for (std::size_t n = 0; n < fields.size(); ++n) {
    const named_field& field = fields[n];
    const bool is_only = std::count_if(fields.begin(), fields.end(), [&](const named_field& f) {
                           return f.label == field.label;
                         }) == 1;
    if (!field.label.empty() && is_only) what = with_label(what, n, field.label);
    all += (n > 0 ? ", " : "; ") + ("field " + std::to_string(n)) + " is " + field.description;
  }
  return {e.kind(), "iterate: " + place + ": " + what + all};
}

}  // namespace teff::runtime
