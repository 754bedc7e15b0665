// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <teff/base/bytes.hpp>
#include <teff/expr/read_count.hpp>
#include <teff/stencil/explain.hpp>
#include <teff/stencil/trial.hpp>

namespace teff::runtime {

namespace {

std::string bytes_line(const traffic& moved) {
  return "  bytes: A_eff " + bytes_text(static_cast<std::size_t>(moved.a_eff_bytes())) + " = " +
         bytes_text(static_cast<std::size_t>(moved.read_bytes)) + " read + " +
         bytes_text(static_cast<std::size_t>(moved.write_bytes)) + " written; " +
         std::to_string(static_cast<long long>(moved.flop / (moved.cells > 0 ? moved.cells : 1))) +
         " operations a cell\n";
}

std::string kernel_line(const kernel_facts& kernel, device dev) {
  return "  kernel: " + kernel.text(dev) + "\n";
}

std::string field_line(const stepper& on, int s) {
  const footprint reads = on.table().reads(s);
  const bound_field& field = on.fields()[static_cast<std::size_t>(s)];
  std::string line = "  field " + std::to_string(s) + ", " + field.description() + ": ";
  line += field.is_own() ? "within a step" : on.table().evolves(s) ? "evolves" : "known";
  if (!reads.is_read) return line + ", not read\n";
  line += reads.is_centre_only() ? ", read at the cell" : reads.has_corners ? ", box" : ", star";
  constexpr const char* axis[3] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d)
    if (reads.low[d] != 0 || reads.high[d] != 0)
      line += std::string(" ") + axis[d] + " " + std::to_string(reads.low[d]) + ".." +
              std::to_string(reads.high[d]);
  return line + "\n";
}

/// A line for each array that the formula captures, slices of it among them.
std::string captured_lines(const stepper& on) {
  struct captured_array {
    const captured_part* largest;
    memory_span span;
    read_count reads;
  };
  std::vector<captured_array> arrays;
  for (const captured_part& part : on.captured()) {
    const memory_span span = span_of(part.array);
    auto one = std::find_if(arrays.begin(), arrays.end(), [&](const captured_array& known) {
      return known.span.begin < span.end && span.begin < known.span.end;
    });
    if (one == arrays.end()) one = arrays.insert(one, {&part, span, {}});
    if (part.array.cells() > one->largest->array.cells()) one->largest = &part;
    one->span = {std::min(one->span.begin, span.begin), std::max(one->span.end, span.end)};
    one->reads.add(part.read);
  }
  std::string lines;
  for (const captured_array& one : arrays)
    lines += "  captured: " + one.largest->words + ": " +
             bytes_text(static_cast<std::size_t>(one.reads.bytes())) + " read\n";
  return lines;
}

/// Of a formula that may have levels: "  levels: 45 operations a cell ...\n", or why there are
/// none.
std::string levels_line(const step_facts& facts) {
  for (const way_facts& one : facts.ways)
    if (one.flop > 0 && facts.cells > 0)
      return "  levels: " + std::to_string(static_cast<long long>(one.flop / facts.cells)) +
             " operations a cell in passes, which compute once what several cells read: " +
             one.levels + "\n";
  for (const way_facts& one : facts.ways)
    if (!one.refused && one.levels_refused)
      return "  levels: none, since " + one.levels_refused.why() + "\n";
  return "";
}

/// Where updates share a stage: "  stages: fields 0, 1 together, then field 2\n"; else "".
std::string stages_line(const step_table& table) {
  std::string text;
  bool are_together = false;
  for (int k = 0; k < table.stages;) {
    int end = k + 1;
    while (end < table.stages && table.stage[end].sees == k) ++end;
    text += (k > 0 ? ", then field" : "field") + std::string(end > k + 1 ? "s" : "");
    for (int j = k; j < end; ++j)
      text += (j > k ? ", " : " ") + std::to_string(table.stage[j].slot);
    if (end > k + 1) text += " together", are_together = true;
    k = end;
  }
  return are_together ? "  stages: " + text + "; each sees what is new before it\n" : "";
}

/// Where single steps move less than A_eff, since rings hand on their arrays: how much; else "".
std::string handed_on_line(const step_facts& facts) {
  if (facts.stepwise_bytes >= facts.a_eff_bytes) return "";
  return "  old values: fields that take them get the arrays themselves in single steps, which so "
         "move " +
         bytes_text(static_cast<std::size_t>(facts.stepwise_bytes)) + "\n";
}

}  // namespace

explanation explanation_of(const stepper& on, const iterate_options& options) {
  const device dev = on.dev();
  iterate_options asked = options;
  if (asked.steps == 0) asked.steps = 1000;
  const step_plan plan = planned(on, asked);

  std::string text = "time step on " + dev.name() + "\n";
  for (int s = 0; s < on.table().fields; ++s) text += field_line(on, s);
  text += captured_lines(on) + stages_line(on.table()) + bytes_line(on.per_step()) +
          handed_on_line(on.facts()) + levels_line(on.facts());
  for (const auto& rule : on.rules()) text += "  a parameter follows: " + rule->text() + "\n";
  const std::string name = schedule_name(plan.schedule), in_words = plan_text(plan);
  const bool says_name = plan.schedule == single_steps().schedule || in_words.starts_with(name);
  text += "  schedule: " + (says_name ? "" : name + ", ") + in_words + " (" + plan.reason + ")\n";
  text += predictions_text(known_device(dev), on.facts());
  for (const kernel_facts& kernel : on.kernels(plan)) text += kernel_line(kernel, dev);
  return {text};
}

explanation explanation_of(const std::string& text, const traffic& moved, bool is_one_row,
                           bool has_unit_stride, index_t row_cells,
                           const std::optional<kernel_facts>& kernel, device dev) {
  std::string all = text + "\n" + bytes_line(moved);
  all += std::string("  loop: ") +
         (is_one_row ? "all arrays contiguous, one row of " : "rows of ") +
         std::to_string(row_cells) + " cells" +
         (has_unit_stride ? ", cells side by side along x\n" : ", strided along x\n");
  if (kernel) all += kernel_line(*kernel, dev);
  return {all};
}

}  // namespace teff::runtime
