#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// The parts of a summary that are no tables, as JSON text.
std::string summaryDocumentText(const RankSummary& summary);

/// Restores them. Fails with Malformed; the tables are left alone.
Result<void> readSummaryDocument(std::string_view text, RankSummary& summary);

/// What a summary says about its recording and a trace cannot work out again. Events are those of the trace
/// that was made of the summary.
struct SummaryNotes
{
    std::string stepReason;
    std::vector<SummaryStep> steps;
    std::vector<SummaryFinding> findings;
};

/// Keeps the notes in the metadata of a trace.
void addSummaryNotes(TraceMetadata& metadata, const SummaryNotes& notes);
/// Returns nothing if the trace was not made of a summary, or they are damaged. O(notes).
std::optional<SummaryNotes> summaryNotesOf(const TraceMetadata& metadata);

/// Keeps the facts in the metadata of a trace.
void addSummaryStackFacts(TraceMetadata& metadata, const SummaryStackFacts& facts);
/// Returns nothing if the trace was not made of a summary, or they are damaged.
std::optional<SummaryStackFacts> summaryStackFactsOf(const TraceMetadata& metadata);

} // namespace highwater
