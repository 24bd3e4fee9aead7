#include "core/report/markdown/markdown_rich_text.h"

#include <algorithm>

#include "core/base/characters.h"
#include "core/report/markdown/markdown_text.h"
#include "core/report/model/plain_text.h"

namespace highwater {

namespace {

using Lines = std::vector<std::string>;

bool isPlainCharacter(char c)
{
    return isDigit(c) || isLetter(c);
}

/// A style. It is written between two marks where Markdown recognises them (between a space and a letter),
/// else as an HTML element.
struct MarkPair
{
    std::string_view mark;
    std::string_view element;
};

void applyStyle(std::string& text, const MarkPair& pair, bool canUseMarks)
{
    if (canUseMarks)
        text = std::string(pair.mark) + text + std::string(pair.mark);
    else
        text = "<" + std::string(pair.element) + ">" + text + "</" + std::string(pair.element) + ">";
}

/// Returns an address between angle brackets, where few characters have a meaning.
std::string linkTarget(const std::string& link)
{
    std::string out = "<";
    for (const char c : shownText(link)) {
        switch (c) {
        case '<': out += "%3C"; break;
        case '>': out += "%3E"; break;
        case '\\': out += "%5C"; break;
        case '&': out += "\\&"; break;
        case ' ':
        case '\n':
        case '\t': out += "%20"; break;
        default: out += c;
        }
    }
    return out + ">";
}

/// Returns a span as part of its line. `before` is the text already written; `next` is the span that follows,
/// or null.
std::string spanText(const RichSpan& span, const std::string& before, const RichSpan* next)
{
    std::string text;
    if (span.code)
        appendMarkdownCode(text, span.text);
    else
        appendMarkdown(text, span.text);
    if (text.find_first_not_of(' ') == std::string::npos)
        return text;
    const bool isBetweenSpaces
        = (before.empty() || before.back() == ' ') && (!next || next->text.empty() || next->text[0] == ' ');
    const int marks = span.strong + span.emphasis + span.struck;
    const bool canUseMarks
        = isBetweenSpaces && marks == 1 && isPlainCharacter(text.front()) && isPlainCharacter(text.back());
    if (span.struck)
        applyStyle(text, {"~~", "del"}, canUseMarks);
    if (span.emphasis)
        applyStyle(text, {"*", "em"}, canUseMarks);
    if (span.strong)
        applyStyle(text, {"**", "strong"}, canUseMarks);
    if (!span.link.empty())
        text = "[" + text + "](" + linkTarget(span.link) + ")";
    return before.ends_with('`') && text.starts_with('`') ? "<!-- -->" + text : text;
}

std::string lineOf(const std::vector<RichSpan>& spans)
{
    std::string line;
    for (std::size_t i = 0; i < spans.size(); ++i)
        line += spanText(spans[i], line, i + 1 < spans.size() ? &spans[i + 1] : nullptr);
    return markdownLine(std::move(line));
}

bool isList(const RichBlock& block)
{
    return block.kind == RichBlockKind::Bullets || block.kind == RichBlockKind::Numbers;
}

class MarkdownBlocks
{
public:
    explicit MarkdownBlocks(int headingLevel)
        : m_base(headingLevel)
    {
    }

    Lines linesOfBlocks(const std::vector<RichBlock>& blocks) const;

private:
    Lines linesOfBlock(const RichBlock& block) const;
    Lines linesOfList(const RichBlock& list) const;

    int m_base;
};

/// Appends lines, the first after `first`, all others after `others`; empty ones without trailing spaces.
void appendIndented(Lines& lines, const Lines& more, const std::string& first, const std::string& others)
{
    for (std::size_t i = 0; i < more.size(); ++i) {
        std::string line = (i == 0 ? first : others) + more[i];
        line.erase(more[i].empty() ? line.find_last_not_of(' ') + 1 : line.size());
        lines.push_back(std::move(line));
    }
}

Lines MarkdownBlocks::linesOfBlocks(const std::vector<RichBlock>& blocks) const
{
    Lines lines;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Lines block = linesOfBlock(blocks[i]);
        if (block.empty())
            continue;
        if (!lines.empty())
            lines.emplace_back();
        if (i > 0 && isList(blocks[i])
            && blocks[i].kind == blocks[i - 1].kind) // otherwise both lists would become one
            appendIndented(lines, {"<!-- -->", ""}, "", "");
        appendIndented(lines, block, "", "");
    }
    return lines;
}

Lines MarkdownBlocks::linesOfList(const RichBlock& list) const
{
    Lines lines;
    const bool isTight = std::all_of(list.blocks.begin(), list.blocks.end(),
        [](const RichBlock& item) { return item.blocks.size() <= 1; });
    int number = list.level;
    for (const RichBlock& item : list.blocks) {
        const std::string marker
            = list.kind == RichBlockKind::Bullets ? "- " : std::to_string(number++) + ". ";
        Lines content = linesOfBlocks(item.blocks);
        if (content.empty())
            content.emplace_back();
        if (!lines.empty() && !isTight)
            lines.emplace_back();
        appendIndented(lines, content, marker, std::string(marker.size(), ' '));
    }
    return lines;
}

Lines codeLines(const RichBlock& block)
{
    std::string fence = markdownFence(block.spans.empty() ? std::string() : block.spans[0].text);
    fence.pop_back();
    return linesOf(fence);
}

Lines MarkdownBlocks::linesOfBlock(const RichBlock& block) const
{
    Lines lines;
    switch (block.kind) {
    case RichBlockKind::Paragraph:
        if (const std::string line = lineOf(block.spans); !line.empty())
            lines.push_back(line);
        break;
    case RichBlockKind::Heading:
        lines.push_back(std::string(static_cast<std::size_t>(std::min(m_base + block.level, 6)), '#') + " "
            + lineOf(block.spans));
        break;
    case RichBlockKind::Code: lines = codeLines(block); break;
    case RichBlockKind::Quote: appendIndented(lines, linesOfBlocks(block.blocks), "> ", "> "); break;
    case RichBlockKind::Bullets:
    case RichBlockKind::Numbers: lines = linesOfList(block); break;
    case RichBlockKind::Item: lines = linesOfBlocks(block.blocks); break;
    case RichBlockKind::Rule: lines.emplace_back("---"); break;
    }
    return lines;
}

} // namespace

std::string toMarkdown(const RichText& text, int headingLevel)
{
    std::string out;
    for (const std::string& line : MarkdownBlocks(headingLevel).linesOfBlocks(text))
        out += line + "\n";
    return out;
}

} // namespace highwater
