// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/error.hpp>
#include <teff/formula/flow_rule.hpp>

namespace teff::runtime {

std::string flow_rule::text() const {
  return "every " + (every_ == 1 ? std::string("step ") : std::to_string(every_) + " steps ") +
         formula_text();
}

void flow_rule::check(const std::vector<flow_field>& fields) const {
  const std::string begin = "iterate: a parameter follows the flow by a rule ";
  if (fields_ != static_cast<int>(fields.size()))
    throw error(failure::usage, begin + "that takes " + std::to_string(fields_) +
                                    " fields, and the call has " + std::to_string(fields.size()) +
                                    "; give its lambda the fields of the call, in their order");
  const flow_field& first = fields[static_cast<std::size_t>(read_.front())];
  for (const int number : read_) {
    const flow_field& field = fields[static_cast<std::size_t>(number)];
    if (field.real_bytes == 0 || field.real_bytes != first.real_bytes)
      throw error(failure::usage, begin + "that reads " + first.description + " and " +
                                      field.description +
                                      "; the fields that it reads must all be f64, or all f32");
  }
}

void add_rule(flow_rules& to, const std::shared_ptr<flow_rule>& rule) {
  if (!rule || std::find(to.begin(), to.end(), rule) != to.end()) return;
  for (const auto& other : rule->read_rules())
    if (other != rule) add_rule(to, other);
  to.push_back(rule);
}

void check_every(index_t every) {
  if (every < 1)
    throw error(failure::usage,
                "follows: a parameter follows the flow every so many steps, 1 or more, got " +
                    std::to_string(every));
}

}  // namespace teff::runtime
