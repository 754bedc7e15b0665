// SPDX-License-Identifier: MIT
#include <teff/capi/algorithms_of.hpp>

const teff::capi::algorithms teff::capi::of_i32 = teff::detail::algorithms_of<teff::i32>::table();
