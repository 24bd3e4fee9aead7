#include "core/table/figure_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/stacks/call_tree.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

Cell labelCell(const std::string& name, const std::string& place)
{
    std::string line;
    for (const char c : name)
        line += c == '\n' ? std::string(" ← ") : std::string(1, c);
    return Cell(name).show(std::move(line)).explain(place.empty() ? name : name + "\n" + place);
}

Cell sourceCell(const FigureRow& row)
{
    return textCell(row.place).show(std::string(sourceFileName(row.place)));
}

constexpr const char* kSelfTip = "Excluding its callees";

/// Returns the columns of a table of figures. `self` describes the column of self bytes; null omits it and
/// the column of files.
template <typename RowAt, typename NameOf>
std::vector<SourceColumn> figureColumns(
    const RowAt& rowAt, const NameOf& nameOf, Bytes whole, std::string title, const TableColumn* self)
{
    const auto cellOfRow = [&](auto makeCell) {
        return [rowAt, makeCell](std::size_t i) {
            const FigureRow& row = rowAt(i);
            return makeCell(row);
        };
    };
    const auto withTip = [&, hasSelfBytes = self && self->tip == kSelfTip](auto makeCell) {
        return cellOfRow([makeCell, hasSelfBytes](const FigureRow& row) {
            std::string text = fmt::format(
                "{} in {}", formatExactBytes(row.bytes), counted(row.count, "allocation", "allocations"));
            if (hasSelfBytes)
                text += fmt::format("\n{} of it excluding its callees", formatExactBytes(row.selfBytes));
            return makeCell(row).explain(std::move(text));
        });
    };
    std::vector<SourceColumn> columns = {{{std::move(title), "key"}, cellOfRow(nameOf)},
        {{"Bytes", "bytes", true, {}, false, false, true},
            withTip([](const FigureRow& row) { return bytesCell(row.bytes); })},
        {{"Share", "share_per_mille", true, {}, false, false, true},
            withTip([whole](const FigureRow& row) { return shareCell(row.bytes, whole); })}};
    if (self)
        columns.push_back({*self, withTip([](const FigureRow& row) { return bytesCell(row.selfBytes); })});
    columns.push_back(
        {{"Allocations", "count", true}, withTip([](const FigureRow& row) { return countCell(row.count); })});
    if (self)
        columns.push_back({{"File", "file"}, cellOfRow(sourceCell)});
    return columns;
}

} // namespace

TableSource figureSource(std::shared_ptr<const FigureTable> figures, std::string title, bool hasSelf)
{
    const TableColumn self{"Self", "self_bytes", true, kSelfTip};
    const auto nameOf = [figures](const FigureRow& row) {
        if (!figures->nameOf && row.order)
            return labelCell(row.name, row.place).sortBy(*row.order);
        if (!figures->nameOf)
            return labelCell(row.name, row.place);
        return labelCell(figures->nameOf(row.id), {}).sortBy(row.id);
    };
    const auto rowAt = [figures](std::size_t i) -> const FigureRow& { return figures->rows[i]; };
    TableSource table{"figures", {},
        figureColumns(
            rowAt, nameOf, figures ? figures->whole : 0, std::move(title), hasSelf ? &self : nullptr),
        figures ? figures->rows.size() : 0};
    if (figures && figures->categoryOf)
        table.columns.push_back({{"Category", "category"},
            [rowAt, figures](std::size_t i) { return textCell(figures->categoryOf(rowAt(i).id)); }});
    if (figures && std::ranges::any_of(figures->rows, [](const FigureRow& row) { return row.keptBytes > 0; }))
        table.columns.push_back(
            {{"Kept", "kept_bytes", true, "Kept from earlier steps"}, [rowAt](std::size_t i) {
                 const Bytes kept = rowAt(i).keptBytes;
                 return kept > 0 ? bytesCell(kept) : Cell();
             }});
    if (figures && figures->hasGrades)
        table.columns.push_back({{"Grade", "grade", false, "Grade of the category"},
            [rowAt](std::size_t i) { return gradeCell(rowAt(i).grade); }});
    return table;
}

TableSource callTreeSource(std::shared_ptr<const CallTree> tree)
{
    const bool isBottomUp = tree && tree->direction == CallDirection::BottomUp;
    const TableColumn self{isBottomUp ? "Outermost" : "Self", "self_bytes", true,
        isBottomUp ? "Allocations whose stack begins here; the function has no caller" : kSelfTip};
    const auto nameOf = [](const FigureRow& row) { return labelCell(row.name, row.place); };
    const auto rowAt = [tree](std::size_t i) {
        const CallNode& node = tree->nodes[i];
        const CallFunction& function = tree->functionOf(node);
        return FigureRow{
            function.label(), node.total.bytes, node.total.count, node.self.bytes, function.file};
    };
    return {"call-tree", {},
        figureColumns(rowAt, nameOf, tree ? tree->nodes.front().total.bytes : 0,
            isBottomUp ? "Function (callers below)" : "Function (callees below)", &self),
        tree ? tree->nodes.size() : 0};
}

} // namespace highwater
