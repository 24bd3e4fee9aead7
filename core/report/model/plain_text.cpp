#include "core/report/model/plain_text.h"

#include <algorithm>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kLongestAnchor = 80;
} // namespace

std::string shownText(std::string_view text)
{
    std::string out;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find_first_of("\n\r\t", begin), text.size());
        out += sanitizedText(text.substr(begin, end - begin));
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
