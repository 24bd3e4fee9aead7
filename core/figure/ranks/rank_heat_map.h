#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater {

/// Adjacent rows or columns [first, last) that share a cell of a picture.
struct HeatSpan
{
    std::size_t first = 0;
    std::size_t last = 0;

    std::size_t size() const { return last - first; }
};

/// Divides [first, last) into at most `most` spans of nearly equal size. O(spans).
std::vector<HeatSpan> heatSpans(std::size_t first, std::size_t last, std::size_t most);

/// The largest totals of a run's ranks and steps as cells, for figures and the window: ranks downwards by
/// stage and number, steps to the right, in stronger colours for larger totals, scaled from the smallest to
/// the largest of all.
class RankHeatMap
{
public:
    static constexpr int kStrongestShade = kHeatShades - 1; ///< The largest total; 0 is the smallest
    static constexpr int kNoShade = -1; ///< The ranks have none of the steps
    static constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

    /// The run must outlive it. O(cells).
    explicit RankHeatMap(const RunRanks& run);

    /// True if no steps were detected, or there are no ranks.
    bool isEmpty() const { return m_run.heat.steps.empty() || m_order.empty(); }
    std::size_t rows() const { return m_order.size(); }
    std::size_t columns() const { return m_run.heat.steps.size(); }
    std::size_t rankAt(std::size_t row) const { return m_order[row]; }
    /// Returns kNoRow if the run has no such rank.
    std::size_t rowOf(std::size_t rank) const { return rank < m_rowOf.size() ? m_rowOf[rank] : kNoRow; }
    /// Returns the column of the step; for a step without a column, the column before it, or the first
    /// column.
    std::size_t columnOf(std::int64_t step) const;
    /// True if a new stage begins with this row.
    bool beginsStage(std::size_t row) const;

    Bytes lowest() const { return m_lowest; }
    Bytes highest() const { return m_highest; }
    /// Returns the largest total in these cells; StepHeat::kNone if none of the ranks has any of the steps.
    /// O(cells).
    Bytes highestOf(const HeatSpan& rows, const HeatSpan& columns) const;
    /// Returns kNoShade for StepHeat::kNone; a middle shade if all totals are equal.
    int shadeOf(Bytes bytes) const;
    FigureColor colorOf(int shade, const FigurePalette& palette) const;
    /// Sets the strongest shade of these rows for each column, or kNoShade. O(cells), several at a time
    /// (vectorised).
    void shadesOf(const HeatSpan& rows, std::vector<std::int8_t>& shades) const;
    /// Returns "rank 3 and 7 more, step 12: 3.2 GiB".
    std::string titleOf(const HeatSpan& rows, const HeatSpan& columns) const;

private:
    std::optional<std::int64_t> stageAt(std::size_t row) const
    {
        return m_run.ranks[m_order[row]].identity.pp;
    }

    const RunRanks& m_run;
    std::vector<std::size_t> m_order; ///< Ranks from top to bottom
    std::vector<std::size_t> m_rowOf; ///< Row of each rank, the inverse of `m_order`
    std::vector<std::int8_t> m_shades; ///< Row by row
    Bytes m_lowest = StepHeat::kNone;
    Bytes m_highest = StepHeat::kNone;
};

} // namespace highwater
