#include "importers/kineto/broken_text.h"

#include <algorithm>

namespace highwater::kineto {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kEventsKey = "\"traceEvents\"";

/// Returns the position of the next character that is not in `blanks`; the text's size if there is none.
std::size_t skipBlanks(std::string_view text, std::size_t position, std::string_view blanks = kBlanks)
{
    return std::min(text.find_first_not_of(blanks, position), text.size());
}

} // namespace

BrokenText splitBrokenText(std::string_view text)
{
    const std::size_t start = skipBlanks(text, 0, " \t\r\n\xEF\xBB\xBF");
    if (text.substr(start).starts_with('['))
        return {{}, start + 1};
    const std::size_t key = text.find(kEventsKey);
    if (key == std::string_view::npos)
        return {{}, text.size()};
    const std::size_t colon = skipBlanks(text, key + kEventsKey.size());
    const std::size_t bracket = skipBlanks(text, std::min(colon + 1, text.size()));
    if (colon >= text.size() || bracket >= text.size() || text[colon] != ':' || text[bracket] != '[')
        return {{}, text.size()};
    const std::size_t last = text.substr(0, key).find_last_not_of(" \t\r\n,");
    std::string head(text.substr(start, last == std::string_view::npos ? 0 : last + 1 - start));
    return {head + "}", bracket + 1};
}

std::string entriesAfterEvents(std::string_view text, std::size_t position)
{
    const std::size_t first = skipBlanks(text, position, " \t\r\n,");
    return "{" + std::string(text.substr(first));
}

std::size_t lastEventComma(std::string_view text)
{
    for (std::size_t comma = text.rfind(','); comma != 0 && comma != std::string_view::npos;
         comma = text.rfind(',', comma - 1)) {
        const std::size_t previous = text.find_last_not_of(kBlanks, comma - 1);
        const std::size_t next = skipBlanks(text, comma + 1);
        if (previous != std::string_view::npos && text[previous] == '}' && next < text.size()
            && text[next] == '{')
            return comma;
    }
    return 0;
}

TextRange EventFinder::objectAt(std::size_t begin) const
{
    const std::size_t last = std::min(m_text.size(), begin + kMaxEventBytes);
    bool inText = false;
    std::size_t depth = 0;
    for (std::size_t i = begin; i < last; ++i) {
        const char c = m_text[i];
        if (inText) {
            i += c == '\\';
            inText = c != '"';
        } else if (c == '"') {
            inText = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return {begin, i + 1, true};
        }
    }
    return {begin, last, false};
}

std::optional<TextRange> EventFinder::next()
{
    m_position = skipBlanks(m_text, m_position, " \t\r\n,");
    if (m_position >= m_text.size())
        return std::nullopt;
    if (m_text[m_position] == ']') {
        m_sawEnd = true;
        ++m_position;
        return std::nullopt;
    }
    const TextRange range
        = m_text[m_position] == '{' ? objectAt(m_position) : TextRange{m_position, m_position + 1, false};
    m_position = range.end;
    return range;
}

bool EventFinder::skipToNextEvent(const TextRange& range)
{
    std::size_t key = range.begin;
    while ((key = m_text.find("\"ph\"", key + 1)) != std::string_view::npos) {
        const std::size_t brace = m_text.find_last_not_of(kBlanks, key - 1);
        if (brace != std::string_view::npos && brace > range.begin && m_text[brace] == '{') {
            m_position = brace;
            return true;
        }
    }
    return false;
}

} // namespace highwater::kineto
