#pragma once

#include <string_view>

#include "core/trace/summary/rank_summary.h"
#include "importers/importer.h"

namespace highwater {

/// The parts of a summary to unpack. Checksums are always compared for the whole file.
enum class SummaryParts
{
    Figures, ///< everything except curve, stacks and allocations
    Everything,
};

/// True if the bytes begin a .hws file.
bool sniffSummary(std::string_view prefix);

/// Reads a .hws file. Refuses a damaged, cut-off or newer file with a message and the position.
Result<RankSummary> readSummary(ByteSource& source, const ImportOptions& options, SummaryParts parts);

} // namespace highwater
