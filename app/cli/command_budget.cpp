#include "app/cli/commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/budget_output.h"
#include "app/cli/device_choice.h"
#include "app/cli/exit_code.h"
#include "app/cli/rules_option.h"
#include "app/loading/run_shape_file.h"
#include "core/analysis/budget/run_facts.h"

namespace highwater::cli {

namespace {

/// A report in the making, or the exit code that it ends with.
using Outcome = tl::expected<void, int>;

tl::unexpected<int> refuse(const std::string& path, const Error& error)
{
    printError(path, error);
    return tl::unexpected<int>(exitCodeOf(error));
}

/// Parameters that the configuration does not tell, as far as the file shows them.
void findParameters(BudgetReport& report, const DeviceStudy& study)
{
    const std::optional<ElementType> type = dtypeOf(report.run);
    if (report.budget.parameters || !type)
        return;
    report.run.parameters = parametersFound(study, *type);
    if (!report.run.parameters)
        return;
    if (Result<Budget> again = expectedBudget(report.run)) {
        report.budget = *std::move(again);
        report.budget.assumptions.push_back(
            fmt::format("\"parameters\" is not given: {} of them are found in the file, by their sizes",
                *report.run.parameters));
    }
}

Outcome observe(BudgetReport& report, const BudgetOptions& options, const LoadedInput& input)
{
    const Trace& trace = *input.imported->trace;
    const Result<DeviceIndex> device = chooseDevice(trace, allFigures(trace), options.device);
    if (!device)
        return refuse(input.path, device.error());
    const Result<std::vector<CategoryRule>> rules = rulesFrom(options.rules);
    if (!rules)
        return tl::unexpected(rulesError(options.rules, rules.error()));
    const DeviceStudy study(trace, *device, *rules);
    findParameters(report, study);
    report.path = input.path;
    report.device = study.about().label();
    report.ordinal = study.about().ordinal;
    report.observed = observedBudget(report.budget, report.run, study);
    return {};
}

Outcome varySettings(BudgetReport& report, const BudgetOptions& options)
{
    std::vector<WhatIfAxis> axes;
    for (const std::string& text : options.whatIf) {
        Result<WhatIfAxis> axis = whatIfAxisFromText(text);
        if (!axis)
            return refuse("budget", axis.error());
        axes.push_back(*std::move(axis));
    }
    if (axes.empty())
        return {};
    Result<WhatIf> grid = whatIf(report.run, std::move(axes),
        report.observed ? activationsFactor(report.budget, *report.observed) : std::nullopt);
    if (!grid)
        return refuse("budget", grid.error());
    report.whatIf = *std::move(grid);
    return {};
}

Outcome compute(BudgetReport& report, const BudgetOptions& options)
{
    report.config = options.config;
    Result<RunShape> run = loadRunShape(options.config);
    if (!run)
        return refuse(options.config, run.error());
    report.run = *std::move(run);
    const bool asks = !options.gpus.empty();
    Result<std::vector<GpuCard>> cards = chooseCards(asks ? options.gpus : report.run.gpus);
    if (!cards)
        return refuse(asks ? "budget" : options.config, cards.error());
    report.cards = *std::move(cards);
    Result<Budget> budget = expectedBudget(report.run);
    if (!budget)
        return refuse(options.config, budget.error());
    report.budget = *std::move(budget);
    return {};
}

} // namespace

int runBudget(const BudgetOptions& options)
{
    BudgetReport report;
    if (const Outcome done = compute(report, options); !done)
        return done.error();
    int exitCode = Done;
    if (!options.common.files.empty()) {
        const LoadedInput input = loadInput(options.common.files.front(), options.common);
        exitCode = exitCodeOf(input);
        if (!input.imported)
            return exitCode;
        if (const Outcome done = observe(report, options, input); !done)
            return done.error();
    }
    if (!report.budget.lines.empty()) // nothing would fit every card
        report.fits = fitCards(report.budget.expected, report.cards, report.outsideLeftOut());
    report.stated = judgeStated(report.run, report.budget);
    if (const Outcome done = varySettings(report, options); !done)
        return done.error();
    if (options.common.json)
        fmt::print(
            "{}\n", budgetJson(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    else
        printBudget(report);
    return exitCode;
}

} // namespace highwater::cli
