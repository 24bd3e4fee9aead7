#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <QString>

#include "core/base/units.h"

/// Converts texts, sizes and counts of core to Qt strings for the user.
namespace highwater::gui {

/// Converts text from a file, which may contain anything: bad bytes and control characters become U+FFFD.
QString toQString(std::string_view text);
/// Does the same as `toQString`, but keeps line breaks.
QString linesToQString(std::string_view text);

/// Converts the texts and joins them.
QString joined(const std::vector<std::string>& texts, QChar separator);

QString bytesText(Bytes bytes);
QString countText(std::int64_t count);
/// Returns "1 allocation", "28,252 allocations".
QString countedText(std::int64_t count, const char* singular, const char* plural);
/// Returns "event 5,701"; "the start of the trace" for −1.
QString eventText(std::int64_t event);

} // namespace highwater::gui
