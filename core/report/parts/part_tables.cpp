#include "core/report/parts/part_tables.h"

#include <fmt/format.h>

#include "core/analysis/device/cut_off.h"
#include "core/report/parts/part_text.h"
#include "core/table/composition_tables.h"
#include "core/table/diff_tables.h"

namespace highwater {

Table captionedForPeak(const RunMaterial& run, const std::string& id, const std::string& caption, Table table)
{
    table.id = id;
    table.caption = fmt::format("{}; {}", caption, quantityLabel(*run.study.device()));
    return tableOfRun(run, std::move(table));
}

Table sitesAtPeak(const RunMaterial& run, std::size_t maxRows)
{
    const DeviceStudy& study = *run.study.device();
    const std::int64_t event = study.curve.peak().event;
    const Composition sites
        = compositionAt(study.trace, study.allocations, study.sites, event, GroupKey::Site);
    Table table = compositionTable(
        GroupKey::Site, sites, maxRows, [](const CompositionGroup& group) { return group.key; });
    // People read the label that findings and figures use; files have the key, with the whole path.
    for (std::size_t i = 0; i < shownRowCount(sites.groups.size(), maxRows); ++i)
        table.rows[i].front() = std::move(table.rows[i].front())
                                    .show(study.sites.site(study.sites.of(sites.groups[i].example)).label);
    return captionedForPeak(
        run, "peak-sites", fmt::format("By call site, {}", momentWords(study, event)), std::move(table));
}

Table categoriesAtPeak(const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    return captionedForPeak(run, "peak-categories", "The same by category",
        compositionTable(GroupKey::Category,
            compositionAt(study.trace, study.allocations, study.sites, study.curve.peak().event,
                GroupKey::Category, &study.categories),
            kCategoryCount, [&](const CompositionGroup& group) {
                return std::string(titleOf(study.categories.of(group.example)));
            }));
}

Table changedSettings(const ReportMaterial& material)
{
    Table table = settingChangeTable(material.comparison->settings);
    cutRows(table, (material.isBrief() ? 1 : 2) * material.maxRows(), "settings that differ");
    return table;
}

} // namespace highwater
