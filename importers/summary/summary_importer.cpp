#include "importers/summary/summary_importer.h"

#include "importers/conclude_import.h"
#include "importers/summary/summary_reader.h"
#include "importers/summary/summary_trace.h"

namespace highwater {

Result<ImportedTrace> importSummary(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    const Result<RankSummary> summary = readSummary(*source, options, SummaryParts::Everything);
    if (!summary)
        return tl::unexpected(summary.error());
    Result<std::shared_ptr<const Trace>> trace = buildSummaryTrace(*summary);
    if (!trace)
        return tl::unexpected(trace.error());
    return concludeImport(std::nullopt, false, [&] { return *trace; });
}

} // namespace highwater
