// SPDX-License-Identifier: MIT
#include <teff/algo/reduce.hpp>
#include <teff/stencil/rows/row_cells.hpp>
#include <teff/stencil/rows/row_residual.hpp>

namespace teff::runtime {

namespace {

template <class T>
double reduced(const row_residual& asked, const stream& on, index_t step,
               const std::vector<region>& fields) {
  const region& like = fields[static_cast<std::size_t>(asked.shape_of)];
  extents<3> n;
  for (int d = 0; d < 3; ++d) n[d] = like.count[d] - asked.shape_less[d];
  const array<T, 3> values(on, n, "residual");
  if (values.size() > 0)
    compute_rows(on, {{asked.computed, step, region_of(values), {0, 0, 0}, fields}});
  return asked.is_norm2 ? static_cast<double>(static_cast<T>(norm2(values)))
                        : static_cast<double>(static_cast<T>(max_abs(values)));
}

}  // namespace

double value_of(const row_residual& asked, const stream& on, index_t step,
                const std::vector<region>& fields) {
  return asked.computed.type == cell_type::f64 ? reduced<f64>(asked, on, step, fields)
                                               : reduced<f32>(asked, on, step, fields);
}

}  // namespace teff::runtime
