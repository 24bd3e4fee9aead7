#include "app/cli/output/diff_output.h"

#include <algorithm>
#include <limits>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "core/analysis/device/moment_words.h"
#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text_format.h"
#include "core/table/diff_tables.h"
#include "core/table/step_tables.h"

namespace highwater::cli {

namespace {

void printRun(const char* name, const DiffedRun& run)
{
    printOut("{:<7} {}  {}  {} in use ({}, {}) {}\n", name, sanitizedText(run.path),
        run.study.about().words(), formatBytes(run.study.curve.at(run.event)),
        formatExactBytes(run.study.curve.at(run.event)), inWords(run.study.allocations.quantity()),
        momentAndHighest(run.study, run.event));
}

void printRows(const DiffReport& report, std::size_t top)
{
    const DiffFindings& found = report.found;
    const bool hasFactors = !legendSentences(found.causes.factors).empty();
    Table rows = diffTable(*groupKeyFromText(report.group), found.diff,
        top == 0 ? std::numeric_limits<std::size_t>::max() : top + 1, hasFactors ? &found.causes : nullptr);
    rows.caption.clear();
    printTable(withoutColumns(std::move(rows), {"before_count", "after_count"}));
}

/// Prints what the factors in the table mean, and the hints.
void printCauses(const DiffFindings& found)
{
    constexpr std::size_t maxHints = 8;
    const SizeCauses& causes = found.causes;
    const std::vector<std::string> legend = legendSentences(causes.factors);
    const std::string doubtfulCopies = doubtfulCopiesText(causes);
    if (found.replacements.empty()
        && (causes.factors.why == NoFactorsReason::NoChange || (legend.empty() && doubtfulCopies.empty())))
        return;
    printOut("\n");
    for (const std::string& sentence : legend)
        printOut("{}\n", sentence);
    for (std::size_t i = 0; i < std::min(maxHints, found.replacements.size()); ++i)
        printOut("{}\n", found.replacements[i]);
    if (!doubtfulCopies.empty())
        printOut("{}\n", doubtfulCopies);
}

void printVerdict(const DiffReport& report)
{
    printOut("{}\n", Style::forStdout().strong(report.found.verdict.headline));
    for (const std::string& sentence : report.found.verdict.details)
        printOut("{}\n", sentence);
    if (const auto& unequal = report.runs.unequalPeaks();
        unequal && report.before.isAtPeak() && report.after.isAtPeak())
        printOut("To compare {}, add --step-before {} --step-after {}.\n", unequal->pairText(),
            unequal->beforeIndex, unequal->afterIndex);
    printOut("\n");
}

void printStepPairs(const DiffReport& report)
{
    constexpr std::size_t most = 12;
    printTable(stepPairTable(report.before.study.steps, report.after.study.steps, report.runs.steps(), most));
}

} // namespace

void printSettings(const std::vector<SettingChange>& settings)
{
    printTable(settingChangeTable(settings));
}

void printDiff(const DiffReport& report, std::size_t top)
{
    printVerdict(report);
    printRun("before", report.before);
    printRun("after", report.after);
    if (report.isInferred)
        printOut("One run's allocated bytes are inferred by the allocator's rounding rule.\n");
    printOut("\n");
    printRows(report, top);
    printCauses(report.found);
    printOut("\n");
    printStepPairs(report);
    if (!report.runs.settings().empty()) {
        printOut("\n");
        printSettings(report.runs.settings());
    }
}

} // namespace highwater::cli
