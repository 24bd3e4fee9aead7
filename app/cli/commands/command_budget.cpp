#include "app/cli/commands/commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/input/rules_option.h"
#include "app/cli/output/budget_output.h"
#include "app/loading/run_parts.h"
#include "app/loading/run_shape_file.h"

namespace highwater::cli {

namespace {

int refuse(const std::string& path, const Error& error)
{
    printError(path, error);
    return exitCodeOf(error);
}

int print(BudgetReport& report, const BudgetOptions& options, const BudgetRequest& request,
    const DeviceStudy* observed)
{
    Result<BudgetStudy> study = studyBudget(request, observed);
    if (!study)
        // GPUs in the configuration are errors of the file; GPUs and the grid on the command line are errors
        // of the user.
        return refuse(
            study.error().code == ErrorCode::BadRequest && !(options.gpus.empty() && options.whatIf.empty())
                ? "budget"
                : options.config,
            study.error());
    static_cast<BudgetStudy&>(report) = *std::move(study);
    if (options.common.json)
        printDocument(budgetJson(report));
    else
        printBudget(report);
    return Done;
}

} // namespace

int runBudget(const BudgetOptions& options)
{
    BudgetReport report;
    report.config = options.config;
    Result<RunShape> run = loadRunShape(options.config);
    if (!run)
        return refuse(options.config, run.error());
    const BudgetRequest request{*std::move(run), options.gpus, options.whatIf};
    if (options.common.files.empty())
        return print(report, options, request, nullptr);
    const LoadedInput input = loadInput(options.common.files.front(), options.common);
    if (!input.imported)
        return exitCodeOf(input);
    const Result<std::vector<CategoryRule>> rules = rulesFrom(options.rules);
    if (!rules)
        return rulesError(options.rules, rules.error());
    const Result<RunParts> parts
        = partsOf(input.path, *input.imported, {options.device, std::nullopt, *rules, {}});
    if (!parts)
        return refuse(input.path, parts.error());
    const DeviceStudy& study = *parts->device;
    report.path = input.path;
    report.device = study.about().label();
    report.ordinal = study.about().ordinal;
    return worse(print(report, options, request, &study), exitCodeOf(input));
}

} // namespace highwater::cli
