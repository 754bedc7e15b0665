// SPDX-License-Identifier: MIT
#include <string>

#include <teff/capi/formula.hpp>
#include <teff/stencil/resident/limits.hpp>
#include <teff/stencil/rows/row_program.hpp>
#include <teff/stencil/rows/row_stepper.hpp>

/// Time steps that are data (teff_rows), as the library takes them.
namespace teff::capi {
namespace {

using namespace runtime;

/// What a bind takes: one of these.
struct loaded_kernel {
  std::shared_ptr<const pass_kernel> pass;
  std::shared_ptr<const fused_kernel> fused;
  std::shared_ptr<const resident_kernel> resident;
};

struct numbers {
  const double* reals;
  const i64* integers;
  bool are_kernels;  // instead of functions: the fields are on a GPU
  bool are_programs;
};

std::shared_ptr<const row_program> program_of(const teff_row_program& given, const numbers& of) {
  std::vector<row_program::place> places;
  for (int p = 0; p < given.place_count; ++p) {
    const auto& [where, type, at, more] = given.places[p];
    places.push_back(
        {static_cast<row_program::kind>(where), static_cast<cell_type>(type), at, more});
  }
  std::vector<row_program::instruction> code;
  for (int k = 0; k < given.count; ++k) {
    const auto& [what, to, a, b, c] = given.code[k];
    code.push_back({static_cast<row_operation>(what), to, {a, b, c}});
  }
  return std::make_shared<row_program>(std::move(places), code, of.reals, of.integers);
}

row row_of(const teff_row& given, const numbers& of) {
  row made;
  if (of.are_kernels)
    made.kernel = reinterpret_cast<const row_kernel*>(given.compute);
  else if (of.are_programs)
    made.program = program_of(*reinterpret_cast<const teff_row_program*>(given.compute), of);
  else
    made.compute = reinterpret_cast<row::function>(given.compute);
  made.reals = of.reals;
  made.integers = of.integers;
  made.type = static_cast<cell_type>(given.type);
  for (int m = 0; m < given.from_count; ++m)
    made.from.push_back({given.from[m][0], given.from[m][1], given.from[m][2]});
  return made;
}

row_side side_of(const teff_row_side& given, const numbers& of) {
  using kind = side_condition::kind;
  const auto which = static_cast<kind>(given.kind);
  if (which == kind::keeps) return {};
  const bool has_factors = which == kind::mixed;
  const double a = has_factors ? of.reals[given.a] : 0, b = has_factors ? of.reals[given.b] : 0;
  if (given.formula.compute != nullptr) return {which, a, b, row_of(given.formula, of)};
  if (which == kind::periodic) return {which, a, b, 0.0};
  if (given.c_is_whole != 0) return {which, a, b, of.integers[given.c]};
  return {which, a, b, of.reals[given.c]};
}

stage_table table_of(const teff_row_stage& given, const teff_rows& rows) {
  stage_table table;
  table.slot = given.field;
  table.copies = given.copies;
  table.sees = given.sees;
  table.flops = given.row.flops;
  table.is_real = rows.types[given.field] <= teff_f32;
  table.has_conditions = given.has_sides != 0;
  for (int d = 0; d < 3; ++d) {
    table.low[d] = given.low[d];
    table.high[d] = given.high[d];
  }
  for (int r = 0; r < given.row.reads_count; ++r) {
    const auto& [field, x, y, z] = given.row.reads[r];
    table.reads[field].add_cell(x, y, z);
  }
  return table;
}

std::shared_ptr<const row_step> step_of(const teff_rows& rows, const numbers& of) {
  auto step = std::make_shared<row_step>();
  if (rows.interpreted != nullptr) step->interpreted = rows.interpreted;
  int leading = rows.fields;
  int flops = 0;
  for (int k = 0; k < rows.stages; ++k) {
    const teff_row_stage& given = rows.stage[k];
    step->tables.push_back(table_of(given, rows));
    row_stage& stage = step->stages.emplace_back();
    stage.computed = row_of(given.row, of);
    for (int d = 0; d < 3; ++d)
      for (int upper = 0; upper < 2; ++upper)
        stage.sides[d][upper] = side_of(given.sides[d][upper], of);
    leading = std::min(leading, given.field);
    flops += given.row.flops;
  }
  step->table = {rows.rank, rows.fields, rows.stages, leading, flops, step->tables.data()};
  if (rows.residual_kind != 0) {
    row_residual& residual = step->residual.emplace();
    residual.computed = row_of(rows.residual, of);
    residual.is_norm2 = rows.residual_kind == 2;
    residual.shape_of = rows.shape_of;
    for (int d = 0; d < 3; ++d) residual.shape_less[d] = rows.shape_less[d];
  }
  return step;
}

std::unique_ptr<row_field> field_of(const teff_array* given, int32_t type, int rank,
                                    const stream& on) {
  if (given == nullptr) throw error(failure::usage, "a field is NULL, expected an array");
  if (given->extents[0] > 1 && given->strides[0] != 1)
    throw error(failure::usage, described(*given) + " has a stride of " +
                                    std::to_string(given->strides[0]) +
                                    " cells along x; rows take cells side by side");
  const auto as = static_cast<teff_type>(type);
  const bool is_type = given->type == as || (as == teff_u8 && given->type == teff_bool);
  if (!is_type)
    throw error(failure::usage,
                "a field is " + described(*given) + ", expected " + name_of(as) + " cells");
  row_array cells{static_cast<cell_type>(type),
                  {given->on, given->block, given->label},
                  given->data,
                  {1, 1, 1},
                  {0, 0, 0}};
  for (int d = 0; d < given->rank; ++d) {
    cells.extent[d] = given->extents[d];
    cells.stride[d] = given->strides[d];
  }
  return row_field_of(cells, rank, on);
}

}  // namespace
}  // namespace teff::capi

using namespace teff;
using namespace teff::capi;

static_assert(static_cast<int>(runtime::cell_type::u8) == teff_u8);
static_assert(static_cast<int>(runtime::side_condition::kind::periodic) == 4);

teff_status teff_rows_bind(const teff_rows* rows, const double* reals, const int64_t* integers,
                           const teff_array* const* fields, teff_stepper** made) {
  return teff_rows_bind_passes(rows, nullptr, 0, reals, integers, fields, made);
}

teff_status teff_rows_bind_passes(const teff_rows* rows, void* const* kernels, int32_t count,
                                  const double* reals, const int64_t* integers,
                                  const teff_array* const* fields, teff_stepper** made) {
  return guarded([&] {
    const teff_array* const first = rows->fields > 0 ? fields[0] : nullptr;
    const numbers of{reals, reinterpret_cast<const i64*>(integers),
                     first != nullptr && first->on.dev().is_cuda(), rows->interpreted != nullptr};
    auto step = step_of(*rows, of);
    const teff_array* leading = fields[step->table.leading];
    if (leading == nullptr) throw error(failure::usage, "a field is NULL, expected an array");
    std::vector<std::unique_ptr<runtime::row_field>> all;
    for (int s = 0; s < rows->fields; ++s)
      all.push_back(field_of(fields[s], rows->types[s], rows->rank, leading->on));
    runtime::compiled_kernels loaded;
    for (int k = 0; k < count; ++k) {
      const auto& one = *static_cast<const loaded_kernel*>(kernels[k]);
      if (one.fused)
        loaded.fused = one.fused;
      else if (one.resident)
        loaded.resident = one.resident;
      else
        loaded.passes.push_back(one.pass);
    }
    *made = new teff_stepper{
        std::make_shared<runtime::row_stepper>(std::move(step), std::move(all), std::move(loaded))};
  });
}

teff_status teff_pass_load(const char* device, const void* cubin, int32_t reals, int32_t integers,
                           void** pass, int32_t* shapes) {
  return guarded([&] {
    const teff::device dev = parse_device(device);
    auto kernel = runtime::loaded_pass_kernel(dev, cubin, reals, integers);
    *shapes = runtime::shapes_to_compile(kernel->facts(), dev);
    *pass = new loaded_kernel{.pass = std::move(kernel)};
  });
}

teff_status teff_fused_load(const char* device, const void* cubin, int32_t reals, int32_t integers,
                            void** fused, int32_t* shapes) {
  return guarded([&] {
    auto kernel = runtime::loaded_fused_kernel(parse_device(device), cubin, reals, integers);
    *shapes = kernel->facts().uses_step ? -1 : 1;
    *fused = new loaded_kernel{.fused = std::move(kernel)};
  });
}

teff_status teff_resident_load(const char* device, const void* cubin, int32_t reals,
                               int32_t integers, void** resident) {
  return guarded([&] {
    *resident = new loaded_kernel{
        .resident = runtime::loaded_resident_kernel(parse_device(device), cubin, reals, integers)};
  });
}

teff_status teff_resident_bytes(const char* device, int64_t* most) {
  return guarded([&] { *most = runtime::most_resident_bytes(parse_device(device)); });
}

teff_status teff_row_kernels_load(const char* device, const void* cubin, int32_t reals,
                                  int32_t integers, int32_t count, const char* const* names,
                                  void** kernels) {
  return guarded([&] {
    const auto made = runtime::loaded_row_kernels(parse_device(device), cubin, reals, integers,
                                                  std::vector<std::string>(names, names + count));
    for (std::size_t k = 0; k < made.size(); ++k) kernels[k] = new runtime::row_kernel(made[k]);
  });
}
