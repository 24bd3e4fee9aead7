#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater {

/// Neighbouring rows or columns that share a cell of a picture: [first, last).
struct HeatSpan
{
    std::size_t first = 0;
    std::size_t last = 0;

    std::size_t size() const { return last - first; }
};

/// [first, last) as at most `most` spans of nearly one size. O(spans).
std::vector<HeatSpan> heatSpans(std::size_t first, std::size_t last, std::size_t most);

/// The largest totals of a run's ranks and steps as cells: ranks downwards by stage and number, steps to the
/// right, darker where it is higher, between the lowest and the highest of all. What figures and the window
/// draw.
class RankHeatMap
{
public:
    static constexpr int kShades = 24; ///< the darkest; 0: the palest
    static constexpr int kNoShade = -1; ///< the ranks do not have the steps
    static constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

    /// The run must outlive it. O(cells).
    explicit RankHeatMap(const RunRanks& run);

    /// Nothing tells steps apart, or there are no ranks.
    bool isEmpty() const { return m_run.heat.steps.empty() || m_order.empty(); }
    std::size_t rows() const { return m_order.size(); }
    std::size_t columns() const { return m_run.heat.steps.size(); }
    std::size_t rankAt(std::size_t row) const { return m_order[row]; }
    /// kNoRow: the run has no such rank.
    std::size_t rowOf(std::size_t rank) const { return rank < m_rowOf.size() ? m_rowOf[rank] : kNoRow; }
    /// With this step; of joined steps and of one between two columns the one before.
    std::size_t columnOf(std::int64_t step) const;
    /// Whether another stage begins with the row.
    bool beginsStage(std::size_t row) const;

    Bytes lowest() const { return m_lowest; }
    Bytes highest() const { return m_highest; }
    /// StepHeat::kNone: no rank of them has any of the steps. O(cells).
    Bytes highestOf(const HeatSpan& rows, const HeatSpan& columns) const;
    int shadeOf(Bytes bytes) const;
    FigureColor colorOf(int shade, const FigurePalette& palette) const;
    /// By column: the darkest shade of these rows, or kNoShade. O(cells), many of them at a time.
    void shadesOf(const HeatSpan& rows, std::vector<std::int8_t>& shades) const;
    /// "rank 3 and 7 more, step 12: 3.20 GiB".
    std::string titleOf(const HeatSpan& rows, const HeatSpan& columns) const;

private:
    std::optional<std::int64_t> stageAt(std::size_t row) const
    {
        return m_run.ranks[m_order[row]].identity.pp;
    }

    const RunRanks& m_run;
    std::vector<std::size_t> m_order; ///< ranks from top to bottom
    std::vector<std::size_t> m_rowOf; ///< the other way around
    std::vector<std::int8_t> m_shades; ///< row by row
    Bytes m_lowest = StepHeat::kNone;
    Bytes m_highest = StepHeat::kNone;
};

} // namespace highwater
