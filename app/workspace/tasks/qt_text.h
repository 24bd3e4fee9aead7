#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <QString>

#include "core/base/units.h"

/// Texts of core as Qt strings.
namespace highwater::gui {

/// What comes from a file may hold anything: bad bytes and control characters are shown as U+FFFD.
QString toQString(std::string_view text);
/// The same, line by line.
QString linesToQString(std::string_view text);

/// One behind the other.
QString joined(const std::vector<std::string>& texts, QChar between);

QString bytesText(Bytes bytes);
QString countText(std::int64_t count);
/// "1 allocation", "28,252 allocations".
QString countedText(std::int64_t count, const char* singular, const char* plural);
/// "event 5,701"; "the start of the trace" for −1.
QString eventText(std::int64_t event);

} // namespace highwater::gui
