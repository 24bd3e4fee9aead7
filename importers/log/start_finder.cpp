#include "importers/log/start_finder.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/characters.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kLongestCompared = 400;
/// Ruler lines and braces do not identify a program.
constexpr std::ptrdiff_t kLeastLetters = 12;
/// Minimum number of lines between two starts: several ranks write the same lines at about the same time.
constexpr std::uint64_t kLeastLines = 20;
/// Most digits of a number. A line may be longer than the compared text, which has no digits, by four
/// numbers.
constexpr std::ptrdiff_t kLongestNumber = 12;
constexpr std::size_t kMaxStarts = 1000;

/// Returns the beginning of the text without its digits.
std::string withoutDigits(std::string_view text)
{
    std::string plain(text.substr(0, kLongestCompared));
    std::erase_if(plain, [](char c) { return isDigit(c); });
    return plain;
}

/// True if the text without its digits is `plain`.
bool equalsWithoutDigits(std::string_view text, const std::string& plain)
{
    const auto length = static_cast<std::ptrdiff_t>(std::min(text.size(), kLongestCompared));
    const auto plainLength = static_cast<std::ptrdiff_t>(plain.size());
    return length >= plainLength && length <= plainLength + 4 * kLongestNumber
        && withoutDigits(text) == plain;
}

} // namespace

bool StartFinder::isStart(std::string_view text, std::uint64_t line, bool hasFigures)
{
    if (text.find_first_not_of(" \t\r") == std::string_view::npos)
        return false;
    if (m_lines.empty()) {
        m_lines.push_back(line);
        m_firstText = withoutDigits(text);
        return false;
    }
    if (m_secondText.empty()) {
        m_secondText = withoutDigits(text);
        if (std::ranges::count_if(m_firstText, isLetter) < kLeastLetters || m_secondText == m_firstText
            || hasFigures)
            m_firstText.clear();
        return false;
    }
    if (m_firstText.empty())
        return false;
    const bool isStart = m_followsFirst && hasFigures && equalsWithoutDigits(text, m_secondText)
        && m_previousLine - m_lines.back() >= kLeastLines && m_lines.size() < kMaxStarts;
    m_followsFirst = equalsWithoutDigits(text, m_firstText);
    if (isStart)
        m_lines.push_back(m_previousLine);
    m_previousLine = line;
    return isStart;
}

} // namespace highwater::logs
