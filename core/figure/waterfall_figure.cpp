#include "core/figure/waterfall_figure.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The lowest and the highest rows, in pixels, of a figure with a title and of one without.
constexpr double kLowestTitledRow = 18;
constexpr double kHighestTitledRow = 26;
constexpr double kLowestPaneRow = 14;
constexpr double kHighestPaneRow = 21;
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
    return bar.isTotal ? formatBytes(bar.end) : formatBytesDelta(bar.end - bar.begin);
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
    std::int64_t count = 0;
    std::size_t last = 0; ///< Index of the row added last
};

/// Returns at most `most` bars if possible; the totals and the unnamed rows have bars in any case. `most`
/// must be at least 2.
std::vector<WaterfallBar> fittingBars(const RunDiff& diff, std::size_t most, const SideNames& names)
{
    std::size_t mostNamed = most - 2;
    std::vector<WaterfallBar> bars = waterfallBars(diff, mostNamed, names);
    while (bars.size() > most && mostNamed > 0)
        bars = waterfallBars(diff, mostNamed -= std::min(mostNamed, bars.size() - most), names);
    return bars;
}

/// True if the unnamed rows of a sign together change more than every named row of either sign, so that the
/// longest bar has no name. Rows that cannot be compared never have one, and do not count.
bool hidesLongestBar(const RunDiff& diff, const std::vector<WaterfallBar>& bars)
{
    Bytes mostNamed = 0;
    for (const WaterfallBar& bar : bars)
        if (bar.row >= 0)
            mostNamed = std::max(mostNamed, std::abs(bar.end - bar.begin));
    for (const Bytes sign : {1, -1}) {
        Bytes unnamed = 0;
        for (const DiffRow& row : diff.rows)
            unnamed += row.isCut() ? 0 : std::max<Bytes>(0, sign * row.delta());
        for (const WaterfallBar& bar : bars)
            unnamed -= bar.row < 0 ? 0 : std::max<Bytes>(0, sign * (bar.end - bar.begin));
        if (unnamed > mostNamed)
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
            = bar.isTotal ? m_plot.left : m_plot.x(static_cast<double>(std::min(bar.begin, bar.end)));
        const double right = m_plot.x(static_cast<double>(std::max(bar.begin, bar.end)));
        const FigurePalette& colors = m_sheet.palette();
        m_sheet.rect({left, top + 4, std::max(right - left, 1.0), m_rowHeight - 8},
            bar.isTotal               ? (index == 0 ? colors.reservedEdge : colors.quietText)
                : bar.end > bar.begin ? colors.more
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
        const double x = m_plot.x(static_cast<double>(bar.end));
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

/// Returns the bytes at which the scale begins: 0, unless the totals are so large that the changes would be
/// hard to see.
double leastOnScale(const std::vector<WaterfallBar>& bars, Bytes largest)
{
    constexpr double leastBreak = 0.3;
    Bytes lowest = largest;
    for (const WaterfallBar& bar : bars)
        lowest = std::min({lowest, bar.isTotal ? bar.end : bar.begin, bar.end});
    const double begin = static_cast<double>(lowest) - static_cast<double>(largest - lowest) / 3;
    return lowest < largest && begin > leastBreak * static_cast<double>(largest) ? begin : 0;
}

/// The bars that fit into a room of some height, in pixels, and their scale.
struct WaterfallRows
{
    WaterfallRows(const RunDiff& diff, const SideNames& names, double room, bool isTitled)
    {
        const double lowest = isTitled ? kLowestTitledRow : kLowestPaneRow;
        const double highest = isTitled ? kHighestTitledRow : kHighestPaneRow;
        const auto fitting
            = [&](double rowHeight) { return static_cast<std::size_t>(std::max(4.0, room / rowHeight)); };
        std::size_t most = fitting(isTitled ? highest : lowest);
        bars = fittingBars(diff, most, names);
        while (most < fitting(lowest) && hidesLongestBar(diff, bars))
            bars = fittingBars(diff, ++most, names);
        height = std::clamp(room / static_cast<double>(bars.size()), lowest, highest);
        for (const WaterfallBar& bar : bars)
            largest = std::max({largest, bar.begin, bar.end});
        scaleBegin = leastOnScale(bars, largest);
    }

    std::vector<WaterfallBar> bars;
    double height = 0; ///< of each row, in pixels
    Bytes largest = 1; ///< at the right end of the bars
    double scaleBegin = 0; ///< bytes at the left end of the bars
};

} // namespace

std::vector<WaterfallBar> waterfallBars(const RunDiff& diff, std::size_t most, const SideNames& names)
{
    std::vector<WaterfallBar> bars = {{names.before, 0, diff.before.bytes, true}};
    std::array<OtherRows, 4> rest
        = {{{"others grew"}, {"others shrank"}, {"not comparable"}, {"not comparable"}}};
    Bytes level = diff.before.bytes;
    const auto append = [&](WaterfallBar bar) {
        level = bar.end;
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
        ++others.count;
        others.last = i;
    }
    for (const OtherRows& others : rest) {
        if (others.count == 1 && !diff.rows[others.last].isCut())
            append(barOf(diff, others.last, level)); // a name takes no more room than "1 other"
        else if (others.count > 0)
            append(
                {fmt::format("{} {}", formatCount(others.count), others.noun), level, level + others.bytes});
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
    bool hasAxis = options.titled;
    if (!options.titled && rows.scaleBegin > 0) { // the axis must not take the room of a name
        WaterfallRows aboveAxis = rowsAbove(kPaneAxisHeight);
        hasAxis = !hidesLongestBar(diff, aboveAxis.bars);
        if (hasAxis)
            rows = std::move(aboveAxis);
    }
    const std::vector<WaterfallBar>& bars = rows.bars;
    PlotFrame plot;
    plot.left = sheet.margin() + std::min(widestRowLabel(bars), sheet.width() * 0.45) + 10;
    plot.right = std::max(plot.left + 20, sheet.width() - sheet.margin() - kDeltaRoom);
    plot.top = sheet.contentTop();
    plot.bottom = plot.top + static_cast<double>(bars.size()) * rows.height;
    plot.xBegin = rows.scaleBegin;
    plot.xEnd = static_cast<double>(rows.largest);
    WaterfallDrawing drawing(sheet, plot, rows.height);
    if (hasAxis)
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
