#include "app/cli/commands/commands.h"

#include "app/cli/commands/diff_job.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/loading/input_paths.h"
#include "core/base/json.h"

namespace highwater::cli {

namespace {

/// Replaces folders by their files, unless there are exactly two paths: two folders stay, since the main
/// recording of each is compared.
DiffOptions withFilesOfFolders(DiffOptions options)
{
    std::vector<std::string>& files = options.common.files;
    if (files.size() == 2)
        return options;
    std::vector<std::string> expanded;
    for (const InputPath& file : expandInputs(files))
        expanded.push_back(file.path);
    files = std::move(expanded);
    return options;
}

/// Diagnoses both sides, each for the recording that is compared.
BothDiagnoses diagnosesOf(const DiffOptions& options, const std::string& before, const std::string& after)
{
    return {diagnosisOfRun(options.common, {{options.common.files[0]}, options.beforeDevice, before}),
        diagnosisOfRun(options.common, {{options.common.files[1]}, options.afterDevice, after})};
}

} // namespace

int runDiff(const DiffOptions& given)
{
    DiffOptions options = withFilesOfFolders(given);
    if (options.common.files.size() > 2)
        return runSweep(options);
    if (options.group.empty())
        options.group = options.common.json ? "stack" : "site";
    if (options.common.json)
        options.common = withKeptFiles(options.common);
    const auto print = [&options](const DiffReport& report) {
        if (options.common.json)
            printDiffJson(report, diagnosesOf(options, report.before.path, report.after.path));
        else
            printDiff(report, options.top);
        return static_cast<int>(Done);
    };
    const auto printLogs = [&options](const LogDiffReport& report) {
        if (options.common.json)
            printLogDiffJson(report, diagnosesOf(options, report.beforePath, report.afterPath));
        else
            printLogDiff(report, options.top);
        return static_cast<int>(Done);
    };
    return compareTwoFiles(options, print, printLogs);
}

} // namespace highwater::cli
