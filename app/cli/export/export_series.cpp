#include "app/cli/export/export_job.h"
#include "core/base/text_format.h"
#include "core/report/tables/series_table.h"

namespace highwater::cli {

void exportSeries(const ExportJob& job)
{
    const std::string path = jsonString(sanitizedText(job.options.common.files.front()));
    TableWriter writer(
        tableFormat(job.options), job.sink(), job.options.what, seriesColumns(), {{"path", path}});
    writeSeries(job.trace, writer);
    job.finish(writer.finish());
}

} // namespace highwater::cli
