// SPDX-License-Identifier: MIT
#include <vector>

#include <teff/capi/handles.hpp>
#include <teff/io/reference.hpp>

/// Values of a run, kept in a file with which later runs are compared.

using namespace teff;
using namespace teff::capi;

namespace {

template <class T>
io::any_field field_of(const teff_array* array) {
  constexpr const char* what = "the array";
  switch (array->rank) {
    case 1:
      return detail::as_ref<T, 1>(array, what);
    case 2:
      return detail::as_ref<T, 2>(array, what);
    default:
      return detail::as_ref<T, 3>(array, what);
  }
}

io::any_field field_of(const teff_array* array) {
  return detail::with_cell_type(*array, [&]<class T>(T) { return field_of<T>(array); });
}

}  // namespace

teff_status teff_compare_with_reference(const char* path, int count, const char* const* names,
                                        const teff_array* const* arrays, int64_t steps,
                                        double tolerance, int cells) {
  return guarded([&] {
    std::vector<io::named_field> fields;
    for (int i = 0; i < count; ++i) fields.push_back({names[i], field_of(arrays[i])});
    io::compare_with_reference(path, fields,
                               {.steps = steps, .tolerance = tolerance, .cells = cells});
  });
}
