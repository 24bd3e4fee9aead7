#include "core/table/composition_tables.h"

#include "core/base/text_format.h"
#include "core/table/cells.h"

namespace highwater {

std::string_view groupTitle(GroupKey key)
{
    switch (key) {
    case GroupKey::Stack: return "Stack";
    case GroupKey::Site: return "Call site";
    case GroupKey::Function: return "Function";
    case GroupKey::File: return "File";
    case GroupKey::Module: return "Module";
    case GroupKey::Category: return "Category";
    case GroupKey::Size: return "Size";
    case GroupKey::Stream: return "Stream";
    case GroupKey::Pool: return "Pool";
    case GroupKey::Allocation: return "Allocation";
    }
    return {};
}

std::optional<Grade> shownGrade(const CompositionGroup& group)
{
    return group.key == toText(Category::Unknown) ? std::nullopt : group.grade();
}

std::size_t shownRowCount(std::size_t rows, std::size_t maxRows)
{
    return rows <= maxRows ? rows : maxRows - 1;
}

std::string othersText(std::size_t others)
{
    return counted(others, "other", "others");
}

Table compositionTable(
    GroupKey key, const Composition& composition, std::size_t maxRows, const GroupName& name)
{
    Table table{"composition", {},
        {{std::string(groupTitle(key)), "key"}, {"Bytes", "bytes", true}, {"Share", "share_per_mille", true},
            {"Allocations", "count", true}}};
    if (key == GroupKey::Category)
        table.columns.push_back({"Grade", "grade"});
    const auto row = [&](std::string title, const CompositionGroup& group) {
        TableRow cells{std::move(title), bytesCell(group.bytes), shareCell(group.bytes, composition.bytes),
            countCell(group.count)};
        if (key == GroupKey::Category)
            cells.push_back(gradeCell(shownGrade(group)));
        return cells;
    };
    const std::vector<CompositionGroup>& groups = composition.groups;
    const std::size_t shown = shownRowCount(groups.size(), maxRows);
    CompositionGroup others;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i < shown) {
            table.rows.push_back(row(name(groups[i]), groups[i]));
        } else {
            others.bytes += groups[i].bytes;
            others.count += groups[i].count;
        }
    }
    table.endsWithRest = shown < groups.size();
    if (table.endsWithRest)
        table.rows.push_back(row(othersText(groups.size() - shown), others));
    CompositionGroup whole;
    whole.bytes = composition.bytes;
    whole.count = composition.count;
    table.total = row("total", whole);
    return table;
}

Table withShapes(Table table, const Composition& composition, const GroupName& shapes)
{
    table.columns.push_back({"May be (inferred from the size)", "shape"});
    const std::vector<CompositionGroup>& groups = composition.groups;
    const std::size_t shown = table.rows.size() < groups.size() ? table.rows.size() - 1 : groups.size();
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        table.rows[i].push_back(i < shown ? textCell(shapes(groups[i])) : Cell());
    table.total.emplace_back();
    return table;
}

} // namespace highwater
