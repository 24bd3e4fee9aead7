#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"

/// Values of JSON as raw text. A token may have trailing blanks.
namespace highwater::kineto {

/// The text between the quotes, with escapes unresolved; for a number its digits. O(1).
std::string_view textOf(std::string_view token);

/// The text with escapes resolved as far as names need it: \uXXXX beyond ASCII becomes '?'.
std::string unescaped(std::string_view text);

/// An integer, quoted or not; none if it does not fit into 64 bits. Numbers of 2^63 and above are returned as
/// their 64 bits: addresses are written both ways.
std::optional<std::int64_t> wholeNumberOf(std::string_view token);

/// Decimal microseconds converted exactly to nanoseconds. None: not a number, or beyond 64 bits.
std::optional<Nanoseconds> microsecondsOf(std::string_view token);

} // namespace highwater::kineto
