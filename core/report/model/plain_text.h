#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The text in the form that documents may show: line breaks (also CR and CR LF) become "\n", tabs stay,
/// everything else as `sanitizedText`. O(text).
std::string shownText(std::string_view text);

/// The lines of a text without their line breaks; one at least.
std::vector<std::string> linesOf(std::string_view text);

/// Lower-case letters, digits and single hyphens, at most 80 characters, for anchors and file names;
/// "unnamed" if nothing is left.
std::string anchorText(std::string_view text);

} // namespace highwater
