#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace highwater {

/// The words of a text in lines of at most `width` characters: the first line begins after `indent` blanks,
/// the others after `hanging`. A word that is longer than a line has one to itself. A width of 0 makes one
/// line. No newline at the end. Characters are counted as code points. O(size of the text).
std::string wrappedText(std::string_view text, std::size_t width, std::size_t indent, std::size_t hanging);

} // namespace highwater
