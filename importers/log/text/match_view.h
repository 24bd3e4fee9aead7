#pragma once

#include <string_view>

#include <re2/stringpiece.h>

namespace highwater::logs {

/// What a group matched, whichever type re2 has for it. Lives as long as the text it was found in.
inline std::string_view view(const re2::StringPiece& piece)
{
    return {piece.data(), piece.size()};
}

/// The other way: newer RE2 takes no std::string_view.
inline re2::StringPiece piece(std::string_view text)
{
    return {text.data(), text.size()};
}

} // namespace highwater::logs
