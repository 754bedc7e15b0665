// SPDX-License-Identifier: MIT
#include <sstream>

#include <teff/capi/poisson.hpp>

/// The face of Poisson's equation in teff_c.h, by type and rank.

using namespace teff;
using namespace teff::capi;

namespace {

/// @throws error (usage) for no array, and where there is no solver for such
poisson_solver solver_of(const teff_array* u) {
  if (u == nullptr) throw error(failure::usage, "poisson: u is NULL, expected an array");
  const bool is_double = u->type == teff_f64;
  if ((is_double || u->type == teff_f32) && u->rank == 2)
    return is_double ? poisson2d_f64 : poisson2d_f32;
  if ((is_double || u->type == teff_f32) && u->rank == 3)
    return is_double ? poisson3d_f64 : poisson3d_f32;
  throw error(failure::usage, "poisson takes arrays of two or three dims of f64 or f32, got " +
                                  capi::described(*u));
}

}  // namespace

teff_status teff_poisson(const teff_array* u, const teff_array* f, const teff_array* coefficient,
                         const teff_poisson_options* options, teff_poisson_facts* facts,
                         char** text) {
  return guarded([&] {
    if (options->method < 0 || options->method > teff_poisson_gradients)
      throw error(failure::usage,
                  "poisson: there is no method number " + std::to_string(options->method));
    const poisson_report report = solver_of(u)(u, f, coefficient, *options);
    *facts = {report.iterations, report.residual, report.factor, report.has_converged() ? 1 : 0,
              report.is_stuck ? 1 : 0};
    std::ostringstream out;
    out << report;
    *text = text_for_caller(out.str());
  });
}
