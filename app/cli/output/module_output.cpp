#include "app/cli/output/module_output.h"

#include <fmt/format.h>

#include "app/cli/console/print_table.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/table/module_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

} // namespace

ModulesAt modulesAt(const DeviceStudy& study, std::int64_t event, std::size_t top)
{
    ModulesAt tree;
    tree.modules = std::make_shared<const ModuleTable>(study.trace, study.allocations, study.sites);
    std::vector<ModuleRow> allRows
        = moduleTree(*tree.modules, study.allocations, study.categories, study.allocations.liveAt(event));
    tree.rows = largestRows(allRows, top);
    tree.leftOut = allRows.size() - tree.rows.size();
    return tree;
}

Json modulesJson(const ModulesAt& tree)
{
    Json modules = Json::array();
    for (const ModuleRow& row : tree.rows) {
        const bool isModule = !row.module.isNone() && row.likeCount == 1;
        Json categories = Json::object();
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            if (row.all.byCategory[i] > 0)
                categories[std::string(toText(static_cast<Category>(i)))] = row.all.byCategory[i];
        Json sources = Json::object();
        for (std::size_t i = 0; i < kModuleSourceCount; ++i)
            if (row.all.bySource[i] > 0)
                sources[std::string(toText(static_cast<ModuleSource>(i)))] = row.all.bySource[i];
        const std::string className
            = row.module.isNone() ? std::string() : tree.modules->className(row.module);
        modules.push_back(
            {{"path", isModule ? tree.modules->path(row.module) : shortPathOf(*tree.modules, row)},
                {"is_module", isModule}, {"like_modules", row.likeCount},
                {"class", className.empty() ? Json() : Json(className)}, {"depth", row.depth},
                {"bytes", row.all.bytes}, {"own_bytes", row.own}, {"count", row.all.allocations},
                {"passes", row.module.isNone() ? Json() : Json(row.all.passes)}, {"categories", categories},
                {"told_by", sources}});
    }
    return modules;
}

void printModules(const ModulesAt& tree)
{
    Table table = moduleTreeTable(*tree.modules, tree.rows);
    if (tree.leftOut > 0)
        table.leftOut = fmt::format("and {} inside these (--top 0 prints all)",
            counted(static_cast<std::int64_t>(tree.leftOut), "more module", "more modules"));
    printTable(table);
}

} // namespace highwater::cli
