#pragma once

#include <optional>
#include <string_view>

#include "core/trace/log_event.h"

/// Numbers and units in logs.
namespace highwater::logs {

/// The meaning of a written unit.
struct Unit
{
    std::string_view name; ///< as used by series: "bytes", "s", "%", …
    double factor = 1; ///< value of one written unit
    bool isAmbiguous = false; ///< true if the writer's base is unknown
};

/// The note of series with an ambiguous unit (`CounterSeries::unitNote`).
inline constexpr const char* kAmbiguousUnitNote = "GB taken as GiB";

/// Parses "B", "bytes", "KiB" to "TiB", "KB" to "TB", "K" to "T", "kib", "kb" and the like, "GB_unknown",
/// "ms", "s", "%", "tokens"; an empty text stands for a plain number. If `binary`, KB to TB are powers of
/// two. Returns nothing for an unknown unit.
std::optional<Unit> unitOf(std::string_view text, bool binary);

/// Parses "1,234", "1e3", "'2.5'", "nan" in the C locale. Returns nothing unless the whole text is a number.
std::optional<double> parseNumber(std::string_view text);

/// Parses "58.00 MiB", "0 bytes", "2.00GiB", with the rounding that the digits imply. If `binary`, decimal
/// units are powers of two. Returns nothing if the text is not a size. A size above 2^56 becomes 2^56.
std::optional<WrittenBytes> parseWrittenBytes(std::string_view text, bool binary);

/// Parses "0:27:55", "1 day, 2:03:04" into seconds. Returns nothing for anything else.
std::optional<double> parseDuration(std::string_view text);

/// Parses an unsigned integer of at most 18 digits; nullopt for other texts.
std::optional<std::int64_t> parseWhole(std::string_view text);

} // namespace highwater::logs
