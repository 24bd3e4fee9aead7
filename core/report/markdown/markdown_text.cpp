#include "core/report/markdown/markdown_text.h"

#include <algorithm>

#include "core/base/characters.h"
#include "core/base/text_parts.h"
#include "core/report/model/plain_text.h"

namespace highwater {

namespace {

bool isWordCharacter(char c)
{
    return isDigit(c) || isLetter(c) || static_cast<unsigned char>(c) >= 0x80;
}

/// True for a word that can name an emoji, unlike the 42 of "trainer.py:42:" and the "42)" of
/// "(trainer.py:42):". The numbers 100 and 1234 name emojis, too.
bool isEmojiName(std::string_view name)
{
    const bool isNumber = std::all_of(name.begin(), name.end(), isDigit);
    return std::all_of(name.begin(), name.end(), [](char c) {
        return isWordCharacter(c) || c == '_' || c == '-' || c == '+';
    }) && (!isNumber || name == "100" || name == "1234");
}

/// True if the word contains a name between colons, like ":tada:", which GitHub may replace by an emoji. Also
/// true for "std::vector::size".
bool hasEmoji(std::string_view word)
{
    std::size_t first = word.find(':');
    while (first != std::string_view::npos) {
        const std::size_t second = word.find(':', first + 1);
        if (second != std::string_view::npos && second > first + 1
            && isEmojiName(word.substr(first + 1, second - first - 1)))
            return true;
        first = second;
    }
    return false;
}

/// True if the word contains seven or more hexadecimal digits, both letters and numbers, like a commit's
/// hash.
bool hasCommit(std::string_view word)
{
    std::size_t length = 0, digits = 0;
    for (std::size_t i = 0; i <= word.size(); ++i) {
        const char c = i < word.size() ? word[i] : ' ';
        if (isDigit(c) || (c >= 'a' && c <= 'f')) {
            ++length;
            digits += isDigit(c) ? 1 : 0;
            continue;
        }
        if (length >= 7 && digits > 0 && digits < length && !isWordCharacter(c))
            return true;
        length = digits = 0;
    }
    return false;
}

/// True if GitHub would link or replace the word although it contains no Markdown.
bool isLinkedByGitHub(std::string_view word)
{
    for (std::size_t i = 0; i + 1 < word.size(); ++i)
        if ((word[i] == '@' && isWordCharacter(word[i + 1])) || (word[i] == '#' && isDigit(word[i + 1])))
            return true;
    const std::string lower = lowered(word);
    const std::size_t issue = lower.find("gh-");
    return lower.find("://") != std::string::npos || lower.find("www.") != std::string::npos
        || lower.find("mailto:") != std::string::npos || lower.find("xmpp:") != std::string::npos
        || (issue != std::string::npos && issue + 3 < lower.size() && isDigit(lower[issue + 3]))
        || hasEmoji(lower) || hasCommit(lower);
}

void appendEscaped(std::string& out, std::string_view word)
{
    for (const char c : word) {
        if (std::string_view("\\`*_[]<>|~&$#").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
}

std::size_t longestSequence(std::string_view text, char character)
{
    std::size_t longest = 0, length = 0;
    for (const char c : text) {
        length = c == character ? length + 1 : 0;
        longest = std::max(longest, length);
    }
    return longest;
}

/// Appends code in a cell, where a bar must be escaped even in code. The code must not contain a backslash
/// before a bar, since that backslash could not be escaped.
void appendCellCode(std::string& out, std::string_view text)
{
    for (const char c : text) {
        if (c == '|')
            out += '\\';
        out += c;
    }
}

/// Appends the text as a `<code>` element, for texts that Markdown's own code cannot represent.
void appendCodeElement(std::string& out, std::string_view text)
{
    out += "<code>";
    for (const char c : text) {
        if (isWordCharacter(c))
            out += c;
        else
            out += "&#" + std::to_string(static_cast<int>(c)) + ';';
    }
    out += "</code>";
}

void appendWord(std::string& out, std::string_view word, MarkdownPlace place)
{
    if (isLinkedByGitHub(word))
        appendMarkdownCode(out, word, place);
    else
        appendEscaped(out, word);
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t';
}

void appendOneLine(std::string& out, std::string_view line, MarkdownPlace place)
{
    for (std::size_t begin = 0; begin < line.size();) {
        if (isSpace(line[begin])) {
            const auto next
                = std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), isSpace);
            begin = static_cast<std::size_t>(next - line.begin());
            out += ' ';
            continue;
        }
        const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
        appendWord(out, line.substr(begin, end - begin), place);
        begin = end;
    }
}

/// True for "-5", "+3.61": a sign, not a list marker.
bool startsNumber(std::string_view line)
{
    return line.size() > 1 && isDigit(line[1]);
}

} // namespace

void appendMarkdownCode(std::string& out, std::string_view text, MarkdownPlace place)
{
    std::string code = shownText(text);
    std::replace(code.begin(), code.end(), '\n', ' ');
    if (code.find_first_not_of(' ') == std::string::npos)
        return;
    if (out.ends_with('`'))
        out += "<!-- -->"; // otherwise two sequences of backticks would merge
    if (place == MarkdownPlace::Cell && code.find("\\|") != std::string::npos) {
        appendCodeElement(out, code);
        return;
    }
    const std::string ticks(longestSequence(code, '`') + 1, '`');
    const bool needsSpace
        = code.front() == '`' || code.back() == '`' || (code.front() == ' ' && code.back() == ' ');
    out += ticks + (needsSpace ? " " : "");
    if (place == MarkdownPlace::Cell)
        appendCellCode(out, code);
    else
        out += code;
    out += (needsSpace ? " " : "") + ticks;
}

void appendMarkdown(std::string& out, std::string_view text, MarkdownPlace place)
{
    const std::vector<std::string> lines = linesOf(shownText(text));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        out += i > 0 ? "<br>" : "";
        appendOneLine(out, lines[i], place);
    }
}

std::string markdownLine(std::string line)
{
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos)
        return {};
    line.erase(0, first);
    line.erase(line.find_last_not_of(' ') + 1);
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    const std::string_view afterDigits = std::string_view(line).substr(digits);
    const bool isNumbered = digits > 0 && (afterDigits.starts_with('.') || afterDigits.starts_with(')'));
    if (isNumbered && (afterDigits.size() == 1 || afterDigits[1] == ' '))
        line.insert(digits, 1, '\\');
    else if (line[0] == '='
        || (std::string_view("-+").find(line[0]) != std::string_view::npos && !startsNumber(line)))
        line.insert(0, 1, '\\');
    return line;
}

std::string markdownText(std::string_view text, MarkdownPlace place)
{
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    std::string out;
    appendMarkdown(out, text.substr(first, last == std::string_view::npos ? 0 : last + 1 - first), place);
    return markdownLine(std::move(out));
}

std::string markdownFence(std::string_view text)
{
    const std::string code = shownText(text);
    const std::string fence(std::max<std::size_t>(3, longestSequence(code, '`') + 1), '`');
    return fence + "\n" + code + (code.ends_with('\n') ? "" : "\n") + fence + "\n";
}

} // namespace highwater
