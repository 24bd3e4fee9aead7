#include "app/cli/commands/export_job.h"
#include "core/base/text_format.h"
#include "core/report/tables/series_table.h"

namespace highwater::cli {

Result<void> exportSeries(
    const Trace& trace, const ExportOptions& options, const TextSink& sink, const Error& refused)
{
    const Result<TableFormat> format = tableFormat(options);
    if (!format)
        return tl::unexpected(format.error());
    std::string path;
    appendJsonText(path, sanitizedText(options.common.files.front()));
    TableWriter writer(*format, sink, options.what, seriesColumns(), {{"path", path}});
    writeSeries(trace, writer);
    if (!writer.finish())
        return tl::unexpected(refused);
    return {};
}

} // namespace highwater::cli
