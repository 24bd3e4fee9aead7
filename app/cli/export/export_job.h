#pragma once

#include "app/cli/console/output_file.h"
#include "app/cli/export/export_options.h"
#include "core/run/category_rules.h"
#include "core/table/sinks/table_writer.h"

namespace highwater::cli {

/// One export of a device. The references must stay valid.
struct ExportJob
{
    const Trace& trace;
    DeviceIndex device;
    const ExportOptions& options;
    const std::vector<CategoryRule>& rules;
    std::vector<AuxiliaryLine> auxiliaryLines; ///< series of the files that `--with` names
    OutputFile& out;

    const Device& about() const { return trace.devices[device]; }
    /// Returns a sink that writes to the output, and fails once a stop is requested (`interruptToken`).
    TextSink sink() const;
    /// Returns the first members of the JSON documents of tables and stacks: path, device, kind, quantity.
    TableWriter::Facts facts() const;
    /// Moves the file into place if `isWritten`. Ends the command otherwise, or if the file cannot be
    /// written.
    void finish(bool isWritten) const;
};

/// Returns the format by the ending of the file's name: ".csv" or ".json"; for standard output CSV, or JSON
/// with `--json`. Ends the command for other names.
TableFormat tableFormat(const ExportOptions& options);

/// Writes a table of the device. This function and the next ones write the kinds of `--what`
/// (export_kinds.h).
void exportTable(const ExportJob& job, const ImportedTrace& imported);
/// Writes `--what curve` for a file without devices: the points of its series. The job's device is not used.
void exportSeries(const ExportJob& job);
/// Writes `--what stacks`: everything live at the requested moment or the peak, as folded stacks.
void exportStacks(const ExportJob& job, const ImportedTrace& imported);
/// Writes `--what trace`: a chrome trace for Perfetto.
void exportTrace(const ExportJob& job, const ImportedTrace& imported);
/// Writes `--what columns`: the bands that the timeline draws.
void exportColumns(const ExportJob& job, const ImportedTrace& imported);
/// Writes `--what tables`: a SQLite database (resources/manual/sqlite.md).
void exportDatabase(const ExportJob& job, const ImportedTrace& imported);
/// True if the name of the output has the ending of a database.
bool namesDatabase(const std::string& out);

} // namespace highwater::cli
