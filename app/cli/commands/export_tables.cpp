#include "app/cli/commands/export_job.h"
#include "core/analysis/usage/allocation_filter.h"
#include "core/report/tables/device_tables.h"

namespace highwater::cli {

namespace {

DeviceTable tableOf(const std::string& what)
{
    if (what == "events")
        return DeviceTable::Events;
    if (what == "allocations")
        return DeviceTable::Allocations;
    return what == "curve" ? DeviceTable::Curve : DeviceTable::Steps;
}

} // namespace

Result<void> exportTable(const ExportJob& job)
{
    const Result<TableFormat> format = tableFormat(job.options);
    if (!format)
        return tl::unexpected(format.error());
    const Result<FilterSpec> filter = parseFilter(job.options.filter);
    if (!filter)
        return tl::unexpected(filter.error());
    const DeviceTable table = tableOf(job.options.what);
    const DeviceStudy study(job.trace, job.device, job.rules);
    DeviceTableOptions options{
        .withStacks = !job.options.noStacks, .matches = {}, .companions = job.companions};
    if (!filter->isEmpty()) {
        Result<FilterResult> found = filterAllocations(job.trace, study.allocations, *filter);
        if (!found)
            return tl::unexpected(found.error());
        options.matches = std::move(found->matches);
    }
    TableWriter writer(
        *format, job.sink(), job.options.what, columnsOf(table, job.about(), options), job.facts());
    writeRows(table, study, writer, options);
    if (!writer.finish())
        return tl::unexpected(job.whyStopped());
    return {};
}

} // namespace highwater::cli
