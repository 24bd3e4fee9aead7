#include "core/table/module_tables.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/table/category_columns.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

Cell titleCell(const ModuleTable& modules, const ModuleRow& row, ModuleTitles titles)
{
    const int depth = titles == ModuleTitles::Indented ? row.depth : 0;
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    Cell cell(indent + titleOf(modules, row));
    return row.module.isNone() ? cell : std::move(cell).explain(shortPathOf(modules, row));
}

/// Returns the class of the modules in quiet text.
Cell classCell(const ModuleTable& modules, const ModuleRow& row)
{
    return row.module.isNone() ? Cell() : textCell(modules.className(row.module)).mark(CellTone::Quiet);
}

void addModuleFigures(
    TableRow& cells, const ModuleBytes& sum, Bytes whole, const std::vector<Category>& categories)
{
    cells.push_back(bytesCell(sum.bytes));
    cells.push_back(shareCell(sum.bytes, whole));
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
    for (std::size_t i = 0; i < kModuleSourceCount; ++i)
        if (sum.bySource[i] > 0)
            text += (text.empty() ? "" : ", ") + std::string(toText(static_cast<ModuleSource>(i)));
    return text;
}

std::vector<TableColumn> columnsOf(bool isNamed, const std::vector<Category>& categories)
{
    std::vector<TableColumn> columns{{isNamed ? "Module" : "Forward function", "module", false,
                                         "× sums up like modules; open it for each"},
        {"Bytes", "bytes", true, "Including the modules that it calls"}, {"Share", "share_per_mille", true}};
    for (const Category category : categories) {
        columns.push_back(categoryColumn(category));
        columns.back().tip.clear();
    }
    columns.push_back({"Allocations", "count", true});
    columns.push_back({"Passes", "passes", true, "Calls of the outermost module that made them"});
    columns.push_back({"Class", "class", false,
        "The class whose forward runs, if the file shows it; the module may be of a subclass"});
    columns.push_back({"Called at", "called_at"});
    columns.push_back({"Source", "source", false,
        "label: recorded by the program; frames: nn.Module.__call__ in the stack; backward: the module whose "
        "memory is freed next"});
    return columns;
}

/// True if the recording gives the name of any module in the rows.
bool hasNames(const ModuleTable& modules, const std::vector<ModuleRow>& rows)
{
    return std::ranges::any_of(rows, [&](const ModuleRow& row) {
        return !row.module.isNone() && modules.naming(row.module) != ModuleNaming::Function;
    });
}

Bytes bytesIn(const ModuleRow& row, Category category)
{
    return row.all.byCategory[static_cast<std::size_t>(category)];
}

/// Returns the row of depth 0 with the most bytes of a category, or the deepest row below it that still has
/// more than half of the bytes of its parent. Does not descend into rows that sum up like modules. Null if no
/// row has any.
const ModuleRow* placeOfMost(const std::vector<ModuleRow>& rows, Category category)
{
    const ModuleRow* most = nullptr;
    for (const ModuleRow& row : rows)
        if (row.depth == 0 && bytesIn(row, category) > (most ? bytesIn(*most, category) : 0))
            most = &row;
    if (!most)
        return nullptr;
    const ModuleRow* const end = rows.data() + rows.size();
    for (const ModuleRow* row = most + 1; row != end && row->depth > most->depth && most->likeCount == 1;
         ++row)
        if (row->depth == most->depth + 1 && bytesIn(*row, category) * 2 > bytesIn(*most, category))
            most = row;
    return most;
}

/// Returns " Most activations (4.12 GiB of 8.72 GiB) are in Linear model.py:97.", " All parameters (15.92
/// GiB) are outside of modules."; empty if there are none.
std::string mostText(const ModuleTable& modules, const std::vector<ModuleRow>& rows, Category category)
{
    const ModuleRow* most = placeOfMost(rows, category);
    if (!most)
        return {};
    Bytes all = 0;
    for (const ModuleRow& row : rows)
        all += row.depth == 0 ? bytesIn(row, category) : 0;
    const Bytes bytes = bytesIn(*most, category);
    // "(no Python frames)" and the like are names of rows.
    const bool isOutside = most->module.isNone() && most->reason == NoModule::Outside;
    return fmt::format(" {} {} ({}) are {}.",
        bytes == all          ? "All"
            : bytes * 2 > all ? "Most"
                              : "The most",
        titleOf(category),
        bytes == all ? formatBytes(all) : fmt::format("{} of {}", formatBytes(bytes), formatBytes(all)),
        isOutside ? "outside of modules" : "in " + shortPathOf(modules, *most));
}

/// True if the sources are the same for all modules.
bool hasOneSource(const std::vector<ModuleRow>& rows)
{
    std::set<std::string> sources;
    for (const ModuleRow& row : rows)
        if (!row.module.isNone())
            sources.insert(sourcesOf(row.all));
    return sources.size() < 2;
}

} // namespace

std::string modulesCaption(const ModuleTable& modules, const std::vector<ModuleRow>& rows)
{
    const bool hasModules
        = std::ranges::any_of(rows, [](const ModuleRow& row) { return !row.module.isNone(); });
    if (modules.size() == 0)
        return "No module is known: the file has neither labels nor frames of nn.Module calls";
    if (!hasModules)
        return "None of these allocations was made in a known module";
    const std::string text = hasNames(modules, rows)
        ? "Bytes include submodules."
        : "The file holds no module names, so rows are forward functions, each with what it calls.";
    return text + mostText(modules, rows, Category::Activation)
        + mostText(modules, rows, Category::Parameter);
}

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
    Table table{"modules", modulesCaption(modules, rows), columnsOf(hasNames(modules, rows), categories)};
    for (const ModuleRow& row : rows) {
        TableRow cells{titleCell(modules, row, titles)};
        addModuleFigures(cells, row.all, sum.bytes, categories);
        cells.push_back(row.module.isNone() ? Cell() : countCell(row.all.passes));
        cells.push_back(classCell(modules, row));
        cells.push_back(row.module.isNone() ? Cell() : textCell(modules.calledAt(row.module)));
        cells.push_back(textCell(sourcesOf(row.all)));
        table.rows.push_back(std::move(cells));
    }
    table.total = {"total"};
    addModuleFigures(table.total, sum, sum.bytes, categories);
    table.total.resize(table.columns.size());
    return withoutEmptyColumns(
        hasOneSource(rows) ? withoutColumns(std::move(table), {"source"}) : std::move(table));
}

} // namespace highwater
