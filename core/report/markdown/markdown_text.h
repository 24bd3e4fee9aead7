#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater {

/// The position of a text in Markdown.
enum class MarkdownPlace : std::uint8_t
{
    Line, ///< A paragraph, an item or a heading
    Cell ///< A cell of a table: bars are escaped
};

/// Escapes a text so that GitHub's Markdown shows it unchanged: special characters get a backslash; words
/// that GitHub would turn into a mention, an issue, a commit, an emoji or an address become code, the only
/// form that prevents this and can still be copied as shown. Line breaks become `<br>`, spaces at both ends
/// are removed. O(text).
std::string markdownText(std::string_view text, MarkdownPlace place = MarkdownPlace::Line);

/// Appends part of a line in the form of markdownText, with one space for any spaces at its ends. Call
/// `markdownLine` on a line that was assembled from parts.
void appendMarkdown(std::string& out, std::string_view text, MarkdownPlace place = MarkdownPlace::Line);

/// Appends the text as code between as many backticks as needed; nothing if it is blank.
void appendMarkdownCode(std::string& out, std::string_view text, MarkdownPlace place = MarkdownPlace::Line);

/// Returns the line without spaces at its ends, escaped so that its first characters never begin a list or
/// another block.
std::string markdownLine(std::string line);

/// Returns the text as a code block whose fences do not occur in it, with a line break at the end.
std::string markdownFence(std::string_view text);

} // namespace highwater
