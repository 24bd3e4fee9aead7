#pragma once

#include <string_view>

#include <re2/re2.h>

namespace highwater::logs {

/// Converts a match of re2 to a view into the matched text.
inline std::string_view view(const re2::StringPiece& piece)
{
    return {piece.data(), piece.size()};
}

/// Converts back, because newer RE2 does not accept std::string_view.
inline re2::StringPiece piece(std::string_view text)
{
    return {text.data(), text.size()};
}

/// Returns the text of a named group of a match; empty if there is no such group or it did not match.
inline std::string_view namedGroupText(
    const re2::RE2& regex, const re2::StringPiece* groups, const char* name)
{
    const auto found = regex.NamedCapturingGroups().find(name);
    return found == regex.NamedCapturingGroups().end() ? std::string_view() : view(groups[found->second]);
}

} // namespace highwater::logs
