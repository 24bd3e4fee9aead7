#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Returns the members of a summary that are not tables, as JSON text. Places in the import log are left out.
std::string summaryDocumentText(const RankSummary& summary);

/// Sets the members that `summaryDocumentText` wrote and leaves the tables unchanged. Fails with Malformed.
Result<void> readSummaryDocument(std::string_view text, RankSummary& summary);

/// Facts in a summary that cannot be computed again from a trace. Event numbers refer to the trace made
/// from the summary.
struct SummaryNotes
{
    std::string stepReason;
    std::vector<SummaryStep> steps;
    std::vector<SummaryFinding> findings;
};

/// Stores the notes in the metadata of a trace.
void addSummaryNotes(TraceMetadata& metadata, const SummaryNotes& notes);
/// Returns nullopt if the trace was not made from a summary, or the notes are missing or damaged. O(notes).
std::optional<SummaryNotes> readSummaryNotes(const TraceMetadata& metadata);

/// Stores the facts in the metadata of a trace.
void addSummaryStackFacts(TraceMetadata& metadata, const SummaryStackFacts& facts);
/// Returns nullopt if the trace was not made from a summary, or the facts are missing or damaged.
std::optional<SummaryStackFacts> readSummaryStackFacts(const TraceMetadata& metadata);

} // namespace highwater
