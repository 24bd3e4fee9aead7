#include "core/report/parts/part_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text_format.h"
#include "core/report/parts/part_text.h"

namespace highwater {

namespace {

std::string othersText(std::size_t others)
{
    return fmt::format("{} others", formatCount(static_cast<std::int64_t>(others)));
}

/// How many rows are shown individually: all, or all but the last of `mostRows`, which sums up the others.
std::size_t shownOf(std::size_t rows, std::size_t mostRows)
{
    return rows <= mostRows ? rows : mostRows - 1;
}

} // namespace

ReportTable compositionTable(const std::string& id, const std::string& caption, const std::string& group,
    const Composition& composition, std::size_t mostRows, const GroupWords& words)
{
    ReportTable table{id, caption,
        {{group, "key", false}, {"Bytes", "bytes", true}, {"Share", "share_per_mille", true},
            {"Blocks", "count", true}},
        {}, {}, {}};
    const auto row = [&](std::string name, Bytes bytes, std::int64_t count) {
        return std::vector<ReportCell>{
            std::move(name), bytesCell(bytes), shareCell(bytes, composition.bytes), countCell(count)};
    };
    const std::vector<CompositionGroup>& groups = composition.groups;
    const std::size_t shown = shownOf(groups.size(), mostRows);
    CompositionGroup others;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i < shown) {
            table.rows.push_back(row(words(groups[i]), groups[i].bytes, groups[i].count));
        } else {
            others.bytes += groups[i].bytes;
            others.count += groups[i].count;
        }
    }
    if (shown < groups.size())
        table.rows.push_back(row(othersText(groups.size() - shown), others.bytes, others.count));
    table.total = row("total", composition.bytes, composition.blocks);
    return table;
}

ReportTable sitesAtPeak(const RunMaterial& run, std::size_t mostRows)
{
    const DeviceStudy& study = *run.study.device();
    const std::int64_t event = study.curve.peak().event;
    return compositionTable(idFor(run, "peak-sites"),
        captioned(run,
            fmt::format("What was alive at the peak ({}), by call site; {}", momentWords(study, event),
                quantityWords(study))),
        "Call site", compositionAt(study.trace, study.allocations, study.sites, event, GroupKey::Site),
        mostRows, [](const CompositionGroup& group) { return group.key; });
}

ReportTable categoriesAtPeak(const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    return compositionTable(idFor(run, "peak-categories"),
        captioned(run, fmt::format("The same by category; {}", quantityWords(study))), "Category",
        compositionAt(study.trace, study.allocations, study.sites, study.curve.peak().event,
            GroupKey::Category, &study.categories),
        kCategoryCount, [&](const CompositionGroup& group) {
            return std::string(titleOf(study.categories.of(group.example)));
        });
}

ReportTable diffTable(const std::string& id, const std::string& caption, const std::string& group,
    const RunDiff& diff, std::size_t mostRows, const std::function<std::string(const DiffRow&)>& words)
{
    ReportTable table{id, caption,
        {{group, "key", false}, {"Difference", "delta_bytes", true}, {"Before", "before_bytes", true},
            {"Blocks before", "before_count", true}, {"After", "after_bytes", true},
            {"Blocks after", "after_count", true}, {"Status", "status", false}},
        {}, {}, {}};
    const auto row
        = [](std::string name, const DiffAmount& before, const DiffAmount& after, std::string status) {
              return std::vector<ReportCell>{std::move(name), deltaCell(after.bytes - before.bytes),
                  bytesCell(before.bytes), countCell(before.count), bytesCell(after.bytes),
                  countCell(after.count), textCell(std::move(status))};
          };
    const std::size_t shown = shownOf(diff.rows.size(), mostRows);
    DiffRow others;
    for (std::size_t i = 0; i < diff.rows.size(); ++i) {
        const DiffRow& each = diff.rows[i];
        if (i < shown) {
            table.rows.push_back(row(words(each), each.before, each.after,
                fmt::format("{}{}", toText(each.status()), each.loose ? " (loosely matched)" : "")));
            continue;
        }
        others.before.bytes += each.before.bytes;
        others.before.count += each.before.count;
        others.after.bytes += each.after.bytes;
        others.after.count += each.after.count;
    }
    if (shown < diff.rows.size())
        table.rows.push_back(row(othersText(diff.rows.size() - shown), others.before, others.after, ""));
    table.total = row("total", {diff.before.bytes, diff.before.blocks}, {diff.after.bytes, diff.after.blocks},
        diff.delta() == 0      ? "same"
            : diff.delta() > 0 ? "grew"
                               : "shrank");
    return table;
}

ReportTable settingsTable(const std::vector<SettingChange>& settings, std::size_t mostRows)
{
    ReportTable table{"settings-changed", "Settings that differ between the runs",
        {{"Setting", "name", false}, {"Before", "before", false}, {"After", "after", false}}, {}, {}, {}};
    const std::size_t shown = std::min(settings.size(), mostRows);
    for (std::size_t i = 0; i < shown; ++i)
        table.rows.push_back({settings[i].name, textCell(settings[i].before), textCell(settings[i].after)});
    if (shown < settings.size())
        table.leftOut = fmt::format("and {} more settings that differ", settings.size() - shown);
    return table;
}

} // namespace highwater
