// SPDX-License-Identifier: MIT
#include <teff/capi/algorithms_of.hpp>

const teff::capi::algorithms teff::capi::of_i64 = teff::detail::algorithms_of<teff::i64>::table();
