// SPDX-License-Identifier: MIT
#include <bench/expr/stream_case.hpp>
#include <bench/expr/streams.hpp>
#include <bench/for_type.hpp>

namespace teff::bench {

std::unique_ptr<lab::prepared_case> prepare_copy(const lab::setting& where) {
  return for_type<f64, f32, i64, i32, u8>(where.type, [&](auto example) {
    return make_prepared<stream_case<copy_op, decltype(example)>>(where);
  });
}

}  // namespace teff::bench
