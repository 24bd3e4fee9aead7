#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"

/// The only place that turns figures into text for people; used by window, command line and reports.
namespace highwater {

/// "21.26 GiB", "48 MiB": base 1024, at most two decimals, always with its unit; whole bytes below 1 KiB.
std::string formatBytes(Bytes bytes);
/// As formatBytes, always with a sign: "+3.61 GiB", "−512 B", "0 B".
std::string formatBytesDelta(Bytes bytes);
/// "about 9.7 GiB": a size that is inferred and may be wrong.
std::string formatAbout(Bytes bytes);
/// "67,108,864": thousands separated by commas.
std::string formatCount(std::int64_t count);
std::string formatCount(std::unsigned_integral auto count)
{
    return formatCount(static_cast<std::int64_t>(count));
}
/// "1 step", "5,701 steps".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);
std::string counted(std::unsigned_integral auto count, std::string_view one, std::string_view many)
{
    return counted(static_cast<std::int64_t>(count), one, many);
}
/// "67,108,864 B".
std::string formatExactBytes(Bytes bytes);
/// "31.2 ms", "4.50 s", "2 min 3 s".
std::string formatDuration(Nanoseconds duration);
/// "2025-08-08 08:22:08.380304 UTC".
std::string formatTimestamp(Nanoseconds sinceEpoch);
/// "0x7f064c000000".
std::string formatAddress(Address address);
/// "after event 5,701"; "before the first event" for −1. Takes another preposition, or none.
std::string formatMoment(std::int64_t event, std::string_view preposition = "after");
/// "27%"; one decimal below 1 and just below 100: "0.4%", "99.6%"; "<0.1%" for what is less.
std::string formatPercent(double percent);
/// A share of a whole: "17%"; "–" if the whole is 0.
std::string formatShare(Bytes part, Bytes whole);
/// A relative change, with a sign: "+0.1%", "−23%", "0%"; "–" if the value before is 0.
std::string formatRelativeDelta(Bytes before, Bytes after);

/// Parses a size as people type it: bytes, or a number with KiB, MiB, GiB or TiB (base 1024). None if it is
/// not a size, is negative, or does not fit.
std::optional<Bytes> parseSize(std::string_view text);

/// The text as valid UTF-8 without control characters and bidirectional controls; each of these and each
/// invalid byte is replaced by U+FFFD, so that file content is shown and never interpreted.
std::string sanitizedText(std::string_view text);

} // namespace highwater
