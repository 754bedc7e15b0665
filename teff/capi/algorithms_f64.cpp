// SPDX-License-Identifier: MIT
#include <teff/capi/algorithms_of.hpp>

const teff::capi::algorithms teff::capi::of_f64 = teff::detail::algorithms_of<teff::f64>::table();
