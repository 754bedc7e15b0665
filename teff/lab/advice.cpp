// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>
#include <vector>

#include <teff/lab/advice.hpp>
#include <teff/lab/finding.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// The case, its type and dim.
std::string options_of(const result& r) {
  return r.case_name + " --type " + r.type + (r.dim ? " --dim " + std::to_string(*r.dim) : "");
}

std::string bench_of(const result& r) {
  return "teff bench " + options_of(r);
}

bool is_disturbed(const result& r) {
  return r.has_flag(flag::noisy) || r.has_flag(flag::shared_device) || r.has_flag(flag::throttled);
}

bool has_shrunk_shapes(const report& r) {
  return std::ranges::any_of(
      r.notes, [](const std::string& note) { return note.starts_with(smaller_note); });
}

/// Cases and types of which something was left out, and of which nothing is there.
std::vector<std::string> left_out_whole(const report& r) {
  std::vector<std::string> whole;
  for (const omission& missing : r.left_out) {
    const std::string subject = missing.case_name + " " + missing.type;
    const auto is_of_it = [&](const result& one) {
      return one.case_name == missing.case_name && one.type == missing.type;
    };
    if (!is_probe(missing.case_name) && std::ranges::none_of(r.results, is_of_it) &&
        std::ranges::find(whole, subject) == whole.end())
      whole.push_back(subject);
  }
  return whole;
}

/// ", of copy, add, gemv and 9 more cases".
std::string cases_left_out(const report& r) {
  constexpr std::size_t most = 3;
  std::vector<std::string> cases;
  for (const omission& missing : r.left_out)
    if (std::ranges::find(cases, missing.case_name) == cases.end())
      cases.push_back(missing.case_name);
  if (cases.empty()) return "";
  const std::size_t more = cases.size() - std::min(most, cases.size());
  cases.resize(cases.size() - more);
  return ", of " + runtime::joined(cases, ", ") +
         (more == 0 ? "" : " and " + counted(more, "more case"));
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
      is_on_cpu ? "teff ladder " + options_of(r) : bench_of(r) + " --counters",
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
         counted(r.planned, "result") + cases_left_out(r) + "; " +
         (whole.empty() ? "every case has some."
                        : "nothing is there of: " + runtime::joined(whole, ", ") + ".");
}

std::string disturbance_text(const report& r) {
  const auto is_shared = [](const result& one) { return one.has_flag(flag::shared_device); };
  const auto shared = static_cast<std::size_t>(std::ranges::count_if(r.results, is_shared));
  if (shared == 0 || r.results.size() > 20 * shared) return "";
  constexpr std::string_view change = "changed its speed: ";
  std::string moved;  // of several the first, which is that of all runs, or of copying
  for (const std::string& note : r.notes)
    if (const std::size_t at = note.find(change); at != std::string::npos && moved.empty()) {
      const std::size_t from = at + change.size();
      moved = note.substr(from, note.find(';', from) - from);
    }
  return "Others used this machine in " + std::to_string(shared) + " of " +
         counted(r.results.size(), "result") +
         (moved.empty() ? ": times may be too long."
                        : ", and its speed changed (" + moved + "): shares may be off by as much.");
}

}  // namespace teff::lab
