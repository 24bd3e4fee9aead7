#include "app/cli/export/export_job.h"
#include "core/base/text_parts.h"
#include "core/report/tables/chrome_trace.h"

namespace highwater::cli {

void exportTrace(const ExportJob& job, const ImportedTrace&)
{
    const DeviceStudy study(job.trace, job.device, job.rules);
    const ChromeTraceOptions options{
        std::string(fileName(job.options.common.files.front())), job.auxiliaryLines};
    job.finish(writeChromeTrace(study, options, job.sink()));
}

} // namespace highwater::cli
