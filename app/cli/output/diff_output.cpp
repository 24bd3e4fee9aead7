#include "app/cli/output/diff_output.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/console/text_table.h"
#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

void printRun(const char* name, const DiffedRun& run)
{
    const CurvePeak peak = run.study.curve.peak();
    printOut("{:<7} {}  {}  {} {} ({}) {}{}\n", name, sanitizedText(run.path), run.study.about().label(),
        formatBytes(run.study.curve.at(run.event)), toText(run.study.allocations.quantity()),
        formatExactBytes(run.study.curve.at(run.event)), formatMoment(run.event),
        run.event == peak.event ? ", the peak" : "");
}

void printRows(const DiffReport& report, std::size_t top)
{
    using Align = TextTable::Align;
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
        Align::Left, Align::Left});
    table.add({"difference", "before", "count", "after", "count", "each", "status", report.group});
    const std::size_t shown
        = top == 0 ? report.found.diff.rows.size() : std::min(top, report.found.diff.rows.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const DiffRow& row = report.found.diff.rows[i];
        table.add({formatBytesDelta(row.delta()), formatBytes(row.before.bytes),
            formatCount(row.before.count), formatBytes(row.after.bytes), formatCount(row.after.count),
            eachText(report.found.causes, static_cast<std::uint32_t>(i)),
            std::string(toText(row.status())) + (row.loose ? " (loosely matched)" : ""), shortKey(row.key)});
    }
    DiffRow rest;
    for (std::size_t i = shown; i < report.found.diff.rows.size(); ++i) {
        rest.before.bytes += report.found.diff.rows[i].before.bytes;
        rest.before.count += report.found.diff.rows[i].before.count;
        rest.after.bytes += report.found.diff.rows[i].after.bytes;
        rest.after.count += report.found.diff.rows[i].after.count;
    }
    if (shown < report.found.diff.rows.size())
        table.add(
            {formatBytesDelta(rest.delta()), formatBytes(rest.before.bytes), formatCount(rest.before.count),
                formatBytes(rest.after.bytes), formatCount(rest.after.count), "", "",
                fmt::format("({} more)",
                    formatCount(static_cast<std::int64_t>(report.found.diff.rows.size() - shown)))});
    printOut("{}", table.text());
}

/// What the factors in the table mean, and the hints.
void printCauses(const DiffFindings& found)
{
    constexpr std::size_t mostHints = 8;
    const SizeCauses& causes = found.causes;
    if (causes.factors.why == SizeSilence::NoChange && found.replacements.empty())
        return;
    printOut("\n");
    for (const std::string& sentence : legendSentences(causes.factors))
        printOut("{}\n", sentence);
    for (std::size_t i = 0; i < std::min(mostHints, found.replacements.size()); ++i)
        printOut("{}\n", found.replacements[i]);
    for (const std::string& sentence : copySentences(causes))
        printOut("{}\n", sentence);
}

void printVerdict(const DiffReport& report)
{
    printOut("{}\n", Style::forStdout().strong(report.found.verdict.headline));
    for (const std::string& sentence : report.found.verdict.details)
        printOut("{}\n", sentence);
    printOut("\n");
}

void printSteps(const DiffReport& report)
{
    constexpr std::size_t most = 12;
    using Align = TextTable::Align;
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Right, Align::Right});
    table.add({"step before", "peak", "step after", "peak", "difference"});
    const std::size_t shown = std::min(most, report.runs.steps().pairs.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const StepPair& pair = report.runs.steps().pairs[i];
        const Step* before = pair.before ? &report.before.study.steps.steps[*pair.before] : nullptr;
        const Step* after = pair.after ? &report.after.study.steps.steps[*pair.after] : nullptr;
        table.add({before ? sanitizedText(before->name) : "–", before ? formatBytes(before->peakBytes) : "",
            after ? sanitizedText(after->name) : "–", after ? formatBytes(after->peakBytes) : "",
            before && after ? formatBytesDelta(after->peakBytes - before->peakBytes) : ""});
    }
    if (shown < report.runs.steps().pairs.size())
        table.add({fmt::format("({} more)", report.runs.steps().pairs.size() - shown)});
    printOut("Steps, put beside each other by {}\n{}", toText(report.runs.steps().alignment), table.text());
}

} // namespace

void printSettings(const std::vector<SettingChange>& settings)
{
    using Align = TextTable::Align;
    TextTable table({Align::Left, Align::Left, Align::Left});
    table.add({"setting", "before", "after"});
    for (const SettingChange& change : settings)
        table.add({sanitizedText(change.name), change.before.empty() ? "–" : sanitizedText(change.before),
            change.after.empty() ? "–" : sanitizedText(change.after)});
    printOut("Settings that differ\n{}", table.text());
}

void printDiff(const DiffReport& report, std::size_t top)
{
    printVerdict(report);
    printRun("before", report.before);
    printRun("after", report.after);
    printOut("{}{}\n\n",
        report.found.diff.delta() == 0 ? "no difference in bytes"
                                       : formatBytesDelta(report.found.diff.delta()),
        report.inferred ? " (allocated bytes of one run are inferred by the allocator's rounding rule)" : "");
    printRows(report, top);
    printCauses(report.found);
    printOut("\n");
    printSteps(report);
    if (!report.runs.settings().empty()) {
        printOut("\n");
        printSettings(report.runs.settings());
    }
}

} // namespace highwater::cli
