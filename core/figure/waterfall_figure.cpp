#include "core/figure/waterfall_figure.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Row heights: in a figure with a title, the highest in one without, and the smallest readable one.
constexpr double kDiffRow = 26;
constexpr double kNarrowRow = 21;
constexpr double kLowestDiffRow = 14;
constexpr double kDeltaRoom = 96;
constexpr double kAxisHeight = 40;
constexpr double kPaneAxisHeight = 14;

std::string waterfallSubtitle(const RunDiff& diff, const WaterfallTexts& texts)
{
    const Bytes delta = diff.delta();
    const ChangeText text = formatChange(diff.before.bytes, diff.after.bytes);
    const std::string change
        = delta == 0 ? "no change of the total" : text.size + (delta > 0 ? " more" : " less");
    return fmt::format("{} → {}: {} ({} bytes), by {}. {}: {}. {}: {}.", text.before, text.after, change,
        inWords(diff.quantity), texts.group, upperFirst(texts.names.before), texts.before,
        upperFirst(texts.names.after), texts.after);
}

double widestRowLabel(const std::vector<WaterfallBar>& bars)
{
    double widest = 0;
    for (const WaterfallBar& bar : bars)
        widest = std::max(widest, textWidth(bar.label, FigureSheet::kFont));
    return widest;
}

/// Returns the bytes of a total, or the difference that another bar shows.
std::string valueOf(const WaterfallBar& bar)
{
    return bar.isTotal ? formatBytes(bar.to) : formatBytesDelta(bar.to - bar.from);
}

/// Returns all figures of a row, for its tooltip.
std::string titleOfRow(const DiffRow& row, const SideNames& names)
{
    const auto amount = [](const DiffAmount& diffAmount) {
        return fmt::format("{} in {}", formatBytes(diffAmount.bytes), formatCount(diffAmount.count));
    };
    return fmt::format("{}\n{} → {} ({}, {})", sanitizedText(shortKey(row.key)),
        names.with(names.before, amount(row.before)), names.with(names.after, amount(row.after)),
        formatBytesDelta(row.delta()), toText(row.status()));
}

WaterfallBar barOf(const RunDiff& diff, std::size_t row, Bytes level)
{
    const DiffRow& changed = diff.rows[row];
    return {siteLabel(shortKey(changed.key)), level, level + changed.delta(), false, static_cast<int>(row)};
}

/// Rows of one sign without a bar of their own.
struct OtherRows
{
    const char* noun;
    Bytes bytes = 0;
    std::int64_t rows = 0;
    std::size_t last = 0; ///< Index of the row added last
};

/// Returns bars that fill at most `rows` rows if possible; the totals and the rest have rows in any case.
std::vector<WaterfallBar> fittingBars(const RunDiff& diff, std::size_t rows, const SideNames& names)
{
    std::size_t most = rows - 2;
    std::vector<WaterfallBar> bars = waterfallBars(diff, most, names);
    while (bars.size() > rows && most > 0)
        bars = waterfallBars(diff, most -= std::min(most, bars.size() - rows), names);
    return bars;
}

/// True if the unnamed rows of a sign together change more than the largest named one: the longest bar would
/// have no name. Rows that cannot be compared never have one.
bool hidesLongest(const RunDiff& diff, const std::vector<WaterfallBar>& bars)
{
    for (const Bytes sign : {1, -1}) {
        Bytes unnamed = 0;
        for (const DiffRow& row : diff.rows)
            unnamed += row.isCut() ? 0 : std::max<Bytes>(0, sign * row.delta());
        Bytes longest = 0;
        for (const WaterfallBar& bar : bars) {
            const Bytes change = bar.row < 0 ? 0 : std::max<Bytes>(0, sign * (bar.to - bar.from));
            unnamed -= change;
            longest = std::max(longest, change);
        }
        if (unnamed > longest)
            return true;
    }
    return false;
}

class WaterfallDrawing
{
public:
    WaterfallDrawing(FigureSheet& sheet, const PlotFrame& plot, double rowHeight)
        : m_sheet(sheet)
        , m_plot(plot)
        , m_rowHeight(rowHeight)
    {
    }

    void drawAxis(Bytes largest)
    {
        const Ticks ticks = byteTicks(
            m_plot.xBegin, static_cast<double>(largest), std::max(2, static_cast<int>(m_plot.width() / 110)));
        for (std::size_t i = 0; i < ticks.positions.size(); ++i) {
            const double x = m_plot.x(ticks.positions[i]);
            m_sheet.add(
                FigureLine{.points = {{x, m_plot.top}, {x, m_plot.bottom}}, .color = m_sheet.palette().grid});
            m_sheet.quietText(x, m_plot.bottom + 16, ticks.labels[i], TextAnchor::Middle);
        }
    }

    void drawBar(const WaterfallBar& bar, std::size_t index)
    {
        const double top = m_plot.top + static_cast<double>(index) * m_rowHeight;
        const double left
            = bar.isTotal ? m_plot.left : m_plot.x(static_cast<double>(std::min(bar.from, bar.to)));
        const double right = m_plot.x(static_cast<double>(std::max(bar.from, bar.to)));
        const FigurePalette& colors = m_sheet.palette();
        m_sheet.rect({left, top + 4, std::max(right - left, 1.0), m_rowHeight - 8},
            bar.isTotal             ? (index == 0 ? colors.reservedEdge : colors.quietText)
                : bar.to > bar.from ? colors.more
                                    : colors.less,
            fmt::format("{}: {}", bar.label, valueOf(bar)), bar.row);
        if (bar.isTotal && m_plot.xBegin > 0)
            drawBreakMark(top);
        const double baseline = top + m_rowHeight / 2 + 4;
        m_sheet.add(fitted(FigureText{.x = m_plot.left - 8,
                               .y = baseline,
                               .text = bar.label,
                               .color = colors.text,
                               .anchor = TextAnchor::End},
            m_plot.left - 8 - m_sheet.margin()));
        m_sheet.text(m_plot.right + 8, baseline, valueOf(bar));
    }

    /// Makes the whole row react to the pointer, however short its bar.
    void addSpot(const DiffRow& row, const SideNames& names, int id, std::size_t index)
    {
        m_sheet.spot({m_sheet.margin(), m_plot.top + static_cast<double>(index) * m_rowHeight,
                         m_sheet.width() - 2 * m_sheet.margin(), m_rowHeight},
            titleOfRow(row, names), id);
    }

    /// Draws the line from the end of a bar to the beginning of the next.
    void drawConnector(const WaterfallBar& bar, std::size_t index)
    {
        const double x = m_plot.x(static_cast<double>(bar.to));
        const double top = m_plot.top + static_cast<double>(index + 1) * m_rowHeight - 4;
        m_sheet.add(FigureLine{.points = {{x, top}, {x, top + 8}}, .color = m_sheet.palette().quietText});
    }

private:
    /// Draws a break mark across a bar that does not begin at 0.
    void drawBreakMark(double top)
    {
        constexpr double slant = 6;
        const double x = m_plot.left + 10;
        const double upper = top + 2;
        const double lower = top + m_rowHeight - 2;
        m_sheet.add(
            FigurePolygon{.points = {{x, lower}, {x + slant, upper}, {x + slant + 5, upper}, {x + 5, lower}},
                .fill = m_sheet.palette().background});
    }

    FigureSheet& m_sheet;
    PlotFrame m_plot;
    double m_rowHeight;
};

/// Returns where the axis begins: at 0, unless the totals are so large that the changes would be hard to see.
double axisBegin(const std::vector<WaterfallBar>& bars, Bytes largest)
{
    constexpr double leastBreak = 0.3;
    Bytes lowest = largest;
    for (const WaterfallBar& bar : bars)
        lowest = std::min({lowest, bar.isTotal ? bar.to : bar.from, bar.to});
    const double begin = static_cast<double>(lowest) - static_cast<double>(largest - lowest) / 3;
    return lowest < largest && begin > leastBreak * static_cast<double>(largest) ? begin : 0;
}

/// The bars that fit above an axis, and their scale.
struct WaterfallRows
{
    WaterfallRows(const RunDiff& diff, const SideNames& names, double room, bool isTitled)
    {
        const auto rowsOf
            = [&](double rowHeight) { return static_cast<std::size_t>(std::max(4.0, room / rowHeight)); };
        std::size_t rows = rowsOf(isTitled ? kDiffRow : kLowestDiffRow);
        bars = fittingBars(diff, rows, names);
        while (rows < rowsOf(kLowestDiffRow) && hidesLongest(diff, bars))
            bars = fittingBars(diff, ++rows, names);
        height = std::clamp(
            room / static_cast<double>(bars.size()), kLowestDiffRow, isTitled ? kDiffRow : kNarrowRow);
        for (const WaterfallBar& bar : bars)
            largest = std::max({largest, bar.from, bar.to});
        begin = axisBegin(bars, largest);
    }

    std::vector<WaterfallBar> bars;
    double height = 0; ///< of each
    Bytes largest = 1;
    double begin = 0;
};

} // namespace

std::vector<WaterfallBar> waterfallBars(const RunDiff& diff, std::size_t most, const SideNames& names)
{
    std::vector<WaterfallBar> bars = {{names.before, 0, diff.before.bytes, true}};
    std::array<OtherRows, 4> rest
        = {{{"others grew"}, {"others shrank"}, {"not comparable"}, {"not comparable"}}};
    Bytes level = diff.before.bytes;
    const auto append = [&](WaterfallBar bar) {
        level = bar.to;
        bars.push_back(std::move(bar));
    };
    std::size_t shown = 0;
    for (std::size_t i = 0; i < diff.rows.size(); ++i) {
        const DiffRow& row = diff.rows[i];
        if (row.delta() == 0)
            continue;
        if (!row.isCut() && shown < most) {
            ++shown;
            append(barOf(diff, i, level));
            continue;
        }
        // Those that grew and those that shrank are apart, because together they might hide each other.
        OtherRows& others = rest[(row.isCut() ? 2 : 0) + (row.delta() < 0 ? 1 : 0)];
        others.bytes += row.delta();
        ++others.rows;
        others.last = i;
    }
    for (const OtherRows& others : rest) {
        if (others.rows == 1 && !diff.rows[others.last].isCut())
            append(barOf(diff, others.last, level)); // its name takes no more room
        else if (others.rows > 0)
            append(
                {fmt::format("{} {}", formatCount(others.rows), others.noun), level, level + others.bytes});
    }
    bars.push_back({names.after, 0, diff.after.bytes, true});
    return bars;
}

Figure waterfallFigure(const RunDiff& diff, const WaterfallTexts& texts, const FigureOptions& options)
{
    FigureSheet sheet(
        options, fmt::format("{} · what changed", options.source), waterfallSubtitle(diff, texts));
    const auto rowsAbove = [&](double axisHeight) {
        return WaterfallRows(diff, texts.names,
            sheet.height() - sheet.contentTop() - axisHeight - sheet.margin(), options.titled);
    };
    WaterfallRows rows = rowsAbove(options.titled ? kAxisHeight : 0);
    if (!options.titled && rows.begin > 0)
        rows = rowsAbove(kPaneAxisHeight);
    const std::vector<WaterfallBar>& bars = rows.bars;
    PlotFrame plot;
    plot.left = sheet.margin() + std::min(widestRowLabel(bars), sheet.width() * 0.45) + 10;
    plot.right = std::max(plot.left + 20, sheet.width() - sheet.margin() - kDeltaRoom);
    plot.top = sheet.contentTop();
    plot.bottom = plot.top + static_cast<double>(bars.size()) * rows.height;
    plot.xBegin = rows.begin;
    plot.xEnd = static_cast<double>(rows.largest);
    WaterfallDrawing drawing(sheet, plot, rows.height);
    if (options.titled || rows.begin > 0) // the bars have their bytes beside them
        drawing.drawAxis(rows.largest);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        drawing.drawBar(bars[i], i);
        if (i + 1 < bars.size())
            drawing.drawConnector(bars[i], i);
        if (bars[i].row >= 0)
            drawing.addSpot(diff.rows[static_cast<std::size_t>(bars[i].row)], texts.names, bars[i].row, i);
    }
    return sheet.take();
}

} // namespace highwater
