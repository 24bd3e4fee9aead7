#pragma once

#include <string_view>

#include "core/trace/summary/rank_summary.h"
#include "importers/importer.h"

namespace highwater {

/// How much of a summary is unpacked. Checksums are compared in all of it.
enum class SummaryParts
{
    Figures, ///< all but curve, stacks and allocations
    Everything,
};

/// Whether the bytes begin a .hws file.
bool sniffSummary(std::string_view prefix);

/// Reads a .hws file. A damaged, cut-off or newer one is refused with a sentence and the place.
Result<RankSummary> readSummary(ByteSource& source, const ImportOptions& options, SummaryParts parts);

} // namespace highwater
