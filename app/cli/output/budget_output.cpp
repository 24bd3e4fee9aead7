#include "app/cli/output/budget_output.h"

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "core/analysis/budget/gpu_need.h"
#include "core/base/text_format.h"
#include "core/table/budget_tables.h"

namespace highwater::cli {

namespace {

void printList(const std::string& title, const std::vector<std::string>& sentences)
{
    if (sentences.empty())
        return;
    printOut("\n{}\n", Style::forStdout().strong(title));
    for (const std::string& sentence : sentences)
        printOut("  {}\n", sentence);
}

void printWhatIf(const BudgetReport& report)
{
    printOut("\n");
    printTable(whatIfTable(report));
    for (const std::string& note : whatIfNotes(*report.whatIf))
        printOut("  {}\n", note);
}

} // namespace

void printBudget(const BudgetReport& report)
{
    const Style style = Style::forStdout();
    if (report.isOfConfiguration) {
        printOut("{}", style.strong(sanitizedText(report.config)));
        if (report.observed)
            printOut("  against {} {}", sanitizedText(report.path), report.device);
        printOut("\n");
    } else {
        printOut("{} {}\n", style.strong(sanitizedText(report.path)), report.device);
    }
    for (const std::string& sentence : report.sentences())
        printOut("  {}\n", sentence);
    if (!report.fits.empty()) {
        std::vector<std::string> needs;
        for (const GpuNeed& need : gpuNeeds(report))
            needs.push_back(need.text());
        printList("Needed, with memory outside PyTorch", needs);
        printOut("\n");
        printTable(gpuFitTable(report));
    }
    if (report.isOfConfiguration && (!report.budget.lines.empty() || report.observed)) {
        printOut("\n");
        printTable(budgetLineTable(report));
    }
    if (report.whatIf)
        printWhatIf(report);
    std::vector<std::string> leftOut;
    for (const LeftOutLine& line : report.budget.leftOut)
        leftOut.push_back(line.sentence);
    printList("Not counted", leftOut);
    printList("Assumed", report.budget.assumptions);
}

} // namespace highwater::cli
