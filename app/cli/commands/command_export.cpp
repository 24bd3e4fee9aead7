#include "app/cli/commands/commands.h"

#include <fmt/format.h>

#include "app/cli/commands/export_job.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/console/output_file.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/rules_option.h"
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
Result<void> checkCombination(const ExportOptions& options)
{
    if (!options.filter.empty() && options.what != "allocations")
        return fail(ErrorCode::BadRequest, "--filter goes with --what allocations");
    if (options.at && options.what != "stacks")
        return fail(ErrorCode::BadRequest, "--at goes with --what stacks");
    if (!options.range.empty() && options.what != "columns")
        return fail(ErrorCode::BadRequest, "--range goes with --what columns");
    const bool alone = options.what != "curve" && options.what != "trace";
    if (alone && (!options.companions.files.empty() || options.companions.offsetSeconds))
        return fail(ErrorCode::BadRequest, "--with and --offset go with --what curve and --what trace");
    if (options.common.activities && options.what != "trace")
        return fail(ErrorCode::BadRequest, "--activities goes with --what trace");
    return {};
}

/// Whether the name of the file fits: before anything large is read.
Result<void> checkForm(const ExportOptions& options)
{
    if (options.what == "stacks" && options.out.ends_with(".txt"))
        return {};
    if (options.what == "columns" || options.what == "trace") {
        if (options.out.ends_with(".csv"))
            return fail(
                ErrorCode::BadRequest, fmt::format("{} is written as JSON, not as CSV", options.what));
        return {};
    }
    const Result<TableFormat> format = tableFormat(options);
    if (!format)
        return tl::unexpected(format.error());
    return {};
}

Result<OutputFile> createOutput(const ExportOptions& options)
{
    std::vector<std::string> inputs = options.common.files;
    inputs.insert(inputs.end(), options.companions.files.begin(), options.companions.files.end());
    inputs.insert(inputs.end(), {options.rules, options.common.logPatterns});
    return OutputFile::create(options.out, options.force, inputs);
}

Result<void> runJob(const ExportJob& job)
{
    if (job.options.what == "columns")
        return exportColumns(job);
    if (job.options.what == "trace")
        return exportTrace(job);
    return job.options.what == "stacks" ? exportStacks(job) : exportTable(job);
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

Error ExportJob::whyStopped() const
{
    if (interruptToken().stopRequested())
        return {ErrorCode::Cancelled, "cancelled", {}};
    const Result<void> refused = out.commit();
    return refused ? Error{ErrorCode::CannotRead, "cannot be written", {}} : refused.error();
}

Result<TableFormat> tableFormat(const ExportOptions& options)
{
    if (options.out == "-")
        return options.common.json ? TableFormat::Json : TableFormat::Csv;
    if (options.out.ends_with(".csv"))
        return TableFormat::Csv;
    if (options.out.ends_with(".json"))
        return TableFormat::Json;
    return fail(ErrorCode::BadRequest,
        options.what == "stacks"
            ? "the name of the file to write ends neither in .txt nor in .csv nor in .json"
            : "the name of the file to write ends neither in .csv nor in .json");
}

namespace {

/// A file that holds series alone, as logs do.
int runSeriesExport(const Trace& trace, const LoadedInput& input, const ExportOptions& options)
{
    Result<OutputFile> out = createOutput(options);
    Result<void> done;
    if (out) {
        const TextSink sink
            = [&](std::string_view bytes) { return !interruptToken().stopRequested() && out->write(bytes); };
        done = exportSeries(trace, options, sink, {ErrorCode::Cancelled, "cancelled", {}});
        if (done)
            done = out->commit();
    } else {
        done = fail(ErrorCode::BadRequest, out.error().message);
    }
    if (done)
        return exitCodeOf(input);
    printError(options.out, done.error());
    return exitCodeOf(done.error());
}

} // namespace

int runExport(const ExportOptions& options)
{
    const std::string& path = options.common.files.front();
    const auto failed = [](const std::string& name, const Error& error) {
        printError(name, error);
        return exitCodeOf(error);
    };
    if (const Result<void> fits = checkCombination(options); !fits)
        return failed("export", fits.error());
    if (const Result<void> form = checkForm(options); !form)
        return failed(options.out, form.error());
    const Result<std::vector<CategoryRule>> rules = rulesFrom(options.rules);
    if (!rules)
        return rulesError(options.rules, rules.error());
    const LoadedInput input = loadInput(path, options.common);
    if (!input.imported)
        return exitCodeOf(input);
    const Trace& trace = *input.imported->trace;
    if (trace.devices.empty() && !trace.counters.empty() && options.what == "curve")
        return runSeriesExport(trace, input, options);
    const Result<DeviceIndex> device = chooseDevice(trace, allFigures(trace), options.device);
    if (!device)
        return failed(path, device.error());
    const Result<std::vector<CompanionLine>> companions
        = companionsOf(trace, *device, options.companions, options.common);
    if (!companions)
        return companions.error().code == ErrorCode::BadRequest ? failed(path, companions.error())
                                                                : exitCodeOf(companions.error());
    Result<OutputFile> out = createOutput(options);
    if (!out)
        return failed(options.out, Error{ErrorCode::BadRequest, out.error().message, {}});
    const ExportJob job{trace, *device, options, *rules, *companions, *out};
    Result<void> done = runJob(job);
    if (!done)
        return failed(done.error().code == ErrorCode::CannotRead ? options.out : path, done.error());
    done = out->commit();
    return done ? exitCodeOf(input) : failed(options.out, done.error());
}

} // namespace highwater::cli
