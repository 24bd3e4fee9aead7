#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"

/// Helpers for JSON values as raw text. A token may have trailing blanks.
namespace highwater::kineto {

/// Returns the text between the quotes, with escapes unresolved, or a number's digits. O(1).
std::string_view textOf(std::string_view token);

/// Resolves the escapes of a JSON text. \uXXXX becomes '?' unless it is printable ASCII: the names that are
/// needed have no other characters.
std::string unescaped(std::string_view text);

/// Parses an integer, quoted or not; returns nothing if it does not fit into 64 bits. Numbers of 2^63 and
/// above are returned as their 64 bits, because addresses are written both signed and unsigned.
std::optional<std::int64_t> wholeNumberOf(std::string_view token);

/// Converts microseconds to nanoseconds; digits beyond nanoseconds are dropped. Returns nothing if the token
/// is not a number or the result exceeds 64 bits. Numbers with an exponent may be rounded.
std::optional<Nanoseconds> nanosecondsFromMicroseconds(std::string_view token);

} // namespace highwater::kineto
