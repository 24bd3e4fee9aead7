#pragma once

#include <string_view>

#include <re2/stringpiece.h>

namespace highwater::logs {

/// Converts a group's match, whichever type re2 uses for it. Valid as long as the text it was found in.
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
