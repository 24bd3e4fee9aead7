#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The text as documents may show it: line breaks (also CR and CR LF) are "\n", tabs stay, the rest is
/// `sanitizedText`. O(text).
std::string shownText(std::string_view text);

/// The lines of a text without their line breaks; one at least.
std::vector<std::string> linesOf(std::string_view text);

/// Lower-case letters, digits and single hyphens: part of an anchor or of a file's name, of at most 80
/// characters; "unnamed" where nothing is left.
std::string anchorText(std::string_view text);

} // namespace highwater
