#include "core/table/aligned_text.h"

#include <algorithm>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::string_view kIndent = "  ";

std::size_t characterCount(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

struct Piece
{
    std::string text;
    CellTone tone = CellTone::Plain;
    bool takesRest = false;
};
using Line = std::vector<Piece>;

/// A line for each that the texts of the row have.
void addLines(std::vector<Line>& lines, const TableRow& row)
{
    const std::size_t first = lines.size();
    lines.emplace_back(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        std::string rest = cellText(row[i]);
        for (std::size_t below = 0; !rest.empty(); ++below) {
            if (first + below == lines.size())
                lines.emplace_back(row.size());
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            lines[first + below][i]
                = {std::string(below > 0 ? kIndent : "") + sanitizedText(rest.substr(0, end)), row[i].tone,
                    row[i].takesRest};
            rest.erase(0, end + 1);
        }
    }
}

std::vector<Line> linesOf(const Table& table)
{
    std::vector<Line> lines(1);
    for (const TableColumn& column : table.columns)
        lines.front().push_back({column.title});
    for (const TableRow& row : table.rows)
        addLines(lines, row);
    if (!table.total.empty())
        addLines(lines, table.total);
    return lines;
}

} // namespace

std::string alignedText(const Table& table, const ToneText& toned)
{
    const std::vector<Line> lines = linesOf(table);
    std::vector<std::size_t> widths(table.columns.size(), 0);
    for (const Line& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            if (!line[i].takesRest)
                widths[i] = std::max(widths[i], characterCount(line[i].text));
    std::string out;
    for (const Line& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string shown = toned ? toned(line[i].tone, line[i].text) : line[i].text;
            text += kIndent;
            if (line[i].takesRest) {
                text += shown;
                break;
            }
            const std::string padding(widths[i] - characterCount(line[i].text), ' ');
            text += table.columns[i].isNumber ? padding + shown : shown + padding;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + '\n';
    }
    if (!table.leftOut.empty())
        out += std::string(kIndent) + sanitizedText(table.leftOut) + '\n';
    return out;
}

} // namespace highwater
