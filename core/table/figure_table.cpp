#include "core/table/figure_table.h"

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

Cell nameCell(const FigureTable& figures, const FigureRow& row)
{
    const std::string name = figures.nameOf ? figures.nameOf(row.id) : row.name;
    std::string line;
    for (const char c : name)
        line += c == '\n' ? std::string(" ← ") : std::string(1, c);
    Cell cell = Cell(name).show(std::move(line)).explain(row.place.empty() ? name : name + "\n" + row.place);
    if (figures.nameOf)
        cell.order = row.id;
    return cell;
}

Cell placeCell(const FigureRow& row)
{
    return textCell(row.place).show(std::string(sourceFileName(row.place)));
}

std::string figuresText(const FigureRow& row, bool hasSelf)
{
    std::string text
        = fmt::format("{} in {}", formatExactBytes(row.bytes), counted(row.count, "block", "blocks"));
    if (hasSelf)
        text += fmt::format("\nof these {} not through what it calls", formatExactBytes(row.selfBytes));
    return text;
}

} // namespace

TableSource figureSource(std::shared_ptr<const FigureTable> figures, std::string title, bool hasSelf)
{
    const auto of = [&figures, hasSelf](auto makeCell) {
        return [figures, hasSelf, makeCell](std::size_t i) {
            const FigureRow& row = figures->rows[i];
            return makeCell(row).explain(figuresText(row, hasSelf));
        };
    };
    const auto ofText = [&figures](auto makeCell) {
        return [figures, makeCell](std::size_t i) { return makeCell(*figures, figures->rows[i]); };
    };
    TableSource table{"figures", {}, {}, figures ? figures->rows.size() : 0};
    table.columns = {{{std::move(title), "key"}, ofText(nameCell)},
        {{"Bytes", "bytes", true, {}, false, false, true},
            of([](const FigureRow& row) { return bytesCell(row.bytes); })},
        {{"Share", "share_per_mille", true, {}, false, false, true},
            of([whole = figures ? figures->whole : 0](
                   const FigureRow& row) { return shareCell(row.bytes, whole); })}};
    if (hasSelf)
        table.columns.push_back({{"Self", "self_bytes", true, "Not through what it calls"},
            of([](const FigureRow& row) { return bytesCell(row.selfBytes); })});
    table.columns.push_back(
        {{"Blocks", "count", true}, of([](const FigureRow& row) { return countCell(row.count); })});
    if (hasSelf)
        table.columns.push_back({{"File", "file"},
            ofText([](const FigureTable&, const FigureRow& row) { return placeCell(row); })});
    if (figures && figures->hasGrades)
        table.columns.push_back({{"Grade", "grade", false, "How far the category can be trusted"},
            ofText([](const FigureTable&, const FigureRow& row) { return gradeCell(row.grade); })});
    return table;
}

} // namespace highwater
