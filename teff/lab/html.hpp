// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

/// Texts that may come from anyone, made safe for an HTML page.
namespace teff::lab {

/// The text as it is read on a page, in an element or in a quoted attribute: nothing in it is
/// markup, and what is not seen is shown, as by visible().
std::string html_text(std::string_view text);

/// Bytes as an address that holds them: "data:image/png;base64,...".
/// @param kind such as "image/png"
/// @source RFC 4648, section 4
std::string data_uri(std::string_view kind, std::string_view bytes);

}  // namespace teff::lab
