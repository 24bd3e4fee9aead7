#pragma once

#include "app/cli/console/output_file.h"
#include "app/cli/export/export_options.h"
#include "core/run/category_rules.h"
#include "core/table/sinks/table_writer.h"

namespace highwater::cli {

/// One export: the device, the options and the output.
struct ExportJob
{
    const Trace& trace;
    DeviceIndex device;
    const ExportOptions& options;
    const std::vector<CategoryRule>& rules;
    std::vector<CompanionLine> companions;
    OutputFile& out;

    const Device& about() const { return trace.devices[device]; }
    /// Writes to the file; fails once the user has pressed Ctrl+C.
    TextSink sink() const;
    /// What every JSON document begins with: path, device, kind, quantity.
    TableWriter::Facts facts() const;
    /// Moves the file into place, or ends the command where a sink refused or the file cannot be.
    void finish(bool isWritten) const;
};

/// The form that the name of the file asks for: ".csv" or ".json"; standard output gets CSV, with --json
/// JSON. Ends the command for other names.
TableFormat tableFormat(const ExportOptions& options);

/// What each `--what` writes (export_kinds.h); a table of the device:
void exportTable(const ExportJob& job, const ImportedTrace& imported);
/// Instead of `curve`, of a file without devices: the points of its series.
void exportSeries(const ExportJob& job);
/// `--what stacks`: what is live at a moment, as folded stacks.
void exportStacks(const ExportJob& job, const ImportedTrace& imported);
/// `--what trace`: a chrome trace for Perfetto.
void exportTrace(const ExportJob& job, const ImportedTrace& imported);
/// `--what columns`: what the timeline draws.
void exportColumns(const ExportJob& job, const ImportedTrace& imported);
/// `--what tables`: a SQLite database (resources/manual/sqlite.md).
void exportDatabase(const ExportJob& job, const ImportedTrace& imported);
/// Whether a file of that name is to be one.
bool namesDatabase(const std::string& out);

} // namespace highwater::cli
