#pragma once

#include <optional>
#include <string_view>

#include "core/trace/log_event.h"

/// Numbers and units as logs write them.
namespace highwater::logs {

/// The meaning of a written unit.
struct Unit
{
    std::string_view name; ///< as series carry it: "bytes", "s", "%", …
    double factor = 1; ///< of one written unit
    bool isAmbiguous = false; ///< the writer's base is not known
};

/// "B", "bytes", "KiB" to "TiB", "KB" to "TB", "M", "G", "GB_unknown", "ms", "s", "%", "tokens"; empty: a
/// bare number. `binary`: KB, MB and GB are powers of two. None: no unit that is known.
std::optional<Unit> unitOf(std::string_view text, bool binary);

/// "1,234", "1e3", "'2.5'", "nan": in the C locale. None where the text is not a number as a whole.
std::optional<double> parseNumber(std::string_view text);

/// Parses "58.00 MiB", "0 bytes", "2.00GiB", with the rounding that the digits imply; decimal units are read
/// as `binary` says. None if it is not a size, or does not fit.
std::optional<WrittenBytes> parseWrittenBytes(std::string_view text, bool binary);

/// Parses "0:27:55", "1 day, 2:03:04" into seconds. None for anything else.
std::optional<double> parseDuration(std::string_view text);

/// Parses an unsigned integer of at most 18 digits.
std::optional<std::int64_t> parseWhole(std::string_view text);

} // namespace highwater::logs
