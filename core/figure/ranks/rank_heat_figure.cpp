#include "core/figure/ranks/rank_heat_figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/figure/ranks/rank_heat_map.h"

namespace highwater {

namespace {

constexpr double kAxisRoom = 44;
constexpr double kLabelRoom = 84;
constexpr double kScaleRoom = 30;
/// Least height of a cell in pixels.
constexpr double kLeastCell = 3;
constexpr double kLabelHeight = 14;
/// With more cells than this, their titles would make up most of the file.
constexpr std::size_t kMaxTitles = 4000;

class HeatDrawing
{
public:
    HeatDrawing(const RunRanks& run, const FigureOptions& options)
        : m_run(run)
        , m_map(run)
        , m_sheet(options, "Peak of each rank in each step", subtitle(run, options))
    {
    }

    Figure draw()
    {
        if (m_map.isEmpty()) {
            m_sheet.quietText(
                m_sheet.margin(), m_sheet.contentTop() + 20, "No steps were detected in these files.");
            return m_sheet.take();
        }
        m_plot = m_sheet.plot(kLabelRoom, kAxisRoom + kScaleRoom, {});
        m_rows = heatSpans(0, m_map.rows(), static_cast<std::size_t>(m_plot.height() / kLeastCell));
        m_columns = heatSpans(0, m_map.columns(), static_cast<std::size_t>(m_plot.width() / kLeastCell));
        drawCells();
        drawRowLabels();
        drawFailures();
        drawColumnLabels();
        drawScale();
        return m_sheet.take();
    }

private:
    static std::string subtitle(const RunRanks& run, const FigureOptions& options)
    {
        std::string text = options.source.empty() ? "" : options.source + ": ";
        text += counted(run.ranks.size(), "rank", "ranks");
        if (!run.ranks.empty())
            text += fmt::format(", highest {} with {}", run.nameOf(run.highest),
                formatBytes(run.deviceOf(run.ranks[run.highest])->peakBytes));
        return text;
    }

    /// Returns whole pixels: otherwise seams between cells would be visible.
    double y(std::size_t row) const
    {
        return std::round(
            m_plot.top + m_plot.height() * static_cast<double>(row) / static_cast<double>(m_rows.size()));
    }
    double x(std::size_t column) const
    {
        return std::round(m_plot.left
            + m_plot.width() * static_cast<double>(column) / static_cast<double>(m_columns.size()));
    }

    FigureColor colorOf(int shade) const { return m_map.colorOf(shade, m_sheet.palette()); }

    /// Draws adjacent cells of one shade as one rectangle, unless each has a title.
    void drawCells()
    {
        const bool titled = m_rows.size() * m_columns.size() <= kMaxTitles;
        for (std::size_t row = 0; row < m_rows.size(); ++row) {
            std::size_t begin = 0;
            int shade = RankHeatMap::kNoShade;
            const auto flush = [&](std::size_t end) {
                if (shade >= 0 && end > begin)
                    m_sheet.rect({x(begin), y(row), x(end) - x(begin), y(row + 1) - y(row)}, colorOf(shade));
            };
            for (std::size_t column = 0; column < m_columns.size(); ++column) {
                const int next = m_map.shadeOf(m_map.highestOf(m_rows[row], m_columns[column]));
                if (titled && next >= 0) {
                    m_sheet.rect({x(column), y(row), x(column + 1) - x(column), y(row + 1) - y(row)},
                        colorOf(next), m_map.titleOf(m_rows[row], m_columns[column]),
                        static_cast<int>(m_map.rankAt(m_rows[row].first)));
                } else if (!titled && next != shade) {
                    flush(column);
                    begin = column;
                    shade = next;
                }
            }
            if (!titled)
                flush(m_columns.size());
        }
    }

    std::optional<std::int64_t> stageOf(std::size_t row) const
    {
        return m_run.ranks[m_map.rankAt(m_rows[row].first)].identity.pp;
    }
    bool beginsStage(std::size_t row) const
    {
        return stageOf(row) && (row == 0 || stageOf(row) != stageOf(row - 1));
    }

    /// True if another stage begins so close below this row that its name needs the room.
    bool stageIsNear(std::size_t row) const
    {
        for (std::size_t next = row + 1; next < m_rows.size() && y(next) < y(row) + kLabelHeight; ++next)
            if (beginsStage(next))
                return true;
        return false;
    }

    void drawRowLabels()
    {
        double labelEnd = m_plot.top;
        double nextRankLabel = m_plot.top;
        for (std::size_t row = 0; row < m_rows.size(); ++row) {
            const bool isStageBegin = beginsStage(row);
            if (isStageBegin && row > 0)
                m_sheet.add(FigureLine{.points = {{m_plot.left - 6, y(row)}, {m_plot.right, y(row)}},
                    .color = m_sheet.palette().text});
            if (y(row) < labelEnd || (!isStageBegin && (y(row) < nextRankLabel || stageIsNear(row))))
                continue;
            const std::string name = isStageBegin ? fmt::format("stage {}", *stageOf(row))
                                                  : m_run.nameOf(m_map.rankAt(m_rows[row].first));
            m_sheet.add(fitted(FigureText{.x = m_plot.left - 8,
                                   .y = y(row) + kLabelHeight - 3,
                                   .text = name,
                                   .color = m_sheet.palette().quietText,
                                   .anchor = TextAnchor::End},
                kLabelRoom - 8));
            labelEnd = y(row) + kLabelHeight;
            nextRankLabel = y(row) + std::max(kLabelHeight, m_plot.height() / 12);
        }
    }

    std::optional<std::size_t> rowOf(std::size_t rank) const
    {
        const auto after = std::ranges::upper_bound(m_rows, m_map.rowOf(rank), {}, &HeatSpan::first);
        if (m_map.rowOf(rank) == RankHeatMap::kNoRow)
            return std::nullopt;
        return static_cast<std::size_t>(after - m_rows.begin()) - 1;
    }

    /// Fills the cells in which ranks ran out of memory, whose totals may be the palest.
    void drawFailures()
    {
        constexpr std::size_t maxFailures = 200;
        constexpr double leastSize = 7;
        const double columnWidth = m_plot.width() / static_cast<double>(m_run.heat.steps.size());
        const double width = std::max(leastSize, columnWidth);
        for (std::size_t i = 0; i < m_run.failures.size() && i < maxFailures; ++i) {
            const RankFailure& failure = m_run.failures[i];
            const std::optional<std::size_t> row = rowOf(failure.rank);
            if (!row || !failure.at.step)
                continue;
            const double column = static_cast<double>(m_map.columnOf(*failure.at.step)) + 0.5;
            const double height = std::max(leastSize, y(*row + 1) - y(*row));
            m_sheet.rect({m_plot.left + column * columnWidth - width / 2,
                             (y(*row) + y(*row + 1)) / 2 - height / 2, width, height},
                m_sheet.palette().danger,
                fmt::format("{} ran out of memory in step {}", m_run.nameOf(failure.rank), *failure.at.step));
        }
    }

    void drawColumnLabels()
    {
        const auto& steps = m_run.heat.steps;
        Ticks ticks;
        for (const double position :
            countTicks(0, static_cast<double>(steps.size()), static_cast<int>(m_plot.width() / 90))
                .positions) {
            const auto column = static_cast<std::size_t>(position);
            if (position < 0 || column >= steps.size())
                continue;
            ticks.positions.push_back(position);
            ticks.labels.push_back(formatCount(steps[column]));
        }
        m_plot.xBegin = 0;
        m_plot.xEnd = static_cast<double>(steps.size());
        m_sheet.countAxis(m_plot, ticks, "Step");
    }

    void drawScale()
    {
        constexpr double gap = 8;
        constexpr double markSize = 10;
        const double top = m_plot.bottom + kAxisRoom;
        const double width = std::min(200.0, m_plot.width() / 3);
        const std::string lowest = "peak " + formatBytes(m_map.lowest());
        const std::string highest = formatBytes(m_map.highest());
        const double left = m_plot.left + textWidth(lowest, FigureSheet::kFont) + gap;
        m_sheet.text(m_plot.left, top + 10, lowest);
        for (int shade = 0; shade <= RankHeatMap::kStrongestShade; ++shade)
            m_sheet.rect({left + width * shade / (RankHeatMap::kStrongestShade + 1), top,
                             width / (RankHeatMap::kStrongestShade + 1) + 0.5, 12},
                colorOf(shade));
        m_sheet.text(left + width + gap, top + 10, highest);
        if (m_run.failures.empty())
            return;
        const std::string failed = "out of memory";
        const double beside = left + width + 4 * gap + textWidth(highest, FigureSheet::kFont);
        const double room = m_sheet.width() - m_sheet.margin() - beside;
        const bool isBeside = markSize + gap + textWidth(failed, FigureSheet::kFont) <= room;
        const double x = isBeside ? beside : m_plot.left;
        const double y = isBeside ? top : top + FigureSheet::kLabelRow;
        m_sheet.rect({x, y + 1, markSize, markSize}, m_sheet.palette().danger);
        m_sheet.text(x + markSize + gap, y + 10, failed);
    }

    const RunRanks& m_run;
    RankHeatMap m_map;
    FigureSheet m_sheet;
    PlotFrame m_plot;
    std::vector<HeatSpan> m_rows;
    std::vector<HeatSpan> m_columns;
};

} // namespace

Figure rankHeatFigure(const RunRanks& run, const FigureOptions& options)
{
    return HeatDrawing(run, options).draw();
}

} // namespace highwater
