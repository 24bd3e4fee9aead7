#pragma once

#include <string_view>

#include <re2/stringpiece.h>

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

} // namespace highwater::logs
