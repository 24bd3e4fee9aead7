#include "app/cli/commands/commands.h"

#include <fmt/format.h>

#include "app/cli/commands/export_job.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/console/output_file.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/each_file.h"
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
void checkExportOptions(const ExportOptions& options)
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
    if (options.what == "tables" && !namesDatabase(options.out))
        refuse(options.out, "tables are written to a file whose name ends in .sqlite, .sqlite3 or .db");
    if (options.what == "tables")
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

void runJob(const ExportJob& job, const ImportedTrace& imported)
{
    if (job.options.what == "tables")
        exportDatabase(job, imported);
    else if (job.options.what == "columns")
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

namespace {

/// `options` name this input and its output alone.
void exportOne(const LoadedInput& input, const ExportOptions& options, const std::vector<CategoryRule>& rules)
{
    const Trace& trace = *input.imported->trace;
    if (trace.devices.empty() && !trace.counters.empty() && options.what == "curve") {
        OutputFile out = createOutput(options);
        exportSeries({trace, 0, options, rules, {}, out});
        return;
    }
    const DeviceIndex device = need(input.path, chooseDevice(trace, allFigures(trace), options.device));
    const std::vector<CompanionLine> companions
        = companionsOf(input.path, trace, device, options.companions, options.common);
    OutputFile out = createOutput(options);
    runJob({trace, device, options, rules, companions, out}, *input.imported);
}

/// Behind the input's name, where several are written into a folder.
std::string endingOf(const ExportOptions& options)
{
    const bool isJson = options.common.json || options.what == "columns" || options.what == "trace";
    return "-" + options.what + (isJson ? ".json" : options.what == "stacks" ? ".txt" : ".csv");
}

} // namespace

int runExport(const ExportOptions& options)
{
    checkExportOptions(options);
    const std::vector<CategoryRule> rules = rulesFrom(options.rules);
    if (!isOneFile(options.common))
        return writeForEachFile(options.common, options.out, endingOf(options),
            [&](const LoadedInput& input, const std::string& path) {
                ExportOptions one = options;
                one.common.files = {input.path};
                one.out = path;
                exportOne(input, one, rules);
            });
    checkForm(options);
    const LoadedInput input = needInput(options.common.files.front(), options.common);
    exportOne(input, options, rules);
    return exitCodeOf(input);
}

} // namespace highwater::cli
