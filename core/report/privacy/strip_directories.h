#pragma once

#include <string>
#include <string_view>

namespace highwater {

/// Returns the text with every path in it shortened to its last part: absolute paths, those in homes ("~/"),
/// on drives and shares, `file:` and other addresses except web addresses, and relative paths whose last part
/// has a file extension or that begin like typical output folders ("outputs/team/run-7"). Web addresses are
/// kept except for the user name before the host. Fractions, units, dates and module names are kept. A path
/// may contain spaces if it is quoted, or if the text after them continues to a file. In a relative path the
/// part before a space is not recognised. A path that was truncated with "…" before its last part becomes
/// "…". O(text).
std::string withoutDirectories(std::string_view text);

} // namespace highwater
