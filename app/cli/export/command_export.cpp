#include "app/cli/export/export_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output_file.h"
#include "app/cli/console/terminal.h"
#include "app/cli/export/export_job.h"
#include "app/cli/export/export_kinds.h"
#include "app/cli/input/file_answers.h"
#include "app/loading/device_choice.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

/// Refuses an option that is given but that the kind does not take; `optionsNeed` begins the sentence:
/// "--filter needs".
void refuseUnlessTaken(
    bool isGiven, const ExportKind& kind, ExportKind::Option option, std::string_view optionsNeed)
{
    if (!isGiven || kind.takes(option))
        return;
    std::vector<std::string> takers;
    for (const ExportKind& other : exportKinds())
        if (other.takes(option))
            takers.push_back(fmt::format("--what {}", other.name));
    refuse("export", fmt::format("{} {}", optionsNeed, fmt::join(takers, " or ")));
}

/// Refuses options that the chosen kind would silently ignore.
void checkExportOptions(const ExportKind& kind, const ExportOptions& options)
{
    const AuxiliaryOptions& auxiliaryFiles = options.auxiliaryFiles;
    refuseUnlessTaken(!options.filter.empty(), kind, ExportKind::Filter, "--filter needs");
    refuseUnlessTaken(options.at.has_value(), kind, ExportKind::Moment, "--at needs");
    refuseUnlessTaken(!options.range.empty(), kind, ExportKind::Range, "--range needs");
    refuseUnlessTaken(!auxiliaryFiles.files.empty() || auxiliaryFiles.offsetSeconds, kind,
        ExportKind::AuxiliaryFiles, "--with and --offset need");
    refuseUnlessTaken(options.common.activities, kind, ExportKind::Activities, "--activities needs");
}

/// Refuses a file name that does not suit the kind, before anything large is read.
void checkFileName(const ExportKind& kind, const ExportOptions& options)
{
    switch (kind.form) {
    case ExportKind::Form::Database:
        if (!namesDatabase(options.out))
            refuse(options.out, "tables need a file name that ends in .sqlite, .sqlite3 or .db");
        return;
    case ExportKind::Form::Document:
        if (options.out.ends_with(".csv"))
            refuse(options.out, fmt::format("{} can be written as JSON, not as CSV", kind.name));
        return;
    case ExportKind::Form::Stacks:
        if (!options.out.ends_with(".txt"))
            tableFormat(options);
        return;
    case ExportKind::Form::Table: tableFormat(options);
    }
}

/// Creates the output, which must not replace a file that the export reads.
OutputFile createOutput(const ExportOptions& options)
{
    std::vector<std::string> inputs = options.common.files;
    inputs.insert(inputs.end(), options.auxiliaryFiles.files.begin(), options.auxiliaryFiles.files.end());
    inputs.insert(inputs.end(), {options.rules, options.common.logPatterns});
    return OutputFile::need(options.out, options.force, inputs);
}

} // namespace

TextSink ExportJob::sink() const
{
    return [this](std::string_view bytes) { return !interruptToken().stopRequested() && out.write(bytes); };
}

TableWriter::Facts ExportJob::facts() const
{
    return {{"path", jsonString(sanitizedText(options.common.files.front()))},
        {"device", std::to_string(about().ordinal)}, {"kind", jsonString(toText(about().kind))},
        {"quantity", jsonString(toText(about().quantity))}};
}

void ExportJob::finish(bool isWritten) const
{
    if (!isWritten && interruptToken().stopRequested())
        throw Refusal{options.common.files.front(), {ErrorCode::Cancelled, "cancelled", {}}};
    if (isWritten) {
        need(options.out, out.commit());
        return;
    }
    need(options.out, out.finish()); // reports the system's reason
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
        options.what == "stacks" ? "the file name must end in .txt, .csv or .json"
                                 : "the file name must end in .csv or .json");
}

namespace {

/// Exports one input; `options` name only this input and its output.
void exportOne(const LoadedInput& input, const ExportOptions& options, const std::vector<CategoryRule>& rules)
{
    const Trace& trace = *input.imported->trace;
    if (trace.devices.empty() && !trace.counters.empty() && options.what == "curve") {
        OutputFile out = createOutput(options);
        exportSeries({trace, 0, options, rules, {}, out});
        return;
    }
    const DeviceIndex device = need(input.path, chooseDevice(trace, allFigures(trace), options.device));
    const std::vector<AuxiliaryLine> auxiliaryLines
        = loadAuxiliaryLines(input.path, trace, device, options.auxiliaryFiles, options.common);
    OutputFile out = createOutput(options);
    exportKindNamed(options.what)
        .write({trace, device, options, rules, auxiliaryLines, out}, *input.imported);
}

/// Returns what replaces the ending of an input's name if several are written into a folder:
/// "-allocations.csv".
std::string endingOf(const ExportKind& kind, bool isJson)
{
    const std::string_view ending = kind.form == ExportKind::Form::Database ? ".sqlite"
        : isJson || kind.form == ExportKind::Form::Document                 ? ".json"
        : kind.form == ExportKind::Form::Stacks                             ? ".txt"
                                                                            : ".csv";
    return fmt::format("-{}{}", kind.name, ending);
}

} // namespace

int runExport(const ExportOptions& options)
{
    const ExportKind& kind = exportKindNamed(options.what);
    checkExportOptions(kind, options);
    const std::vector<CategoryRule> rules = rulesFrom(options.rules);
    if (!isOneFile(options.common))
        return writeForEachFile(options.common, options.out, endingOf(kind, options.common.json),
            [&](const LoadedInput& input, const std::string& path) {
                ExportOptions fileOptions = options;
                fileOptions.common.files = {input.path};
                fileOptions.out = path;
                exportOne(input, fileOptions, rules);
            });
    checkFileName(kind, options);
    const LoadedInput input = needInput(options.common.files.front(), options.common);
    exportOne(input, options, rules);
    return exitCodeOf(input);
}

} // namespace highwater::cli
