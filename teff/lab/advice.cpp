// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>
#include <vector>

#include <teff/lab/advice.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

std::string bench_of(const result& r) {
  return "teff bench " + r.case_name + " --type " + r.type;
}

bool is_disturbed(const result& r) {
  return r.has_flag(flag::noisy) || r.has_flag(flag::shared_device) || r.has_flag(flag::throttled);
}

bool has_shrunk_shapes(const report& r) {
  return std::ranges::any_of(
      r.notes, [](const std::string& note) { return note.starts_with(smaller_note); });
}

/// Cases and types of which notes say that something was left out, and of which nothing is there.
std::vector<std::string> left_out_whole(const report& r) {
  std::vector<std::string> whole;
  for (const std::string& note : r.notes) {
    if (!note.starts_with(left_out_note)) continue;
    std::string name, type;
    std::istringstream(note.substr(left_out_note.size())) >> name >> type;
    const std::string subject = name + " " + type;
    const auto is_of_it = [&](const result& one) {
      return one.case_name == name && one.type == type;
    };
    if (std::ranges::none_of(r.results, is_of_it) &&
        std::ranges::find(whole, subject) == whole.end())
      whole.push_back(subject);
  }
  return whole;
}

}  // namespace

std::vector<std::string> what_to_do(const report& all, const result& r) {
  if (is_disturbed(r))
    return {"It was disturbed: measure it again on a quiet machine, by ", bench_of(r), "."};
  const bool is_on_cpu = r.device == "cpu";
  const std::string fewer_steps = r.steps_per_pass > 1 ? ", or fewer steps per pass," : "";
  std::vector<std::string> texts{
      r.kernel && r.kernel->fills_registers
          ? "Registers limit it: a formula with fewer values in flight" + fewer_steps +
                " leaves more of them. By "
          : "By ",
      is_on_cpu ? "teff ladder " + r.case_name + " --type " + r.type : bench_of(r) + " --counters",
      is_on_cpu ? " each step towards the ceiling tells what it gains"
                : " ncu names the unit of the GPU that limits it"};
  if (has_shrunk_shapes(all)) {
    texts.back() += "; on its whole shape it may come closer, by ";
    texts.push_back(bench_of(r));
    texts.emplace_back();
  }
  texts.back() += ".";
  return texts;
}

std::string left_out_text(const report& r) {
  if (r.results.size() >= r.planned) return "";
  const std::vector<std::string> whole = left_out_whole(r);
  return "Left out: " + std::to_string(r.planned - r.results.size()) + " of " +
         counted(r.planned, "result") + ", of " +
         (whole.empty() ? "no case all" : runtime::joined(whole) + " all") + ".";
}

}  // namespace teff::lab
