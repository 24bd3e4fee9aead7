#include "core/table/sinks/aligned_text.h"

#include <algorithm>
#include <set>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater {

namespace {

constexpr std::string_view kIndent = "  ";

struct Piece
{
    std::string text;
    CellTone tone = CellTone::Plain;
    bool takesRest = false;
};
using Line = std::vector<Piece>;

/// Adds the lines of a row: as many as its longest cell has.
void addLines(std::vector<Line>& lines, const TableRow& row)
{
    const std::size_t first = lines.size();
    lines.emplace_back(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        std::string rest = cellText(row[i]);
        for (std::size_t lineInCell = 0; !rest.empty(); ++lineInCell) {
            if (first + lineInCell == lines.size())
                lines.emplace_back(row.size());
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            lines[first + lineInCell][i]
                = {std::string(lineInCell > 0 ? kIndent : "") + sanitizedText(rest.substr(0, end)),
                    row[i].tone, row[i].takesRest};
            rest.erase(0, end + 1);
        }
    }
}

std::vector<Line> tableLines(const Table& table)
{
    std::vector<Line> lines(1);
    for (const TableColumn& column : table.columns)
        lines.front().push_back({sanitizedText(column.title)});
    for (const TableRow& row : table.rows)
        addLines(lines, row);
    if (showsTotal(table))
        addLines(lines, table.total);
    return lines;
}

using Widths = std::vector<std::size_t>;

Widths columnWidths(const Table& table, const std::vector<Line>& lines)
{
    Widths widths(table.columns.size(), 0);
    for (const Line& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            if (!line[i].takesRest)
                widths[i] = std::max(widths[i], characterCount(line[i].text));
    return widths;
}

std::size_t lineWidth(const Widths& widths)
{
    std::size_t sum = 0;
    for (const std::size_t width : widths)
        sum += kIndent.size() + width;
    return sum;
}

/// Text columns are not made narrower than this, so that their texts can still be told apart.
constexpr std::size_t kLeastTextWidth = 24;

/// Returns the byte offset that is `characters` characters after `begin`.
std::size_t offsetAfter(const std::string& text, std::size_t begin, std::size_t characters)
{
    std::size_t offset = begin;
    while (characters > 0 && offset < text.size()) {
        ++offset;
        while (offset < text.size() && isContinuationByte(text[offset]))
            ++offset;
        --characters;
    }
    return offset;
}

/// True if the text has a line of code, "model.py:39".
bool hasLine(std::string_view text)
{
    for (std::size_t dot = text.find('.'); dot != text.npos; dot = text.find('.', dot + 1)) {
        const std::size_t colon = std::min(text.find_first_of(" :", dot), text.size() - 1);
        const char next = text[std::min(colon + 1, text.size() - 1)];
        if (text[colon] == ':' && next >= '0' && next <= '9')
            return true;
    }
    return false;
}

/// True if a text begins with a unit of bytes: the number before it says nothing alone.
bool beginsWithUnit(std::string_view text)
{
    const std::string_view word = text.substr(0, text.find_first_of(" ,;)"));
    return word == "B" || (word.size() == 3 && word.ends_with("iB"));
}

/// Returns the first `characters` characters, without the part of a word or of a figure at their end.
std::string wordsBefore(const std::string& text, std::size_t characters)
{
    const std::size_t end = offsetAfter(text, 0, characters);
    std::size_t blank = text.rfind(' ', end);
    if (blank != std::string::npos && blank > 0 && beginsWithUnit(std::string_view(text).substr(blank + 1)))
        blank = text.rfind(' ', blank - 1);
    std::string head = text.substr(0, blank == std::string::npos || blank == 0 ? end : blank);
    for (const std::string_view mark : {" ·", " ←", " →", ",", ";", " "})
        if (head.ends_with(mark))
            head.erase(head.size() - mark.size());
    return head;
}

/// Returns the last `characters` characters, without the part of a word or folder name at their beginning.
std::string wordsAfter(const std::string& text, std::size_t characters)
{
    const std::string tail = text.substr(offsetAfter(text, 0, characterCount(text) - characters));
    const std::size_t begin = tail.find_first_of(" /");
    return begin == std::string::npos ? tail : tail.substr(begin);
}

/// Puts "…" into the middle of the part [begin, end) of a text, so that the text has `width` characters.
/// Returns an empty text if too little of the part would be left.
std::string withoutMiddle(const std::string& text, std::size_t begin, std::size_t end, std::size_t width)
{
    constexpr std::size_t leastKept = 6;
    const std::size_t cut = characterCount(text) - width + 1;
    const std::size_t length = characterCount(text.substr(begin, end - begin));
    if (length < leastKept + cut)
        return {};
    const std::size_t middle = offsetAfter(text, begin, (length - cut + 1) / 2);
    return text.substr(0, middle) + "…" + text.substr(offsetAfter(text, middle, cut));
}

/// Shortens the function of the last place in a text: "forward (a.py:9) ← poli…robs (b.py:186)". If too
/// little of the name would be left, a place after another one loses it: "forward (a.py:9) ← b.py:186".
/// Returns an empty text if that does not fit either.
std::string withShortFunction(const std::string& text, std::size_t width)
{
    const std::size_t open = text.rfind(" (");
    if (open == std::string::npos || !hasLine(std::string_view(text).substr(open)))
        return {};
    const std::size_t before = open == 0 ? std::string::npos : text.find_last_of(" [", open - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    if (std::string cut = withoutMiddle(text, begin, open, width); !cut.empty())
        return cut;
    std::string place = text.substr(0, begin) + text.substr(open + 2);
    if (const std::size_t close = place.rfind(')'); close != std::string::npos)
        place.erase(close, 1);
    return hasLine(text.substr(0, begin)) && characterCount(place) <= width ? place : std::string();
}

/// Shortens the longest of the parts that " · " separates: "backward · ScaledDot…Backward0".
std::string withShortPart(const std::string& text, std::size_t width)
{
    static const std::string kSeparator = " · ";
    std::size_t longest = 0;
    std::size_t longestEnd = 0;
    for (std::size_t begin = 0, end = 0; end < text.size(); begin = end + kSeparator.size()) {
        end = std::min(text.find(kSeparator, begin), text.size());
        if (end - begin > longestEnd - longest) {
            longest = begin;
            longestEnd = end;
        }
    }
    return longestEnd == text.size() && longest == 0 ? std::string()
                                                     : withoutMiddle(text, longest, longestEnd, width);
}

/// Shortens a text: the name of its last function or its longest part loses its middle, then the library call
/// in brackets at its end is omitted. Any other text loses its end, or its beginning if the end has the only
/// line of code or a file name.
std::string shortened(const std::string& text, std::size_t width)
{
    if (characterCount(text) <= width)
        return text;
    if (std::string named = withShortFunction(text, width); !named.empty())
        return named;
    if (const std::size_t bracket = text.rfind(" [");
        bracket != std::string::npos && bracket > 0 && text.ends_with(']'))
        return characterCount(text.substr(0, bracket)) < width ? text.substr(0, bracket) + "…"
                                                               : shortened(text.substr(0, bracket), width);
    if (std::string parts = withShortPart(text, width); !parts.empty())
        return parts;
    const std::string head = wordsBefore(text, width - 1);
    const bool isPath = contains(text, "/") && !contains(text, " ");
    return isPath || (hasLine(text) && !hasLine(head)) ? "…" + wordsAfter(text, width - 1) : head + "…";
}

/// Narrows the widest text columns until a line fits; false if they cannot be narrowed enough.
bool narrowToFit(const Table& table, Widths& widths, std::size_t width)
{
    for (std::size_t total = lineWidth(widths); total > width; --total) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (!table.columns[i].isNumber && widths[i] > kLeastTextWidth
                && (widest == widths.size() || widths[i] > widths[widest]))
                widest = i;
        if (widest == widths.size())
            return false;
        --widths[widest];
    }
    return true;
}

/// True if different names of rows, in the first column, still differ at this width.
bool tellsRowsApart(const std::vector<Line>& lines, std::size_t width)
{
    std::set<std::string> names;
    std::set<std::string> shortNames;
    for (const Line& line : lines)
        if (!line.front().takesRest) {
            names.insert(line.front().text);
            shortNames.insert(shortened(line.front().text, width));
        }
    return names.size() == shortNames.size();
}

/// Narrows the text columns until a line fits. If they cannot be narrowed enough, or rows would have the same
/// name, the columns are split into several blocks; then each text column is only limited to half the width,
/// to leave room for figures, and the first one is as wide as its names need it.
void shrink(const Table& table, const std::vector<Line>& lines, Widths& widths, std::size_t width)
{
    const Widths fullWidths = widths;
    if (narrowToFit(table, widths, width) && tellsRowsApart(lines, widths.front()))
        return;
    widths = fullWidths;
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (!table.columns[i].isNumber)
            widths[i] = std::min(widths[i], std::max(kLeastTextWidth, width / 2));
    while (widths.front() < std::min(fullWidths.front(), width) && !tellsRowsApart(lines, widths.front()))
        ++widths.front();
}

using ColumnNumbers = std::vector<std::size_t>;

/// Returns blocks of columns that fit side by side; each further block repeats the first column.
std::vector<ColumnNumbers> columnBlocks(const Widths& widths, std::size_t width)
{
    std::vector<ColumnNumbers> blocks(1);
    std::size_t usedWidth = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::size_t columnWidth = kIndent.size() + widths[i];
        if (width > 0 && usedWidth + columnWidth > width && blocks.back().size() > 1) {
            blocks.push_back({0});
            usedWidth = kIndent.size() + widths[0];
        }
        blocks.back().push_back(i);
        usedWidth += columnWidth;
    }
    return blocks;
}

/// Gives the room that a block leaves to its texts, except to the names of the rows.
Widths widened(const Table& table, Widths widths, const Widths& fullWidths, const ColumnNumbers& columns,
    std::size_t width)
{
    std::size_t used = 0;
    for (const std::size_t i : columns)
        used += kIndent.size() + widths[i];
    for (const std::size_t i : columns) {
        if (i == 0 || table.columns[i].isNumber || used >= width)
            continue;
        const std::size_t more = std::min(fullWidths[i] - widths[i], width - used);
        widths[i] += more;
        used += more;
    }
    return widths;
}

std::string lineText(const Table& table, const Line& line, const ColumnNumbers& columns, const Widths& widths,
    const ToneText& toned)
{
    std::string text;
    for (const std::size_t i : columns) {
        const std::string plain = line[i].takesRest ? line[i].text : shortened(line[i].text, widths[i]);
        const std::string shown = toned ? toned(line[i].tone, plain) : plain;
        text += kIndent;
        if (line[i].takesRest) {
            text += shown;
            break;
        }
        const std::string padding(widths[i] - characterCount(plain), ' ');
        text += table.columns[i].isNumber ? padding + shown : shown + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
}

} // namespace

std::string alignedText(const Table& table, const ToneText& toned, std::size_t width)
{
    const std::vector<Line> lines = tableLines(table);
    const Widths fullWidths = columnWidths(table, lines);
    Widths widths = fullWidths;
    if (width > 0 && !widths.empty())
        shrink(table, lines, widths, width);
    std::string out;
    for (const ColumnNumbers& columns : columnBlocks(widths, width)) {
        out += out.empty() ? "" : "\n";
        const Widths blockWidths = widened(table, widths, fullWidths, columns, width);
        for (const Line& line : lines)
            out += lineText(table, line, columns, blockWidths, toned);
    }
    if (!table.leftOut.empty())
        out += std::string(kIndent) + sanitizedText(table.leftOut) + '\n';
    return out;
}

} // namespace highwater
