#pragma once

#include "app/cli/commands/commands.h"
#include "app/cli/console/output_file.h"
#include "core/report/tables/table_writer.h"
#include "core/run/category_rules.h"

namespace highwater::cli {

/// One export: the device, the options and the output.
struct ExportJob
{
    const Trace& trace;
    DeviceIndex device;
    const ExportOptions& options;
    const std::vector<CategoryRule>& rules;
    const std::vector<CompanionLine>& companions;
    OutputFile& out;

    const Device& about() const { return trace.devices[device]; }
    /// Writes to the file; fails once the user has pressed Ctrl+C.
    TextSink sink() const;
    /// What every JSON document begins with: path, device, kind, quantity.
    TableWriter::Facts facts() const;
    /// The error of a write that a sink refused.
    Error whyStopped() const;
};

/// The form that the name of the file asks for: ".csv" or ".json"; standard output gets CSV, with --json
/// JSON. Fails with BadRequest for other names.
Result<TableFormat> tableFormat(const ExportOptions& options);

/// `--what events`, `allocations`, `curve`, `steps`: a table.
Result<void> exportTable(const ExportJob& job);
/// `--what curve` of a file without devices: the points of its series. `refused`: what to say when the sink
/// refuses.
Result<void> exportSeries(
    const Trace& trace, const ExportOptions& options, const TextSink& sink, const Error& refused);
/// `--what stacks`: what is live at a moment, as folded stacks.
Result<void> exportStacks(const ExportJob& job);
/// `--what trace`: a chrome trace for Perfetto.
Result<void> exportTrace(const ExportJob& job);
/// `--what columns`: what the timeline draws.
Result<void> exportColumns(const ExportJob& job);

} // namespace highwater::cli
