// SPDX-License-Identifier: MIT
#include <set>

#include <teff/lab/report_table.hpp>
#include <teff/lab/table.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>
#include <bench/cases.hpp>

namespace teff::app {

namespace {

using lab::align;

const char* where_text(const lab::variant& v) {
  if (v.is_block_kernel) return "cuda; cpu emulated";
  switch (v.runs) {
    case lab::place::cpu:
      return "cpu";
    case lab::place::cuda:
      return "cuda";
    case lab::place::everywhere:
      break;
  }
  return "cpu, cuda";
}

const char* option_text(lab::knob takes) {
  switch (takes) {
    case lab::knob::threads:
      return "--threads";
    case lab::knob::depth:
      return "--depth";
    case lab::knob::exchange:
      return "--exchange-every";
    case lab::knob::none:
      break;
  }
  return "";
}

/// "0, 1, 2", or "" where no variant is about one dim.
std::string dims_of(const lab::bench_case& c) {
  std::set<std::string> dims;
  for (const lab::variant& v : c.variants)
    if (v.dim) dims.insert(std::to_string(*v.dim));
  return lab::joined({dims.begin(), dims.end()});
}

void list_all() {
  lab::table t({{"case", align::left},
                {"variants", align::right, lab::narrow::drop, 1},
                {"types", align::left, lab::narrow::drop, 2},
                {"what it shows", align::left, lab::narrow::cut, 40}});
  for (const lab::bench_case& c : bench::cases())
    t.add_row({c.name, std::to_string(c.variants.size()), lab::joined(c.types), c.about});
  print(t, {});
  remark("\nteff list CASE shows its variants; teff bench CASE times them.", {});
}

void list_one(const lab::bench_case& c) {
  const auto say = [](const std::string& line) {
    remark(lab::wrapped(line, stdout_columns()), {});
  };
  say(c.name + ": " + c.about);
  const std::string cpu_shape =
      c.runs_on(device::cpu()) ? lab::shape_text(c.cpu_shape) + " on a CPU, " : "";
  say("types: " + lab::joined(c.types) + "; --type says which, else the first");
  if (const std::string dims = dims_of(c); !dims.empty())
    say("dims: " + dims + "; --dim says which, else all; 0 is the contiguous one");
  say("takes: " + c.axes + "; --shape says which, else " + cpu_shape +
      lab::shape_text(c.cuda_shape) + " on a GPU");
  remark("", {});
  lab::table t({{"variant", align::left},
                {"runs on", align::left, lab::narrow::drop, 1},
                {"option", align::left, lab::narrow::drop, 2},
                {"what it is", align::left, lab::narrow::below, 3}});
  for (const lab::variant& v : c.variants)
    t.add_row({v.name, where_text(v), option_text(v.takes), v.about});
  print(t, {});
  remark("\nteff bench " + c.name + " times them.", {});
}

}  // namespace

int run_list(const arguments& all) {
  if (all.case_name.empty())
    list_all();
  else
    list_one(lab::find_case(bench::cases(), all.case_name));
  return 0;
}

}  // namespace teff::app
