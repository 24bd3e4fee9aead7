#include "app/cli/commands/commands.h"

#include <filesystem>
#include <system_error>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/output/budget_output.h"
#include "app/loading/run_parts.h"
#include "app/loading/run_shape_file.h"
#include "core/base/json.h"

namespace highwater::cli {

namespace {

/// GPUs in the configuration are errors of the file; GPUs and the grid on the command line are errors of the
/// user.
BudgetStudy studied(const BudgetOptions& options, const BudgetRequest& request, const DeviceStudy* observed)
{
    Result<BudgetStudy> study = studyBudget(request, observed);
    const bool isUsers = !study && study.error().code == ErrorCode::BadRequest
        && !(options.gpus.empty() && options.whatIf.empty());
    return need(isUsers ? "budget" : options.config, std::move(study));
}

int printReport(const BudgetReport& report, const BudgetOptions& options)
{
    if (options.common.json)
        printDocument(budgetJson(report));
    else
        printBudget(report);
    return Done;
}

/// `--gpu L4 FILE`: the last of the names is the file, where there is one of that name and no such GPU.
BudgetOptions withFileTold(BudgetOptions options)
{
    if (!options.common.files.empty() || options.gpus.empty())
        return options;
    const std::string last = options.gpus.back();
    std::error_code error;
    if (!chooseGpus({last}) && std::filesystem::exists(last, error)) {
        options.gpus.pop_back();
        options.common.files.push_back(last);
    }
    return options;
}

} // namespace

int runBudget(const BudgetOptions& told)
{
    const BudgetOptions options = withFileTold(told);
    const BudgetRequest request{
        need(options.config, loadRunShape(options.config)), options.gpus, options.whatIf};
    if (options.common.files.empty())
        return printReport({studied(options, request, nullptr), options.config, {}, {}, 0}, options);
    const LoadedInput input = needInput(options.common.files.front(), options.common);
    const RunParts parts = need(input.path,
        partsOf(input.path, *input.imported, {options.device, std::nullopt, rulesFrom(options.rules), {}}));
    const Device& device = parts.device->about();
    const BudgetReport report{studied(options, request, parts.device.get()), options.config, input.path,
        device.label(), device.ordinal};
    return worse(printReport(report, options), exitCodeOf(input));
}

} // namespace highwater::cli
