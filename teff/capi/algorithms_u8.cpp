// SPDX-License-Identifier: MIT
#include <teff/capi/algorithms_of.hpp>

const teff::capi::algorithms teff::capi::of_u8 = teff::detail::algorithms_of<teff::u8>::table();
