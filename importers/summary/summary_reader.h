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

/// Reads a .hws file, which must have been recognized (`sniffSummary`). Refuses a damaged or cut-off file,
/// one of a newer version, and one beyond the memory limit; returns no part of it.
Result<RankSummary> readSummary(ByteSource& source, const ImportOptions& options, SummaryParts parts);

} // namespace highwater
