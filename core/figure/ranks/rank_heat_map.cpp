#include "core/figure/ranks/rank_heat_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

std::vector<HeatSpan> heatSpans(std::size_t first, std::size_t last, std::size_t most)
{
    const std::size_t count = last - first;
    const std::size_t spans = std::min(count, std::max<std::size_t>(most, 1));
    std::vector<HeatSpan> result;
    for (std::size_t i = 0; i < spans; ++i)
        result.push_back({first + count * i / spans, first + count * (i + 1) / spans});
    return result;
}

RankHeatMap::RankHeatMap(const RunRanks& run)
    : m_run(run)
    , m_order(run.ranks.size())
    , m_rowOf(run.ranks.size())
{
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    // Within a stage the ranks keep their order.
    std::ranges::stable_sort(
        m_order, {}, [&](std::size_t rank) { return run.ranks[rank].identity.pp.value_or(-1); });
    for (std::size_t row = 0; row < m_order.size(); ++row)
        m_rowOf[m_order[row]] = row;
    for (const Bytes bytes : run.heat.peaks) {
        if (bytes == StepHeat::kNone)
            continue;
        m_lowest = m_highest == StepHeat::kNone ? bytes : std::min(m_lowest, bytes);
        m_highest = std::max(m_highest, bytes);
    }
    m_shades.reserve(run.heat.peaks.size());
    for (const std::size_t rank : m_order)
        for (std::size_t column = 0; column < columns(); ++column)
            m_shades.push_back(static_cast<std::int8_t>(shadeOf(run.heat.at(rank, column))));
}

void RankHeatMap::shadesOf(const HeatSpan& rows, std::vector<std::int8_t>& shades) const
{
    shades.assign(columns(), kNoShade);
    std::int8_t* const highest = shades.data();
    for (std::size_t row = rows.first; row < rows.last; ++row) {
        const std::int8_t* const rowShades = m_shades.data() + row * columns();
        for (std::size_t column = 0; column < columns(); ++column)
            highest[column] = std::max(highest[column], rowShades[column]);
    }
}

std::size_t RankHeatMap::columnOf(std::int64_t step) const
{
    const auto& steps = m_run.heat.steps;
    const auto after = std::ranges::upper_bound(steps, step);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - steps.begin() - 1, 0));
}

bool RankHeatMap::beginsStage(std::size_t row) const
{
    return stageAt(row) && (row == 0 || stageAt(row) != stageAt(row - 1));
}

Bytes RankHeatMap::highestOf(const HeatSpan& rows, const HeatSpan& columns) const
{
    Bytes highest = StepHeat::kNone;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
        const Bytes* const peaks = m_run.heat.peaks.data() + m_order[row] * m_run.heat.steps.size();
        for (std::size_t column = columns.first; column < columns.last; ++column)
            highest = std::max(highest, peaks[column]);
    }
    return highest;
}

int RankHeatMap::shadeOf(Bytes bytes) const
{
    if (bytes == StepHeat::kNone)
        return kNoShade;
    if (m_highest == m_lowest)
        return kStrongestShade / 2;
    const double share = static_cast<double>(bytes - m_lowest) / static_cast<double>(m_highest - m_lowest);
    return std::clamp(static_cast<int>(std::lround(share * kStrongestShade)), 0, kStrongestShade);
}

FigureColor RankHeatMap::colorOf(int shade, const FigurePalette& palette) const
{
    return heatColor(palette, shade);
}

std::string RankHeatMap::titleOf(const HeatSpan& rows, const HeatSpan& columns) const
{
    const auto range = [](const std::string& first, std::size_t count) {
        return count > 1 ? fmt::format("{} and {} more", first, formatCount(count - 1)) : first;
    };
    const Bytes bytes = highestOf(rows, columns);
    return fmt::format("{}, {}: {}", range(m_run.nameOf(m_order[rows.first]), rows.size()),
        range(fmt::format("step {}", m_run.heat.steps[columns.first]), columns.size()),
        bytes == StepHeat::kNone ? "no such step" : formatBytes(bytes));
}

} // namespace highwater
