// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

#include <teff/base/stream.hpp>
#include <teff/base/visible.hpp>
#include <teff/io/child_process.hpp>
#include <teff/lab/profiler.hpp>
#include <teff/lab/table.hpp>
#include <teff/solve/interrupt.hpp>

namespace teff::lab {

namespace {

constexpr const char* read_bytes = "dram__bytes_read.sum";
constexpr const char* written_bytes = "dram__bytes_write.sum";
constexpr const char* duration = "gpu__time_duration.sum";

/// A unit of the GPU, and how the names of the percentages of its peak begin.
struct unit {
  const char* name;
  std::string_view begin;
};
constexpr std::array units{
    unit{"dram", "gpu__dram_throughput.avg.pct_of_peak"},
    unit{"dram", "dram__throughput.avg.pct_of_peak"},
    unit{"l2", "lts__throughput.avg.pct_of_peak"},
    unit{"l1", "l1tex__throughput.avg.pct_of_peak"},
    unit{"fp64", "sm__inst_executed_pipe_fp64.avg.pct_of_peak"},
    unit{"fp64", "sm__pipe_fp64_cycles_active.avg.pct_of_peak"},
    unit{"fp32", "sm__inst_executed_pipe_fma.avg.pct_of_peak"},
    unit{"fp32", "sm__pipe_fma_cycles_active.avg.pct_of_peak"},
    unit{"alu", "sm__inst_executed_pipe_alu.avg.pct_of_peak"},
    unit{"special functions", "sm__inst_executed_pipe_xu.avg.pct_of_peak"},
    unit{"load and store", "sm__inst_executed_pipe_lsu.avg.pct_of_peak"},
    unit{"issue", "sm__inst_issued.avg.pct_of_peak"},
};

using cells = std::vector<std::string>;

/// A line of CSV, every cell of which may be in quotes.
cells cells_of_line(const std::string& line) {
  cells found{""};
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"') {
      found.back() += '"';
      ++i;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      found.emplace_back();
    } else if (c != '\r') {
      found.back() += c;
    }
  }
  return found;
}

/// ncu groups digits as the locale does: "1,073,741,824".
std::optional<double> number_of(std::string text) {
  std::erase(text, ',');
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

/// Of one unit that ncu may choose to print in.
double bytes_of_unit(const std::string& unit) {
  if (unit == "byte") return 1;
  if (unit == "Kbyte") return 1e3;
  if (unit == "Mbyte") return 1e6;
  if (unit == "Gbyte") return 1e9;
  throw error("ncu: expected bytes as byte, Kbyte, Mbyte or Gbyte, got '" + runtime::visible(unit) +
              "'");
}

/// The table that ncu printed, between what the program and ncu say besides.
class raw_page {
 public:
  explicit raw_page(const std::string& said) {
    std::istringstream in(said);
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("\"ID\",")) {
        names_ = cells_of_line(line);
        units_.clear();
      } else if (!names_.empty() && line.starts_with('"')) {
        cells row = cells_of_line(line);
        if (row.size() != names_.size())
          throw error("ncu: a line has " + std::to_string(row.size()) + " cells, but the table " +
                      std::to_string(names_.size()) + ": its output was cut off");
        if (units_.empty())
          units_ = std::move(row);
        else
          kernels_.push_back(std::move(row));
      }
    }
  }

  bool has_table() const { return !names_.empty(); }
  const cells& names() const { return names_; }
  const std::vector<cells>& kernels() const { return kernels_; }
  const std::string& unit(std::size_t column) const { return units_[column]; }

  std::size_t column(const std::string& name) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end())
      throw error("ncu: its table has no column " + name +
                  ": this ncu names it otherwise, or left "
                  "it out");
    return static_cast<std::size_t>(found - names_.begin());
  }
  double number(const cells& kernel, std::size_t column) const {
    const std::optional<double> value = number_of(kernel[column]);
    if (!value)
      throw error("ncu: expected a number for " + names_[column] + ", got '" +
                  runtime::visible(kernel[column]) + "'");
    return *value;
  }
  double bytes(const std::string& name) const {
    const std::size_t at = column(name);
    double sum = 0;
    for (const cells& kernel : kernels_) sum += number(kernel, at) * bytes_of_unit(units_[at]);
    return sum;
  }

 private:
  cells names_, units_;
  std::vector<cells> kernels_;
};

constexpr const char* may_not_count =
    "ncu may not count on this machine (ERR_NVGPUCTRPERM): counters are for administrators only "
    "here. Run it as root, in a container with --cap-add=SYS_ADMIN, or have the driver loaded with "
    "NVreg_RestrictProfilingToAdminUsers=0";

/// The first line of ncu's own that says what failed; "" if none does.
std::string complaint_in(const std::string& said) {
  const auto at = said.find("==ERROR==");
  if (at == std::string::npos) return "";
  return said.substr(at, said.find('\n', at) - at);
}

int steps_in(const std::string& said) {
  const std::string before = "counted ";
  for (std::size_t at = said.find(before); at != std::string::npos; at = said.find(before, at + 1))
    if (const int steps = std::atoi(said.c_str() + at + before.size()); steps > 0) return steps;
  return 1;
}

}  // namespace

int run_to_be_counted(const rung& which, prepared_case& arrays) {
  const auto running = arrays.make(which.variant, which.how);
  running->reset();
  running->run();
  arrays.on().synchronize();
  {
    const timeline_range counted(counted_range);
    running->run();
    arrays.on().synchronize();
  }
  return running->work().steps_per_run;
}

std::string counted_text(int steps) {
  return "counted " + std::to_string(steps) + " steps";
}

std::vector<std::string> ncu_words() {
  return {"ncu",
          "--csv",
          "--page",
          "raw",
          "--print-units",
          "base",
          "--nvtx",
          "--nvtx-include",
          std::string(counted_range) + "/",
          "--section",
          "SpeedOfLight",
          "--section",
          "ComputeWorkloadAnalysis",
          "--metrics",
          std::string(read_bytes) + "," + written_bytes + "," + duration};
}

counter_use parse_ncu(const std::string& said) {
  if (said.find("ERR_NVGPUCTRPERM") != std::string::npos) throw error(may_not_count);
  if (const std::string problem = complaint_in(said); !problem.empty())
    throw error("ncu failed: " + runtime::visible(problem));
  const raw_page page(said);
  if (said.find("No kernels were profiled") != std::string::npos ||
      (page.has_table() && page.kernels().empty()))
    throw error("ncu counted no kernel: this variant runs none, as a copy by the platform does");
  if (!page.has_table())
    throw error("ncu: expected a table in CSV, which begins with \"ID\", and got none");

  const double steps = steps_in(said);
  counter_use found;
  found.kernels = static_cast<int>(page.kernels().size());
  found.dram_read_bytes = page.bytes(read_bytes) / steps;
  found.dram_written_bytes = page.bytes(written_bytes) / steps;
  const std::size_t time = page.column(duration);
  for (std::size_t at = 0; at < page.names().size(); ++at) {
    const auto of = std::ranges::find_if(
        units, [&](const unit& u) { return page.names()[at].starts_with(u.begin); });
    if (of == units.end()) continue;
    double weighed = 0, all = 0;
    for (const cells& kernel : page.kernels()) {
      const std::optional<double> percent = number_of(kernel[at]);
      if (!percent) continue;  // "n/a": a unit that did nothing, or is not in this GPU
      const double weight = page.number(kernel, time);
      weighed += weight * *percent;
      all += weight;
    }
    const double part = all > 0 ? weighed / all / 100 : 0;
    if (part > found.limit_part) {
      found.limit = of->name;
      found.limit_part = std::min(part, 1.0);
    }
  }
  if (found.limit.empty())
    throw error(
        "ncu: its table has no percentages of a peak, such as "
        "dram__throughput.avg.pct_of_peak_sustained_elapsed");
  return found;
}

counter_use count_by_ncu(const std::vector<std::string>& program) {
  std::vector<std::string> words = ncu_words();
  words.insert(words.end(), program.begin(), program.end());
  io::child_result said;
  try {
    said = io::run_program(words, "", std::size_t{64} << 20, solve::was_interrupted);
  } catch (const io::not_started&) {
    throw error(
        "no ncu in PATH, which is what counts: it comes with the CUDA toolkit "
        "(/usr/local/cuda/bin) "
        "and as NVIDIA Nsight Compute");
  }
  solve::throw_if_interrupted();
  const std::string all = said.output + "\n" + said.complaints;
  if (said.exit_status == 0 || all.find("==ERROR==") != std::string::npos) return parse_ncu(all);
  const auto end = said.complaints.find_last_not_of('\n');
  const auto begin = said.complaints.rfind('\n', end);
  throw error("ncu ended with status " + std::to_string(said.exit_status) + ": " +
              (end == std::string::npos
                   ? "it said nothing"
                   : runtime::visible(said.complaints.substr(begin + 1, end - begin))));
}

std::string limit_text(const result& r) {
  return r.counters ? r.counters->limit + " " + significant(100 * r.counters->limit_part, 2) + " %"
                    : "";
}

}  // namespace teff::lab
