#pragma once

#include <cstddef>

#include "core/study/run_study.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// The amount of detail that a summary keeps of a recording.
struct SummaryDetail
{
    std::size_t columns = 1024; ///< parts of the curve
    std::size_t allocations = 4000; ///< largest allocations alive at the peak; others are joined by stack
    bool stepMoments = true; ///< true to keep the categories at the start, peak and end of each step

    bool operator==(const SummaryDetail&) const = default;
};

/// The levels of detail, fullest first; the writer takes the first whose file is small enough.
inline constexpr SummaryDetail kSummaryDetails[] = {{4096, 8000, true}, {1024, 4000, true}, {512, 2000, true},
    {256, 1000, true}, {128, 400, false}, {64, 100, false}};
/// Suffices for figures without a file.
inline constexpr SummaryDetail kLeanestSummary = kSummaryDetails[5];

/// Reduces the study's device to a summary. The study must have a device. The caller fills in
/// `source.fileBytes` and the identity. Exact: the peak, every step's figures, and the curve at its moments.
/// O(events).
RankSummary summarize(const RunStudy& study, const SummaryDetail& detail = {});

} // namespace highwater
