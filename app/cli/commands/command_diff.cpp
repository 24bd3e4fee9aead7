#include "app/cli/commands/commands.h"

#include "app/cli/commands/diff_job.h"

namespace highwater::cli {

int runDiff(const DiffOptions& options)
{
    if (options.common.files.size() > 2)
        return runSweep(options);
    const auto print = [&options](const DiffReport& report) {
        if (options.common.json)
            printDiffJson(report);
        else
            printDiff(report, options.top);
        return static_cast<int>(Done);
    };
    const auto printLogs = [&options](const LogDiffReport& report) {
        if (options.common.json)
            printLogDiffJson(report);
        else
            printLogDiff(report, options.top);
        return static_cast<int>(Done);
    };
    return withDiff(options, print, printLogs);
}

} // namespace highwater::cli
