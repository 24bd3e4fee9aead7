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
/// The scale ends before GPUs with more than so many times what is in question: the largest need, or the
/// smallest GPU that may be large enough.
constexpr std::int64_t kMaxScale = 2;
/// The part of the widest bars that is beyond the break.
constexpr double kMostBeyondBreak = 36;
constexpr double kMostShareBeyondBreak = 0.2;

/// Returns "no, 1.34 GiB short", "no, at least 1.34 GiB short" for the run as it went, "fits, 7.79 GiB left",
/// "fits so far, at most 7.79 GiB left", "too close".
std::string fitText(const BudgetStudy& study, const GpuFit& fit)
{
    std::string text = fit.answer();
    if (const std::optional<Bytes> missing = fit.shortBytes())
        text += fmt::format(", {}{} short", study.observed ? "at least " : "", formatBytes(*missing));
    if (const std::optional<Bytes> left = fit.leftBytes())
        text += fmt::format(", {}{} left", fit.isSoFar() ? "at most " : "", formatBytes(*left));
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
    bool isSingledOut = false; ///< the row has one GPU, which is configured, chosen or in the heading
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

    /// Gives each column of text its widest text, and the rest to the bars. All bars have one scale up to
    /// `scaleEnd`; bars of larger GPUs have a break there. The estimate is left out where it leaves no room
    /// for the bars.
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
        }
        m_namesWidth = std::min(m_namesWidth, kWidestNames * m_width);
        m_capacityEnd = m_left + m_namesWidth + kStripColumnGap + capacities;
        const double barBegin = m_capacityEnd + kStripColumnGap;
        double barEnd = m_left + m_width - answers - kStripColumnGap;
        const double endBesideEstimate = barEnd - estimates - kStripColumnGap;
        m_showsEstimate = hasEstimateBeside() && endBesideEstimate - barBegin >= kNarrowestBesideEstimate;
        if (m_showsEstimate)
            barEnd = endBesideEstimate;
        m_bar = {barBegin, 0, barEnd - barBegin >= kNarrowestGpuBar ? barEnd - barBegin : 0, 10};
        m_scaleEnd = scaleEnd();
        const bool isAnyBroken
            = std::ranges::any_of(m_rows, [&](const GpuRow& row) { return isBroken(row.fit); });
        m_scaleWidth = m_bar.width
            - (isAnyBroken ? std::min(kMostBeyondBreak, kMostShareBeyondBreak * m_bar.width) : 0);
        m_answerBegin = m_bar.width > 0 ? barEnd + kStripColumnGap : barBegin;
        m_estimateBegin = m_answerBegin + answers + kStripColumnGap;
    }

    /// Returns the bytes where the scale ends: those of the largest need, or of the largest GPU that is not
    /// so large that the GPUs in question could no longer be told apart.
    Bytes scaleEnd() const
    {
        Bytes inQuestion = 1;
        for (const GpuNeed& need : m_needs)
            inQuestion = std::max(inQuestion, need.bytes);
        const auto holding
            = std::ranges::find_if(m_rows, [](const GpuRow& row) { return !row.fit.shortBytes(); });
        if (holding != m_rows.end())
            inQuestion = std::max(inQuestion, holding->fit.capacity);
        Bytes end = inQuestion;
        for (const GpuRow& row : m_rows)
            if (row.fit.capacity / kMaxScale <= inQuestion)
                end = std::max(end, row.fit.capacity);
        return end;
    }
    bool isBroken(const GpuFit& fit) const { return fit.capacity > m_scaleEnd; }

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
            row.fit.isNo()          ? colors.danger
                : row.fit.isSoFar() ? colors.quietText
                                    : colors.text);
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

    /// Returns the place of bytes on the scale.
    double place(Bytes bytes) const
    {
        return m_bar.x + m_scaleWidth * static_cast<double>(bytes) / static_cast<double>(m_scaleEnd);
    }

    /// Draws two slanted lines across a bar that is longer than the scale.
    void drawBreak(double top)
    {
        const FigurePalette& colors = m_sheet.palette();
        constexpr double slant = 3;
        constexpr double gap = 5;
        const double x = (m_bar.x + m_scaleWidth + m_bar.x + m_bar.width - slant - gap) / 2;
        const double upper = top - 2;
        const double lower = top + m_bar.height + 2;
        m_sheet.add(FigurePolygon{
            .points = {{x, lower}, {x + slant, upper}, {x + slant + gap, upper}, {x + gap, lower}},
            .fill = colors.background});
        for (const double begin : {x, x + gap})
            m_sheet.add(
                FigureLine{.points = {{begin, lower}, {begin + slant, upper}}, .color = colors.quietText});
    }

    /// Draws the GPU and over it the needs, of which the part that does not fit continues beyond the GPU's
    /// end, and last the mark of this end. The bar of a GPU that is larger than the scale is broken.
    void drawBar(const GpuFit& fit, double top)
    {
        const FigurePalette& colors = m_sheet.palette();
        const double gpuEnd = isBroken(fit) ? m_bar.x + m_bar.width : place(fit.capacity);
        m_sheet.rect({m_bar.x, top, gpuEnd - m_bar.x, m_bar.height}, colors.hover);
        if (isBroken(fit))
            drawBreak(top);
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
        m_sheet.rect({gpuEnd - 1, top - 2, 2, m_bar.height + 4}, colors.text);
    }

    std::string tooltip(const GpuRow& row) const
    {
        const GpuFit& fit = row.fit;
        std::string text = fmt::format("{}: PyTorch reports at least {} ({})\n{}", row.names,
            formatBytes(fit.capacity), formatExactBytes(fit.capacity), fitText(m_study, fit));
        if (fit.doubt == FitDoubt::Grows)
            text += "; memory grows from step to step, so no GPU holds a long run";
        if (fit.doubt == FitDoubt::AtLeast)
            text += "; " + m_study.observed->outcome.doubtText();
        if (fit.isTight)
            text += "; it fits without the CUDA context";
        if (hasEstimateBeside())
            text += "\n" + upperFirst(expectedText(m_study, fit));
        if (row.isSingledOut && m_study.hasNamedGpus)
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
    Bytes m_scaleEnd = 1; ///< the bytes where the scale ends
    double m_scaleWidth = 0; ///< the width that they have; bars of larger GPUs are longer
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
