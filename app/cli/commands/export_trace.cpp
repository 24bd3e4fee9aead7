#include "app/cli/commands/export_job.h"
#include "core/base/text_parts.h"
#include "core/report/tables/chrome_trace.h"

namespace highwater::cli {

Result<void> exportTrace(const ExportJob& job)
{
    const std::string& path = job.options.common.files.front();
    const DeviceStudy study(job.trace, job.device, job.rules);
    const ChromeTraceOptions options{std::string(fileName(path)), job.companions};
    if (!writeChromeTrace(study, options, job.sink()))
        return tl::unexpected(job.whyStopped());
    return {};
}

} // namespace highwater::cli
