#pragma once

#include <cstddef>

#include "core/study/run_study.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// The amount of detail that a summary keeps of a recording.
struct SummaryDetail
{
    std::size_t columns = 1024; ///< most equal parts into which the curve is divided
    /// Most allocations listed singly; others are joined if stack, category and lifetime agree.
    std::size_t allocations = 4000;
    bool stepMoments = true; ///< true to keep the categories at the start, peak and end of each step

    bool operator==(const SummaryDetail&) const = default;
};

/// The levels of detail, the most detailed first. The writer uses the first level whose file is small enough.
inline constexpr SummaryDetail kSummaryDetails[] = {{4096, 8000, true}, {1024, 4000, true}, {512, 2000, true},
    {256, 1000, true}, {128, 400, false}, {64, 100, false}};
/// The level for summaries that are only compared and never written to a file.
inline constexpr SummaryDetail kLeanestSummary = kSummaryDetails[5];

/// Reduces the study's device to a summary. The study must have a device. The caller must set
/// `source.fileBytes` and the identity. The peak, the figures of steps, and the curve at its moments are
/// exact. O(events × log events), plus the detectors if they have not run yet.
RankSummary summarize(const RunStudy& study, const SummaryDetail& detail = {});

} // namespace highwater
