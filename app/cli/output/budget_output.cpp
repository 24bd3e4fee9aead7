#include "app/cli/output/budget_output.h"

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/console/text_table.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Align = TextTable::Align;

std::string ratioText(Bytes observed, Bytes expected)
{
    return expected > 0 ? formatRatio(static_cast<double>(observed) / static_cast<double>(expected)) : "–";
}

void printLines(const BudgetReport& report)
{
    const Budget& budget = report.budget;
    TextTable table(
        {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
    const bool hasObserved = report.observed.has_value();
    table.add({"line", "expected", "low", "high", hasObserved ? "observed" : "", hasObserved ? "ratio" : "",
        "formula, in bytes"});
    for (const BudgetLine& line : budget.lines) {
        const ObservedBudget::Line* const seen = hasObserved ? report.observed->find(line.name) : nullptr;
        table.add({std::string(titleOf(line.name)), formatBytes(line.likely()), formatBytes(line.low()),
            formatBytes(line.high()), seen ? formatBytes(seen->bytes) : "",
            seen ? ratioText(seen->bytes, line.likely()) : "", line.formula()});
    }
    if (hasObserved && report.observed->unexplained > 0)
        table.add({"(no line)", "", "", "", formatBytes(report.observed->unexplained), "", ""});
    table.add({"sum", formatBytes(budget.expected), formatBytes(budget.low), formatBytes(budget.high),
        hasObserved ? formatBytes(report.observed->total) : "",
        hasObserved ? ratioText(report.observed->total, budget.expected) : "",
        formatExactBytes(budget.expected)});
    printOut("{}", table.text());
}

void printList(const std::string& title, const std::vector<std::string>& sentences)
{
    if (sentences.empty())
        return;
    printOut("\n{}\n", Style::forStdout().strong(title));
    for (const std::string& sentence : sentences)
        printOut("  {}\n", sentence);
}

void printFits(const BudgetReport& report)
{
    if (report.budget.lines.empty())
        return;
    printOut("\n{}\n", Style::forStdout().strong("GPUs"));
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Right, Align::Left});
    table.add({"GPU", "reported", "", "headroom", ""});
    for (const GpuFit& fit : report.fits)
        table.add({fit.gpu, formatBytes(fit.capacity), fit.fits ? "fits" : "does not fit",
            formatBytesDelta(fit.headroom), fit.isTight ? "less than a CUDA context likely takes" : ""});
    printOut("{}", table.text());
}

void printWhatIf(const BudgetReport& report)
{
    const WhatIfGrid& grid = *report.whatIf;
    std::string title = "what if";
    if (grid.effectiveBatch)
        title += fmt::format(" (effective batch {})", formatCount(*grid.effectiveBatch));
    printOut("\n{}\n", Style::forStdout().strong(title));
    std::vector<Align> columns(grid.axes.size(), Align::Right);
    for (const Align align :
        {Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left, Align::Left})
        columns.push_back(align);
    TextTable table(columns);
    std::vector<std::string> head;
    for (const WhatIfAxis& axis : grid.axes)
        head.push_back(axis.key);
    for (const char* const name :
        {"accumulation", "activations", "logits", "expected", "change", "smallest GPU", ""})
        head.emplace_back(name);
    table.add(head);
    for (const WhatIfCase& one : grid.cases) {
        std::vector<std::string> row = one.values;
        const BudgetLine* const logits = one.budget.find(BudgetLineName::Logits);
        const bool hasActivations = one.budget.find(BudgetLineName::Activations) != nullptr;
        row.push_back(one.accumulation ? formatCount(*one.accumulation) : "–");
        row.push_back(hasActivations ? formatBytes(one.activations) : "–");
        row.push_back(logits ? formatBytes(logits->likely()) : "–");
        row.push_back(formatBytes(one.expected));
        row.push_back(formatBytesDelta(one.expected - grid.expected));
        const std::string gpu = report.smallestGpu(one.expected);
        row.push_back(gpu.empty() ? "none" : gpu);
        row.push_back(one.keepsEffectiveBatch
                ? ""
                : fmt::format("effective batch {}", formatCount(one.effectiveBatch.value_or(0))));
        table.add(row);
    }
    printOut("{}", table.text());
    if (grid.activationsFactor)
        printOut("  activations are scaled by {}, as observed against expected{}\n",
            formatRatio(*grid.activationsFactor),
            *grid.activationsFactor > 2 ? ": more than one forward needs, and kept in proportion" : "");
}

} // namespace

void printBudget(const BudgetReport& report)
{
    const Style style = Style::forStdout();
    printOut("{}", style.strong(sanitizedText(report.config)));
    if (report.observed)
        printOut("  against {} {}", sanitizedText(report.path), report.device);
    printOut("\n");
    if (!report.budget.lines.empty() || report.observed)
        printLines(report);
    std::vector<std::string> leftOut;
    for (const LeftOutLine& line : report.budget.leftOut)
        leftOut.push_back(line.sentence);
    printList("left out", leftOut);
    printList("taken for granted", report.budget.assumptions);
    printFits(report);
    if (report.whatIf)
        printWhatIf(report);
    printList("in short", report.sentences());
}

} // namespace highwater::cli
