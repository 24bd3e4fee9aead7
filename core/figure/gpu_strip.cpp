#include "core/figure/gpu_strip.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/budget/gpu_need.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr double kStripSmall = 11;
constexpr double kNeedRow = 16;
constexpr double kGpuRow = 20;
constexpr double kStripColumnGap = 16;
constexpr double kWidestNames = 0.3; ///< share of the strip's width
constexpr double kNarrowestGpuBar = 40;
constexpr double kNarrowestBesideEstimate = 160;
/// A GPU with more than so many times the largest need has a broken bar.
constexpr std::int64_t kMaxScaleInNeeds = 2;
constexpr double kBreakFromEnd = 12;

/// Returns "no, 1.34 GiB short", "no, at least 1.34 GiB short" for the run as it went, "fits, 7.79 GiB left",
/// "too close".
std::string fitText(const BudgetStudy& study, const GpuFit& fit)
{
    std::string text = fit.answer();
    if (const std::optional<Bytes> missing = fit.shortBytes())
        text += fmt::format(", {}{} short", study.observed ? "at least " : "", formatBytes(*missing));
    if (const std::optional<Bytes> left = fit.leftBytes())
        text += fmt::format(", {} left", formatBytes(*left));
    return text;
}

/// Returns in words how much of a GPU the estimate leaves or lacks.
std::string expectedText(const BudgetStudy& study, const GpuFit& fit)
{
    const Bytes headroom = estimateHeadroom(study.budget, fit);
    return fmt::format("estimate: {} {}", formatBytes(std::abs(headroom)), headroom >= 0 ? "left" : "short");
}

/// GPUs with the same capacity and answer, in one row.
struct GpuRow
{
    GpuFit fit;
    std::string names;
    bool isSingledOut = false; ///< the row has one GPU, which is configured or chosen
};

std::vector<GpuRow> gpuRows(const BudgetStudy& study)
{
    std::vector<GpuRow> rows;
    for (const GpuFit& fit : study.nearestFits()) {
        const bool isSingledOut = study.singlesOut(fit.gpu);
        if (!rows.empty() && !isSingledOut && !rows.back().isSingledOut
            && rows.back().fit.capacity == fit.capacity
            && fitText(study, rows.back().fit) == fitText(study, fit))
            rows.back().names += ", " + fit.gpu;
        else
            rows.push_back({fit, fit.gpu, isSingledOut});
    }
    return rows;
}

class GpuStripDrawing
{
public:
    GpuStripDrawing(FigureSheet& sheet, const BudgetStudy& study, double top)
        : m_sheet(sheet)
        , m_study(study)
        , m_left(sheet.margin())
        , m_width(sheet.width() - 2 * sheet.margin())
        , m_top(top)
        , m_rows(gpuRows(study))
        , m_needs(gpuNeeds(study))
    {
        layColumns();
    }

    double height() const { return headHeight() + kGpuRow * static_cast<double>(m_rows.size()); }

    void draw()
    {
        drawHead();
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            drawRow(m_rows[i], m_top + headHeight() + kGpuRow * static_cast<double>(i));
    }

private:
    double headHeight() const { return kNeedRow * static_cast<double>(m_needs.size()) + 8; }

    /// Gives each column of text its widest text, and the rest to the bars. All bars have one scale. It ends
    /// at the largest GPU, but at least at the largest need, and at most at twice that, so that the GPUs in
    /// question can be told apart. The estimate is left out where it leaves no room for the bars.
    void layColumns()
    {
        double capacities = 0;
        double answers = 0;
        double estimates = 0;
        for (const GpuRow& row : m_rows) {
            m_namesWidth = std::max(m_namesWidth, textWidth(row.names, FigureSheet::kFont, row.isSingledOut));
            capacities = std::max(capacities, textWidth(formatBytes(row.fit.capacity), kStripSmall));
            // A pixel more than the widest: sums of fractions may fall short of it.
            answers = std::max(answers, textWidth(fitText(m_study, row.fit), kStripSmall) + 1);
            estimates = std::max(estimates, textWidth(expectedText(m_study, row.fit), kStripSmall) + 1);
            m_largest = std::max(m_largest, row.fit.capacity);
        }
        Bytes needed = 1;
        for (const GpuNeed& need : m_needs)
            needed = std::max(needed, need.bytes);
        m_largest = std::clamp(m_largest, needed, kMaxScaleInNeeds * needed);
        m_namesWidth = std::min(m_namesWidth, kWidestNames * m_width);
        m_capacityEnd = m_left + m_namesWidth + kStripColumnGap + capacities;
        const double barBegin = m_capacityEnd + kStripColumnGap;
        double barEnd = m_left + m_width - answers - kStripColumnGap;
        const double endBesideEstimate = barEnd - estimates - kStripColumnGap;
        m_showsEstimate = hasEstimateBeside() && endBesideEstimate - barBegin >= kNarrowestBesideEstimate;
        if (m_showsEstimate)
            barEnd = endBesideEstimate;
        m_bar = {barBegin, 0, barEnd - barBegin >= kNarrowestGpuBar ? barEnd - barBegin : 0, 10};
        m_answerBegin = m_bar.width > 0 ? barEnd + kStripColumnGap : barBegin;
        m_estimateBegin = m_answerBegin + answers + kStripColumnGap;
    }

    /// Draws what all GPUs are compared with: a line for each need, to the right of the swatch that
    /// it has in the bars.
    void drawHead()
    {
        m_sheet.add(FigureText{
            .x = m_left, .y = m_top + 14, .text = "GPUs", .color = m_sheet.palette().text, .bold = true});
        const double x = m_left + textWidth("GPUs", FigureSheet::kFont, true) + 16;
        for (std::size_t i = 0; i < m_needs.size(); ++i) {
            const double y = m_top + kNeedRow * static_cast<double>(i);
            if (isEstimateBeside(i))
                m_sheet.rect({x + 6, y + 4, 2, 12}, m_sheet.palette().accent);
            else
                m_sheet.rect({x, y + 6, 14, 8}, colorOfNeed(i));
            const std::string text = m_needs[i].text();
            const double room = m_left + m_width - x - 20;
            drawSmallText(x + 20, y + 14, fittedText(text, kStripSmall, room), m_sheet.palette().text);
            m_sheet.spot({x + 20, y, room, kNeedRow}, text, -1);
        }
    }

    void drawRow(const GpuRow& row, double y)
    {
        const FigurePalette& colors = m_sheet.palette();
        m_sheet.add(FigureText{.x = m_left,
            .y = y + 13,
            .text = fittedText(row.names, FigureSheet::kFont, m_namesWidth),
            .color = colors.text,
            .bold = row.isSingledOut});
        m_sheet.add(FigureText{.x = m_capacityEnd,
            .y = y + 13,
            .text = formatBytes(row.fit.capacity),
            .size = kStripSmall,
            .color = colors.quietText,
            .anchor = TextAnchor::End});
        if (m_bar.width > 0)
            drawBar(row.fit, y + 4);
        drawSmallText(m_answerBegin, y + 13,
            fittedText(fitText(m_study, row.fit), kStripSmall, m_left + m_width - m_answerBegin),
            row.fit.isNo() ? colors.danger : colors.text);
        if (m_showsEstimate)
            drawSmallText(m_estimateBegin, y + 13, expectedText(m_study, row.fit), colors.quietText);
        m_sheet.spot({m_left, y, m_width, kGpuRow}, tooltip(row), -1);
    }

    /// True if an estimate is shown next to the observed bytes.
    bool hasEstimateBeside() const { return m_study.observed && m_study.isOfConfiguration; }
    bool isEstimateBeside(std::size_t need) const
    {
        return hasEstimateBeside() && need + 1 == m_needs.size();
    }
    /// Returns a colour of strong contrast for what is in use, or for the only need, and one of weaker
    /// contrast for the cache above it.
    FigureColor colorOfNeed(std::size_t need) const
    {
        return need == 0 ? m_sheet.palette().quietText : m_sheet.palette().reservedEdge;
    }

    void drawSmallText(double x, double y, std::string text, FigureColor color)
    {
        m_sheet.add(FigureText{.x = x, .y = y, .text = std::move(text), .size = kStripSmall, .color = color});
    }

    double place(Bytes bytes) const
    {
        return m_bar.x
            + m_bar.width * std::min(1.0, static_cast<double>(bytes) / static_cast<double>(m_largest));
    }

    /// Draws the GPU and over it the needs, of which the part that does not fit continues beyond the GPU's
    /// end. The bar of a GPU that is larger than the scale is broken before its end.
    void drawBar(const GpuFit& fit, double top)
    {
        const FigurePalette& colors = m_sheet.palette();
        const double gpuEnd = place(fit.capacity);
        m_sheet.rect({m_bar.x, top, gpuEnd - m_bar.x, m_bar.height}, colors.hover);
        if (fit.capacity > m_largest)
            m_sheet.rect({gpuEnd - kBreakFromEnd, top, 3, m_bar.height}, colors.background);
        double needBegin = m_bar.x;
        for (std::size_t i = 0; i < m_needs.size(); ++i) {
            const double needEnd = place(m_needs[i].bytes);
            if (isEstimateBeside(i)) {
                m_sheet.rect({std::min(needEnd, m_bar.x + m_bar.width) - 1, top - 3, 2, 16}, colors.accent);
                continue;
            }
            if (const double fitting = std::min(needEnd, gpuEnd); fitting > needBegin)
                m_sheet.rect({needBegin, top, fitting - needBegin, m_bar.height}, colorOfNeed(i));
            if (const double overflowBegin = std::max(needBegin, gpuEnd); needEnd > overflowBegin)
                m_sheet.rect({overflowBegin, top, needEnd - overflowBegin, m_bar.height},
                    i == 0 && fit.verdict == FitVerdict::DoesNotFit ? colors.danger : colorOfNeed(i));
            needBegin = std::max(needBegin, needEnd);
        }
    }

    std::string tooltip(const GpuRow& row) const
    {
        const GpuFit& fit = row.fit;
        std::string text = fmt::format("{}: PyTorch reports at least {} ({})\n{}", row.names,
            formatBytes(fit.capacity), formatExactBytes(fit.capacity), fitText(m_study, fit));
        if (fit.doubt == FitDoubt::Grows)
            text += "; memory grows from step to step, so no GPU holds a long run";
        if (fit.doubt == FitDoubt::AtLeast)
            text += "; the run ran out of memory, so it may need more";
        if (fit.isTight)
            text += "; it fits without the CUDA context";
        if (hasEstimateBeside())
            text += "\n" + upperFirst(expectedText(m_study, fit));
        if (row.isSingledOut)
            text += "\nThe chosen GPU";
        return text;
    }

    FigureSheet& m_sheet;
    const BudgetStudy& m_study;
    double m_left;
    double m_width;
    double m_top;
    std::vector<GpuRow> m_rows;
    std::vector<GpuNeed> m_needs;
    Bytes m_largest = 1; ///< what the whole width of the bars means
    double m_namesWidth = 0;
    double m_capacityEnd = 0;
    FigureArea m_bar; ///< x, width and height of the bars; no width if there is no room for them
    double m_answerBegin = 0;
    double m_estimateBegin = 0;
    bool m_showsEstimate = false;
};

} // namespace

double gpuStripHeight(FigureSheet& sheet, const BudgetStudy& study)
{
    return GpuStripDrawing(sheet, study, 0).height();
}

void drawGpuStrip(FigureSheet& sheet, const BudgetStudy& study, double top)
{
    GpuStripDrawing(sheet, study, top).draw();
}

} // namespace highwater
