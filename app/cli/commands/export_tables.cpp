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

void exportTable(const ExportJob& job)
{
    const std::string& path = job.options.common.files.front();
    const FilterSpec filter = need(path, parseFilter(job.options.filter));
    const DeviceTable table = tableOf(job.options.what);
    const DeviceStudy study(job.trace, job.device, job.rules);
    DeviceTableOptions options{
        .withStacks = !job.options.noStacks, .matches = {}, .companions = job.companions};
    if (!filter.isEmpty())
        options.matches = need(path, filterAllocations(study.allocations, filter)).matches;
    TableWriter writer(tableFormat(job.options), job.sink(), job.options.what,
        columnsOf(table, job.about(), options), job.facts());
    writeRows(table, study, writer, options);
    job.finish(writer.finish());
}

} // namespace highwater::cli
