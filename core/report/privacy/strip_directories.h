#pragma once

#include <string>
#include <string_view>

namespace highwater {

/// The text with every path in it shortened to its last part: absolute ones, of homes ("~/"), drives and
/// shares, `file:` and other addresses than those of the web, and relative ones whose last part is a file by
/// its extension or that begin like what trainings write ("outputs/team/run-7"). Addresses of the web stay
/// but for the user before their host. Fractions, units, dates and names of modules stay as they are. A path
/// may hold spaces where it is quoted, or where it goes on to a file right behind them; the beginning of a
/// relative path before a space is not seen as a part of it. Of a path that was cut with "…" before its last
/// part that sign stays alone. O(text).
std::string withoutDirectories(std::string_view text);

} // namespace highwater
