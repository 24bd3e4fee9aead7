#include "app/cli/commands/commands.h"

#include <fmt/format.h>

#include "app/cli/commands/export_job.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/console/output_file.h"
#include "app/cli/console/terminal.h"
#include "app/loading/device_choice.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

std::string jsonText(std::string_view text)
{
    std::string out;
    appendJsonText(out, text);
    return out;
}

/// Options that the chosen kind would silently pass over.
void checkCombination(const ExportOptions& options)
{
    if (!options.filter.empty() && options.what != "allocations")
        refuse("export", "--filter goes with --what allocations");
    if (options.at && options.what != "stacks")
        refuse("export", "--at goes with --what stacks");
    if (!options.range.empty() && options.what != "columns")
        refuse("export", "--range goes with --what columns");
    const bool alone = options.what != "curve" && options.what != "trace";
    if (alone && (!options.companions.files.empty() || options.companions.offsetSeconds))
        refuse("export", "--with and --offset go with --what curve and --what trace");
    if (options.common.activities && options.what != "trace")
        refuse("export", "--activities goes with --what trace");
}

/// Whether the name of the file fits: before anything large is read.
void checkForm(const ExportOptions& options)
{
    if (options.what == "stacks" && options.out.ends_with(".txt"))
        return;
    if (options.what != "columns" && options.what != "trace")
        tableFormat(options);
    else if (options.out.ends_with(".csv"))
        refuse(options.out, fmt::format("{} is written as JSON, not as CSV", options.what));
}

OutputFile createOutput(const ExportOptions& options)
{
    std::vector<std::string> inputs = options.common.files;
    inputs.insert(inputs.end(), options.companions.files.begin(), options.companions.files.end());
    inputs.insert(inputs.end(), {options.rules, options.common.logPatterns});
    return OutputFile::need(options.out, options.force, inputs);
}

void runJob(const ExportJob& job)
{
    if (job.options.what == "columns")
        exportColumns(job);
    else if (job.options.what == "trace")
        exportTrace(job);
    else if (job.options.what == "stacks")
        exportStacks(job);
    else
        exportTable(job);
}

} // namespace

TextSink ExportJob::sink() const
{
    return [this](std::string_view bytes) { return !interruptToken().stopRequested() && out.write(bytes); };
}

TableWriter::Facts ExportJob::facts() const
{
    return {{"path", jsonText(sanitizedText(options.common.files.front()))},
        {"device", std::to_string(about().ordinal)}, {"kind", jsonText(toText(about().kind))},
        {"quantity", jsonText(toText(about().quantity))}};
}

void ExportJob::finish(bool isWritten) const
{
    if (!isWritten && interruptToken().stopRequested())
        throw Refusal{options.common.files.front(), {ErrorCode::Cancelled, "cancelled", {}}};
    need(options.out, out.commit());
    if (!isWritten) // the writer saw an error that the file did not
        throw Refusal{options.out, {ErrorCode::CannotRead, "cannot be written", {}}};
}

TableFormat tableFormat(const ExportOptions& options)
{
    if (options.out == "-")
        return options.common.json ? TableFormat::Json : TableFormat::Csv;
    if (options.out.ends_with(".csv"))
        return TableFormat::Csv;
    if (options.out.ends_with(".json"))
        return TableFormat::Json;
    refuse(options.out,
        options.what == "stacks"
            ? "the name of the file to write ends neither in .txt nor in .csv nor in .json"
            : "the name of the file to write ends neither in .csv nor in .json");
}

int runExport(const ExportOptions& options)
{
    const std::string& path = options.common.files.front();
    checkCombination(options);
    checkForm(options);
    const std::vector<CategoryRule> rules = rulesFrom(options.rules);
    const LoadedInput input = needInput(path, options.common);
    const Trace& trace = *input.imported->trace;
    if (trace.devices.empty() && !trace.counters.empty() && options.what == "curve") {
        OutputFile out = createOutput(options);
        exportSeries({trace, 0, options, rules, {}, out});
        return exitCodeOf(input);
    }
    const DeviceIndex device = need(path, chooseDevice(trace, allFigures(trace), options.device));
    const std::vector<CompanionLine> companions
        = companionsOf(path, trace, device, options.companions, options.common);
    OutputFile out = createOutput(options);
    runJob({trace, device, options, rules, companions, out});
    return exitCodeOf(input);
}

} // namespace highwater::cli
