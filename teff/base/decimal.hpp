// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace teff {

enum class decimal_form : std::uint8_t { shortest, fixed, scientific };

/// A number for whoever reads it, a program too: always with a point, as printf's %.*g
/// (`shortest`),
/// %.*f and %.*e write it in the C locale, whatever locale the program has set.
std::string decimal(double value, int digits, decimal_form form = decimal_form::shortest);

/// "0.1234 ms".
std::string milliseconds_text(double s);

}  // namespace teff
