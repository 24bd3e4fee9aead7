#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"

/// The only place that formats figures for people; used by the window, the command line and reports.
namespace highwater {

/// Removes the zeros at the end of a number with decimals: "48.00" → "48", "0.50" → "0.5", "20" → "20".
std::string withoutZeros(std::string digits);

/// Returns "21.26 GiB", "48 MiB": base 1024, at most two decimals, always with its unit; whole bytes below
/// 1 KiB. From 1000 KiB, MiB or more on the next unit is used: "0.98 GiB".
std::string formatBytes(Bytes bytes);
/// Formats bytes as `formatBytes` does, but always with a sign: "+3.61 GiB", "−512 B", "0 B".
std::string formatBytesDelta(Bytes bytes);
/// Two sizes that are compared, as text.
struct PairText
{
    std::string before;
    std::string after;
};
/// Formats two sizes as `formatBytes` does, but in one unit, that of the larger: "1.07 GiB", "0.96 GiB". The
/// smaller one keeps its own unit if it is below a tenth of that unit, or below 1 KiB.
PairText formatPair(Bytes before, Bytes after);
/// Formats bytes in the unit that `formatBytes` gives `like`, so that figures below each other have one unit:
/// "0.47 GiB". Bytes that would be rounded to 0 have a unit of their own.
std::string formatBytesLike(Bytes bytes, Bytes like);
/// Two totals and their difference as text.
struct ChangeText
{
    std::string before;
    std::string after;
    std::string size; ///< of the difference, without its sign
    std::string delta; ///< the difference with its sign
};
/// Formats two totals as `formatPair` does, and their difference. If all three have one unit, they get as
/// many decimals, up to six, as it takes to add up as shown: "30.572 GiB", "23.667 GiB", "−6.905 GiB".
ChangeText formatChange(Bytes before, Bytes after);
/// Returns "about 9.7 GiB", for a size that is inferred and may be wrong: one decimal below 10, none above.
std::string formatAbout(Bytes bytes);
/// Returns "67,108,864": thousands separated by commas.
std::string formatCount(std::int64_t count);
std::string formatCount(std::unsigned_integral auto count)
{
    return formatCount(static_cast<std::int64_t>(count));
}
/// Separates the thousands in every sequence of digits in a text, also in names and after a decimal point:
/// "124,439,808 × 2" from "124439808 × 2".
std::string withThousands(std::string_view text);
/// Returns the text without the commas or underscores between thousands at its start ("1,073,741,824 B");
/// unchanged if they are in other places.
std::string withoutThousands(std::string_view text);
/// Returns "1 step", "5,701 steps".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);
std::string counted(std::unsigned_integral auto count, std::string_view one, std::string_view many)
{
    return counted(static_cast<std::int64_t>(count), one, many);
}
/// Returns "67,108,864 B".
std::string formatExactBytes(Bytes bytes);
/// Returns "16 MiB" if that is the exact size, else "20,480,000 B".
std::string formatExactSize(Bytes bytes);
/// Returns "31.2 ms", "4.5 s", "2 min 3 s", "5 h 12 min".
std::string formatDuration(Nanoseconds duration);
/// Returns "2025-08-08 08:22:08.380304 UTC".
std::string formatTimestamp(Nanoseconds sinceEpoch);
/// Returns "0x7f064c000000".
std::string formatAddress(Address address);
/// Returns "after event 5,701"; "before the first event" for −1. The preposition can be replaced or empty.
std::string formatMoment(std::int64_t event, std::string_view preposition = "after");
/// Returns "27%"; one decimal below 0.95 and between 99 and 99.95, as in "0.4%" and "99.6%"; "<0.1%" below
/// 0.05; "0%" for 0. A negative percentage has a minus sign in front.
std::string formatPercent(double percent);
/// Returns the share of a whole, "17%"; "–" if the whole is 0.
std::string formatShare(Bytes part, Bytes whole);
/// Returns a relative change with a sign, "+0.1%", "−23%", "0%"; "–" if the value before is 0.
std::string formatRelativeDelta(Bytes before, Bytes after);

/// Parses a size as people type it: whole bytes, or a number with a unit. KiB and K are 1024 bytes, KB is
/// 1000; likewise M, G and T. Numbers may have commas or underscores between thousands. Nullopt if the text
/// is not a size, is negative, or does not fit.
std::optional<Bytes> parseSize(std::string_view text);

/// Returns the text as valid UTF-8, with U+FFFD for each invalid byte, control character, and character that
/// breaks lines or overrides the text direction, so that file content is shown and never interpreted.
std::string sanitizedText(std::string_view text);

} // namespace highwater
