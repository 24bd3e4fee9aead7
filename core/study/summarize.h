#pragma once

#include <cstddef>

#include "core/study/run_study.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// How much of a recording a summary holds.
struct SummaryDetail
{
    std::size_t columns = 1024; ///< stretches of the curve
    std::size_t allocations = 4000; ///< of those live at the peak the largest; others are joined by stack
    bool stepMoments = true; ///< the categories at the begin, peak and end of each step

    bool operator==(const SummaryDetail&) const = default;
};

/// From the fullest to the leanest: the writer takes the first whose file is small enough.
inline constexpr SummaryDetail kSummaryDetails[] = {{4096, 8000, true}, {1024, 4000, true}, {512, 2000, true},
    {256, 1000, true}, {128, 400, false}, {64, 100, false}};
/// For figures alone, without the file.
inline constexpr SummaryDetail kLeanestSummary = kSummaryDetails[5];

/// The device that the study shows, reduced. The study must have one. `source.fileBytes` and the identity are
/// the caller's to fill in. Exact: the peak, every step's figures, the curve at its moments. O(events).
RankSummary summarize(const RunStudy& study, const SummaryDetail& detail = {});

} // namespace highwater
