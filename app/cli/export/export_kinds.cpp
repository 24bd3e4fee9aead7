#include "app/cli/export/export_kinds.h"

#include <algorithm>

#include "app/cli/export/export_job.h"
#include "core/report/tables/device_tables.h"

namespace highwater::cli {

namespace {

unsigned optionsOf(const DeviceTable& table)
{
    unsigned options = 0;
    if (table.takesMatches)
        options |= ExportKind::Filter;
    if (table.takesAuxiliaryFiles)
        options |= ExportKind::AuxiliaryFiles;
    return options;
}

std::vector<ExportKind> allKinds()
{
    std::vector<ExportKind> kinds;
    for (const DeviceTable& table : deviceTables())
        kinds.push_back({table.name, table.sentence, ExportKind::Form::Table, optionsOf(table), exportTable});
    kinds.insert(kinds.end(),
        {{"stacks", "bytes in use as folded stacks, for flame graph programs", ExportKind::Form::Stacks,
             ExportKind::Moment, exportStacks},
            {"columns", "the timeline as drawn, column by column", ExportKind::Form::Document,
                ExportKind::Range, exportColumns},
            {"trace", "a Chrome trace with counters and steps, for Perfetto", ExportKind::Form::Document,
                ExportKind::AuxiliaryFiles | ExportKind::Activities, exportTrace},
            {"tables", "events, allocations, curve, steps and more, as an SQLite database",
                ExportKind::Form::Database, 0, exportDatabase}});
    return kinds;
}

} // namespace

const std::vector<ExportKind>& exportKinds()
{
    static const std::vector<ExportKind> kinds = allKinds();
    return kinds;
}

const ExportKind& exportKindNamed(std::string_view name)
{
    return *std::ranges::find(exportKinds(), name, &ExportKind::name);
}

} // namespace highwater::cli
