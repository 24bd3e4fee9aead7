#include "app/cli/export/export_job.h"
#include "core/analysis/categories/allocation_filter.h"
#include "core/report/tables/device_tables.h"

namespace highwater::cli {

void exportTable(const ExportJob& job, const ImportedTrace&)
{
    const FilterSpec filter = need("--filter", parseFilter(job.options.filter));
    const DeviceTable& table = deviceTableNamed(job.options.what);
    const DeviceStudy study(job.trace, job.device, job.rules);
    DeviceTableOptions options{
        .withStacks = !job.options.noStacks, .matches = {}, .auxiliaryFiles = job.auxiliaryLines};
    if (!filter.isEmpty())
        options.matches
            = need("--filter", filterAllocations(study.allocations, study.categories, filter)).matches;
    TableWriter writer(tableFormat(job.options), job.sink(), job.options.what,
        table.columns(job.about(), options), job.facts());
    table.write(study, writer, options);
    job.finish(writer.finish());
}

} // namespace highwater::cli
