#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Returns the text in the form that documents may show: line breaks (also CR and CR LF) become "\n", tabs
/// stay, everything else as in `sanitizedText`. O(text).
std::string shownText(std::string_view text);

/// Returns the lines of a text without their line breaks; at least one.
std::vector<std::string> linesOf(std::string_view text);

/// Returns lower-case letters, digits and single hyphens, at most 80 characters, for anchors and file names;
/// "unnamed" if nothing is left.
std::string anchorText(std::string_view text);

} // namespace highwater
