#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace highwater {

/// Returns the words of a text, which blanks separate, in lines of at most `width` characters (code points),
/// without a newline at the end. The first line begins after `indent` blanks, the others after `hanging`
/// blanks. A word that is longer than a line has a line to itself. A width of 0 makes one line.
std::string wrappedText(std::string_view text, std::size_t width, std::size_t indent, std::size_t hanging);

} // namespace highwater
