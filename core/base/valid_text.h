#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace highwater {

/// Bytes of the valid UTF-8 character that a text, which is not empty, begins with; 0: it begins with none.
std::size_t utf8Length(std::string_view text);

/// `text` with U+FFFD for each byte that is no part of a UTF-8 character, and for each character (its bytes,
/// as a view) that `isUnwanted`. O(n).
template <typename IsUnwanted>
std::string textWithout(std::string_view text, const IsUnwanted& isUnwanted)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        if (length == 0 || isUnwanted(text.substr(0, length)))
            out += "\xEF\xBF\xBD";
        else
            out.append(text.substr(0, length));
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

/// Text from a file as what insists on UTF-8 (SQLite, Python) takes it.
inline std::string validText(std::string_view text)
{
    return textWithout(text, [](std::string_view) { return false; });
}

/// At most so many bytes of `text`, cut between characters and then ended with "…".
inline std::string cutText(std::string_view text, std::size_t mostBytes)
{
    if (text.size() <= mostBytes)
        return std::string(text);
    std::size_t end = mostBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return std::string(text.substr(0, end)) + "…";
}

} // namespace highwater
