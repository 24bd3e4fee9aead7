#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace highwater {

/// Returns the length in bytes of the valid UTF-8 character at the start of a non-empty text; 0 if there is
/// none.
std::size_t utf8Length(std::string_view text);

/// True for a byte of a UTF-8 character that is not its first.
constexpr bool isContinuationByte(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Appends a code point, at most 0x10FFFF, as UTF-8.
void appendUtf8(std::string& text, char32_t codePoint);

/// Returns the number of characters (code points) of a text that is UTF-8. O(n).
std::size_t characterCount(std::string_view text);

/// Returns the offset of the character of UTF-8 that contains the byte at `offset`; an offset at or past the
/// end is returned as it is. A text that is cut there ends with a whole character.
std::size_t characterStart(std::string_view text, std::size_t offset);

/// Returns `text` with U+FFFD for each byte that is not part of a UTF-8 character, and for each character for
/// which `isUnwanted` (given its bytes as a view) is true. O(n).
template <typename IsUnwanted>
std::string replaceUnwanted(std::string_view text, const IsUnwanted& isUnwanted)
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

/// Returns the text with U+FFFD for each byte that is not part of a UTF-8 character, since SQLite and Python
/// insist on valid UTF-8.
inline std::string validText(std::string_view text)
{
    return replaceUnwanted(text, [](std::string_view) { return false; });
}

/// Returns the text; one longer than `maxBytes` is cut there, between characters, and "…" is added.
inline std::string cutText(std::string_view text, std::size_t maxBytes)
{
    if (text.size() <= maxBytes)
        return std::string(text);
    return std::string(text.substr(0, characterStart(text, maxBytes))) + "…";
}

} // namespace highwater
