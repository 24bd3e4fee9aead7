#include "core/base/valid_text.h"

namespace highwater {

std::size_t utf8Length(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80 ? 1
        : lead >= 0xC2 && lead < 0xE0      ? 2
        : lead >= 0xE0 && lead < 0xF0      ? 3
        : lead >= 0xF0 && lead < 0xF5      ? 4
                                           : 0;
    if (length == 0 || length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (!isContinuationByte(text[i]))
            return 0;
    if (length > 2) { // overlong forms, surrogates, beyond U+10FFFF
        const auto second = static_cast<unsigned char>(text[1]);
        if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)
            || (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
            return 0;
    }
    return length;
}

void appendUtf8(std::string& text, char32_t codePoint)
{
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((codePoint >> shift) & 0x3F)); };
    if (codePoint < 0x80)
        text += static_cast<char>(codePoint);
    else if (codePoint < 0x800)
        text += {static_cast<char>(0xC0 | (codePoint >> 6)), tail(0)};
    else if (codePoint < 0x10000)
        text += {static_cast<char>(0xE0 | (codePoint >> 12)), tail(6), tail(0)};
    else
        text += {static_cast<char>(0xF0 | (codePoint >> 18)), tail(12), tail(6), tail(0)};
}

std::size_t characterCount(std::string_view text)
{
    const auto continuations = std::count_if(text.begin(), text.end(), isContinuationByte);
    return text.size() - static_cast<std::size_t>(continuations);
}

std::size_t characterStart(std::string_view text, std::size_t offset)
{
    while (offset > 0 && offset < text.size() && isContinuationByte(text[offset]))
        --offset;
    return offset;
}

} // namespace highwater
