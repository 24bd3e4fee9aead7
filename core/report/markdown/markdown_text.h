#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater {

/// Where a text of Markdown stands.
enum class MarkdownPlace : std::uint8_t
{
    Line, ///< a paragraph, an item or a heading
    Cell ///< a cell of a table: bars are kept from ending it
};

/// Any text so that GitHub's Markdown shows it as it is: what has a meaning is escaped by a backslash; words
/// in which GitHub sees a mention, an issue, a commit, an emoji or an address are code, since only that keeps
/// it from them and copies as it reads. Line breaks are `<br>`, spaces at the ends are left out. O(text).
std::string markdownText(std::string_view text, MarkdownPlace place = MarkdownPlace::Line);

/// Appends a part of a line as markdownText writes it, with one space where it has any at its ends. A line
/// that is put together of parts is finished by `markdownLine`.
void appendMarkdown(std::string& out, std::string_view text, MarkdownPlace place = MarkdownPlace::Line);

/// The text as code between as many backticks as it takes.
void appendMarkdownCode(std::string& out, std::string_view text, MarkdownPlace place = MarkdownPlace::Line);

/// The line without spaces at its ends, and never the beginning of a list or of anything else that a line's
/// first characters make.
std::string markdownLine(std::string line);

/// Lines of code between fences that do not occur in it, with a line break at the end.
std::string markdownFence(std::string_view text);

} // namespace highwater
