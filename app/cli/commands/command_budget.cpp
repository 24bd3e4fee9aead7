#include "app/cli/commands/commands.h"

#include <filesystem>
#include <system_error>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/input/run_input.h"
#include "app/cli/output/budget_output.h"
#include "app/loading/device_choice.h"
#include "app/loading/run_shape_file.h"
#include "core/base/json.h"
#include "core/report/json/run_json.h"

namespace highwater::cli {

namespace {

/// Studies the budget. A bad request is blamed on the command line if GPUs or other values of settings were
/// given there, otherwise on the configuration file, or the run's file without one.
BudgetStudy studyOrRefuse(
    const BudgetOptions& options, const BudgetRequest& request, const RunStudy* observed)
{
    Result<BudgetStudy> study = !observed ? studyBudget(request, nullptr)
        : options.config.empty()
        ? judgeGpus(request.gpus, *observed->device(), observed->findings(), {}, observed->logged())
        : studyBudget(request, observed->device(), observed->findings(), observed->logged());
    const bool isUsersError = !study && study.error().code == ErrorCode::BadRequest
        && !(options.gpuNames.empty() && options.whatIf.empty());
    const std::string option = options.whatIf.empty() ? "--gpu"
        : options.gpuNames.empty()                    ? "--what-if"
                                                      : "budget";
    const std::string& read = options.config.empty() ? options.common.files.front() : options.config;
    return need(isUsersError ? option : read, std::move(study));
}

/// `observed` may be null.
void printReport(const BudgetReport& report, const BudgetOptions& options, const Run* observed)
{
    if (options.common.json) {
        nlohmann::ordered_json document = budgetJson(report);
        if (observed)
            document["run"] = runJson(observed->main);
        printDocument(document);
        return;
    }
    if (observed)
        printRunHead(*observed);
    printBudget(report);
}

/// Handles `--gpu L4 FILE`: the last name is the file if such a file exists and no such GPU does.
BudgetOptions withFileFromGpus(BudgetOptions options)
{
    if (!options.common.files.empty() || options.gpuNames.empty())
        return options;
    const std::string last = options.gpuNames.back();
    std::error_code error;
    if (!chooseGpus({last}) && std::filesystem::exists(last, error)) {
        options.gpuNames.pop_back();
        options.common.files.push_back(last);
    }
    return options;
}

} // namespace

int runBudget(const BudgetOptions& given)
{
    const BudgetOptions options = withFileFromGpus(given);
    if (options.config.empty() && (options.common.files.empty() || !options.whatIf.empty()))
        refuse("budget",
            options.whatIf.empty() ? "needs --config RUN, a FILE, or both, as in highwater budget run.pickle"
                                   : "needs --config RUN for --what-if");
    const BudgetRequest request{
        options.config.empty() ? RunShape() : need(options.config, loadRunShape(options.config)),
        options.gpuNames, options.whatIf};
    if (options.common.files.empty()) {
        printReport({studyOrRefuse(options, request, nullptr), options.config, {}, {}, 0}, options, nullptr);
        return Done;
    }
    RunRequest run;
    run.device = options.device;
    RunReadOptions readOptions;
    readOptions.rules = rulesFrom(options.rules);
    const Run observed = needRun(options.common, std::move(run), std::move(readOptions));
    const std::string& path = observed.sources.front().path;
    const DeviceStudy* const study = observed.study->device();
    if (!study) {
        const Trace& trace = observed.study->trace();
        need(path, chooseDevice(trace, allFigures(trace), options.device)); // reports why there is none
    }
    const BudgetReport report{studyOrRefuse(options, request, &*observed.study), options.config, path,
        study->about().label(), study->about().ordinal};
    printReport(report, options, &observed);
    return exitCodeOf(observed);
}

} // namespace highwater::cli
