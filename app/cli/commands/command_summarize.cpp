#include "app/cli/commands/rank_commands.h"

#include <fmt/format.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/console/terminal.h"
#include "app/cli/output/run_ranks_json.h"
#include "app/loading/rank_identity.h"
#include "app/loading/run/run_assembly.h"
#include "app/loading/summary_file.h"
#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

/// Prints what was written, whose it is, and what it lacks.
void printWrittenSummary(const SummarizeOptions& options, const SummaryFile& file)
{
    const RankSummary& summary = file.summary;
    const std::string rank
        = summary.identity.rank ? fmt::format("rank {}", *summary.identity.rank) : "rank unknown";
    std::string sources;
    for (const auto& [field, source] : summary.identity.found)
        sources += fmt::format("{}{} from the {}", sources.empty() ? "" : ", ", field, source);
    printOut("{}  {}: {}{}, {} peak {}, {}, {}\n", sanitizedText(options.out),
        formatBytes(static_cast<Bytes>(file.bytes.size())), rank,
        sources.empty() ? "" : " (" + sanitizedText(sources) + ")", summary.device.label,
        formatBytes(summary.device.peakBytes), counted(summary.steps.size(), "step", "steps"),
        counted(summary.findings.size(), "finding", "findings"));
    for (const std::string& limit : summary.limits)
        printOut("  {}\n", Style::forStdout().quiet(sanitizedText(limit)));
}

} // namespace

int runSummarize(const SummarizeOptions& options)
{
    const std::string& path = options.common.files.front();
    const std::vector<CategoryRule> rules = rulesFrom(options.rules);
    RankIdentity checkedIdentity; // an error is reported before a large file is read
    need("--identity", setIdentity(checkedIdentity, options.identity, "option"));
    const LoadedInput input = needInput(path, options.common);
    if (input.imported->trace->metadata.kind == TraceKind::RankSummary)
        refuse(path, "is a summary already");
    RunParts parts
        = need(path, partsOf(shownName(path), *input.imported, {options.device, std::nullopt, rules, {}}));
    RankIdentity identity = identityOf(path, *input.imported->trace);
    need("--identity", setIdentity(identity, options.identity, "option"));
    const SummaryFile file = summaryFile(RunStudy(std::move(parts)), identity, input.imported->fileBytes);
    OutputFile out = OutputFile::need(options.out, options.force, {path, options.rules});
    out.write(file.bytes);
    need(options.out, out.commit());
    if (options.out == "-")
        return exitCodeOf(input);
    if (options.common.json)
        printDocument(summaryJson(options.out, file.summary, file.bytes.size()));
    else
        printWrittenSummary(options, file);
    return exitCodeOf(input);
}

} // namespace highwater::cli
