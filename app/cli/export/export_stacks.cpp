#include <fmt/format.h>

#include "app/cli/export/export_job.h"
#include "app/cli/input/arguments.h"
#include "core/analysis/stacks/call_tree.h"
#include "core/analysis/stacks/call_tree_builder.h"
#include "core/analysis/usage/moment_text.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/base/text_parts.h"

namespace highwater::cli {

namespace {

/// True if the output is lines of folded stacks and not a table.
bool isFoldedText(const ExportOptions& options)
{
    return options.out == "-" ? !options.common.json : options.out.ends_with(".txt");
}

/// Writes the lines of folded stacks as rows (stack, bytes).
void writeRows(std::string_view folded, TableWriter& writer)
{
    while (!folded.empty()) {
        const std::string_view line = folded.substr(0, folded.find('\n'));
        const std::size_t blank = line.rfind(' ');
        writer.text(line.substr(0, blank));
        writer.number(parsedNumber<std::int64_t>(line.substr(blank + 1)).value_or(0));
        folded.remove_prefix(std::min(line.size() + 1, folded.size()));
    }
}

} // namespace

void exportStacks(const ExportJob& job, const ImportedTrace&)
{
    const AllocationTable allocations(job.trace, job.device);
    const std::int64_t event = job.options.at
        ? need(job.options.common.files.front(), eventOfMoment(*job.options.at, job.trace, job.device))
        : UsageCurve(job.trace, allocations).peak().event;
    const LiveIndex live(allocations);
    const CallSites sites(job.trace, allocations);
    const LiveSet set = liveSet(live, LiveSetSpec::aliveAt(event));
    const std::string folded = foldedStacks(
        callTree(job.trace, allocations, sites, set, CallDirection::TopDown, FrameDetail::Python));
    const TextSink sink = job.sink();
    if (isFoldedText(job.options))
        return job.finish(sink(folded));
    TableWriter::Facts facts = job.facts();
    facts.emplace_back("event", std::to_string(event));
    facts.emplace_back("bytes", std::to_string(set.total.bytes));
    TableWriter writer(tableFormat(job.options), sink, "stacks",
        {"stack", fmt::format("{}_bytes", toText(job.about().quantity))}, facts);
    writeRows(folded, writer);
    job.finish(writer.finish());
}

} // namespace highwater::cli
