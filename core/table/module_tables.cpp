#include "core/table/module_tables.h"

#include "core/table/category_columns.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

std::string titleOf(const ModuleTable& modules, const ModuleRow& row, ModuleTitles titles)
{
    const int depth = titles == ModuleTitles::Indented ? row.depth : 0;
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    return row.module.isNone() ? std::string(titleOf(row.reason)) : indent + modules.name(row.module);
}

void addModuleFigures(TableRow& cells, const ModuleBytes& sum, const std::vector<Category>& categories)
{
    cells.push_back(bytesCell(sum.bytes));
    for (const Category category : categories) {
        const Bytes bytes = sum.byCategory[static_cast<std::size_t>(category)];
        cells.push_back(bytes > 0 ? bytesCell(bytes) : Cell());
    }
    cells.push_back(countCell(sum.allocations));
}

/// Returns "frames, backward": the sources that identified the module, most reliable first.
std::string sourcesOf(const ModuleBytes& sum)
{
    std::string text;
    for (std::size_t i = 0; i < kModuleSources; ++i)
        if (sum.bySource[i] > 0)
            text += (text.empty() ? "" : ", ") + std::string(toText(static_cast<ModuleSource>(i)));
    return text;
}

} // namespace

Table moduleTreeTable(const ModuleTable& modules, const std::vector<ModuleRow>& rows, ModuleTitles titles)
{
    ModuleBytes sum;
    std::vector<CategoryBytes> outermost;
    for (const ModuleRow& row : rows)
        if (row.depth == 0) {
            outermost.push_back(row.all.byCategory);
            sum.bytes += row.all.bytes;
            sum.allocations += row.all.allocations;
            for (std::size_t i = 0; i < kCategoryCount; ++i)
                sum.byCategory[i] += row.all.byCategory[i];
        }
    const std::vector<Category> categories = categoriesThatOccur(outermost);
    Table table{"modules", "Modules, including their submodules",
        {{"Module", "module"}, {"Called at", "called_at"}, {"Bytes", "bytes", true}}};
    for (const Category category : categories) {
        table.columns.push_back(categoryColumn(category));
        table.columns.back().tip.clear();
    }
    table.columns.push_back({"Allocations", "count", true});
    table.columns.push_back({"Passes", "passes", true, "Calls of the outermost module that made them"});
    table.columns.push_back({"Source", "source", false,
        "label: recorded by the program; frames: nn.Module.__call__ in the stack; backward: the module whose "
        "memory is freed next"});
    for (const ModuleRow& row : rows) {
        TableRow cells{Cell(titleOf(modules, row, titles))};
        if (row.module.isNone()) {
            cells.emplace_back();
        } else {
            cells.front() = std::move(cells.front()).explain(modules.path(row.module));
            cells.push_back(textCell(modules.calledAt(row.module)));
        }
        addModuleFigures(cells, row.all, categories);
        cells.push_back(row.module.isNone() ? Cell() : countCell(row.all.passes));
        cells.push_back(textCell(sourcesOf(row.all)));
        table.rows.push_back(std::move(cells));
    }
    table.total = {"total", Cell()};
    addModuleFigures(table.total, sum, categories);
    table.total.emplace_back();
    table.total.emplace_back();
    return table;
}

} // namespace highwater
