#include "importers/log/start_finder.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/characters.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kLongest = 400;
/// Ruler lines and braces do not identify a program.
constexpr std::ptrdiff_t kLeastLetters = 12;
/// Minimum number of lines between two starts: several ranks write the same lines at about the same time.
constexpr std::uint64_t kLeastLines = 20;
/// Most digits of a number. A line may be longer than the compared text, which has no digits, by four
/// numbers.
constexpr std::ptrdiff_t kSlack = 12;
constexpr std::size_t kMostStarts = 1000;

std::string withoutDigits(std::string_view text)
{
    std::string plain(text.substr(0, kLongest));
    std::erase_if(plain, [](char c) { return isDigit(c); });
    return plain;
}

bool isLike(std::string_view text, const std::string& plain)
{
    const auto length = static_cast<std::ptrdiff_t>(std::min(text.size(), kLongest));
    const auto other = static_cast<std::ptrdiff_t>(plain.size());
    return length >= other && length <= other + 4 * kSlack && withoutDigits(text) == plain;
}

} // namespace

bool StartFinder::isStart(std::string_view text, std::uint64_t line, bool hasFigures)
{
    if (text.find_first_not_of(" \t\r") == std::string_view::npos)
        return false;
    if (m_lines.empty()) {
        m_lines.push_back(line);
        m_first = withoutDigits(text);
        return false;
    }
    if (m_second.empty()) {
        m_second = withoutDigits(text);
        if (std::ranges::count_if(m_first, isLetter) < kLeastLetters || m_second == m_first || hasFigures)
            m_first.clear();
        return false;
    }
    if (m_first.empty())
        return false;
    const bool isStart = m_followsFirst && hasFigures && isLike(text, m_second)
        && m_firstAt - m_lines.back() >= kLeastLines && m_lines.size() < kMostStarts;
    m_followsFirst = isLike(text, m_first);
    if (isStart)
        m_lines.push_back(m_firstAt);
    m_firstAt = line;
    return isStart;
}

} // namespace highwater::logs
