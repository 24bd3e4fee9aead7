#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"

/// Values of JSON as raw text. A token may have trailing blanks.
namespace highwater::kineto {

/// The text between the quotes, escapes left as they are; of a number the number. O(1).
std::string_view textOf(std::string_view token);

/// The text with its escapes resolved as far as names need it: \uXXXX beyond ASCII becomes '?'.
std::string unescaped(std::string_view text);

/// A whole number, quoted or not; what does not fit into 64 bits is none. Numbers of 2^63 and above are given
/// as their 64 bits: addresses are written both ways.
std::optional<std::int64_t> wholeNumberOf(std::string_view token);

/// Microseconds with a decimal part, exactly, as nanoseconds. None: no number, or beyond 64 bits.
std::optional<Nanoseconds> microsecondsOf(std::string_view token);

} // namespace highwater::kineto
