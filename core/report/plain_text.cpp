#include "core/report/plain_text.h"

#include <algorithm>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kLongestAnchor = 80;

/// Begins with one of U+202A to U+202E and U+2066 to U+2069, as UTF-8.
bool turnsDirection(std::string_view text)
{
    if (text.size() < 3 || text[0] != '\xE2')
        return false;
    const auto second = static_cast<unsigned char>(text[1]);
    const auto third = static_cast<unsigned char>(text[2]);
    return (second == 0x80 && third >= 0xAA && third <= 0xAE)
        || (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

std::string withoutTurns(std::string text)
{
    for (std::size_t i = text.find('\xE2'); i != std::string::npos; i = text.find('\xE2', i + 1))
        if (turnsDirection(std::string_view(text).substr(i)))
            text.replace(i, 3, "\xEF\xBF\xBD");
    return text;
}

} // namespace

std::string shownText(std::string_view text)
{
    std::string out;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find_first_of("\n\r\t", begin), text.size());
        out += withoutTurns(sanitizedText(text.substr(begin, end - begin)));
        if (end < text.size())
            out += text[end] == '\t' ? '\t' : '\n';
        begin = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
    }
    return out;
}

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string anchorText(std::string_view text)
{
    std::string anchor;
    for (const char c : text.substr(0, 4 * kLongestAnchor)) {
        const char lower = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
        if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9'))
            anchor += lower;
        else if (!anchor.empty() && anchor.back() != '-')
            anchor += '-';
    }
    anchor.resize(std::min(anchor.size(), kLongestAnchor));
    while (anchor.ends_with('-'))
        anchor.pop_back();
    return anchor.empty() ? "unnamed" : anchor;
}

} // namespace highwater
