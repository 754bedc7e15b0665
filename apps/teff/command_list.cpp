// SPDX-License-Identifier: MIT
#include <cstdio>
#include <set>

#include <teff/lab/report_table.hpp>
#include <teff/lab/table.hpp>

#include <apps/teff/ceilings.hpp>
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
                {"variants"},
                {"types", align::left},
                {"what it shows", align::left}});
  for (const lab::bench_case& c : bench::cases())
    t.add_row({c.name, std::to_string(c.variants.size()), lab::joined(c.types), c.about});
  std::printf("%s\nteff list CASE shows its variants; teff bench CASE times them.\n",
              t.text().c_str());
}

void list_one(const lab::bench_case& c) {
  std::printf("%s: %s\n", c.name.c_str(), c.about.c_str());
  const std::string cpu_shape =
      c.runs_on(device::cpu()) ? lab::shape_text(c.cpu_shape) + " on a CPU, " : "";
  std::printf("types: %s; --type says which, else the first\n", lab::joined(c.types).c_str());
  if (const std::string dims = dims_of(c); !dims.empty())
    std::printf("dims: %s; --dim says which, else all; 0 is the contiguous one\n", dims.c_str());
  std::printf("takes: %s; --shape says which, else %s%s on a GPU\n\n", c.axes.c_str(),
              cpu_shape.c_str(), lab::shape_text(c.cuda_shape).c_str());
  lab::table t({{"variant", align::left},
                {"runs on", align::left},
                {"option", align::left},
                {"what it is", align::left}});
  for (const lab::variant& v : c.variants)
    t.add_row({v.name, where_text(v), option_text(v.takes), v.about});
  std::printf("%s\nteff bench %s times them.\n", t.text().c_str(), c.name.c_str());
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
