#include "core/figure/gpu_strip.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/budget/gpu_need.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr double kStripSmall = 11;
constexpr double kNeedRow = 16;
constexpr double kCellHeight = 48;
constexpr double kEstimateRow = 14;
constexpr double kNarrowestCell = 170;
constexpr double kCellGap = 24;

/// Returns "no, 1.34 GiB short", "fits, 7.79 GiB left", "too close".
std::string fitText(const GpuFit& fit)
{
    std::string text(fit.word());
    if (const std::optional<Bytes> missing = fit.shortBytes())
        text += fmt::format(", {} short", formatBytes(*missing));
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

class GpuStripDrawing
{
public:
    GpuStripDrawing(FigureSheet& sheet, const BudgetStudy& study, double top)
        : m_sheet(sheet)
        , m_study(study)
        , m_left(sheet.margin())
        , m_width(sheet.width() - 2 * sheet.margin())
        , m_top(top)
        , m_fits(study.nearestFits())
        , m_needs(gpuNeeds(study))
        , m_cellsAcross(std::clamp(static_cast<int>((m_width + kCellGap) / (kNarrowestCell + kCellGap)), 1,
              std::max(1, static_cast<int>(m_fits.size()))))
        , m_singlesOut(
              std::ranges::any_of(m_fits, [&](const GpuFit& fit) { return study.singlesOut(fit.gpu); }))
    {
    }

    double height() const
    {
        const auto across = static_cast<std::size_t>(m_cellsAcross);
        return headHeight() + cellHeight() * static_cast<double>((m_fits.size() + across - 1) / across);
    }

    void draw()
    {
        drawHead();
        for (std::size_t i = 0; i < m_fits.size(); ++i)
            drawCell(i);
    }

private:
    double cellHeight() const { return kCellHeight + (hasEstimateBeside() ? kEstimateRow : 0); }
    double headHeight() const { return kNeedRow * static_cast<double>(m_needs.size()) + 8; }

    /// Draws what all GPUs are compared with: a line for each need, behind the swatch that it has in the
    /// bars.
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
            drawSmallText(x + 20, y + 14,
                fittedText(m_needs[i].text(), kStripSmall, m_left + m_width - x - 20),
                m_sheet.palette().text);
        }
    }

    void drawCell(std::size_t index)
    {
        const GpuFit& fit = m_fits[index];
        const FigurePalette& colors = m_sheet.palette();
        const auto across = static_cast<std::size_t>(m_cellsAcross);
        const double slot = (m_width + kCellGap) / m_cellsAcross;
        const double width = slot - kCellGap;
        const double x = m_left + slot * static_cast<double>(index % across);
        const double y = m_top + headHeight() + cellHeight() * static_cast<double>(index / across);
        const std::string capacityText = formatBytes(fit.capacity);
        m_sheet.add(FigureText{.x = x,
            .y = y + 12,
            .text = fittedText(fit.gpu, FigureSheet::kFont, width - textWidth(capacityText, kStripSmall) - 8),
            .color = colors.text,
            .bold = !m_singlesOut || m_study.singlesOut(fit.gpu)});
        m_sheet.add(FigureText{.x = x + width,
            .y = y + 12,
            .text = capacityText,
            .size = kStripSmall,
            .color = colors.quietText,
            .anchor = TextAnchor::End});
        drawBar(fit, {x, y + 18, width, 10});
        drawSmallText(x, y + 41, fittedText(fitText(fit), kStripSmall, width),
            fit.isNo() ? colors.danger : colors.text);
        if (hasEstimateBeside())
            drawSmallText(
                x, y + 55, fittedText(expectedText(m_study, fit), kStripSmall, width), colors.quietText);
        m_sheet.spot({x, y, width, cellHeight() - 4}, tooltip(fit), -1);
    }

    /// True if an estimate is shown next to the observed bytes.
    bool hasEstimateBeside() const { return m_study.observed && m_study.isOfConfiguration; }
    bool isEstimateBeside(std::size_t need) const
    {
        return hasEstimateBeside() && need + 1 == m_needs.size();
    }
    /// Returns a dark colour for what is in use, or the only need, and a light one for the cache above it.
    FigureColor colorOfNeed(std::size_t need) const
    {
        return need == 0 ? m_sheet.palette().quietText : m_sheet.palette().reservedEdge;
    }

    void drawSmallText(double x, double y, std::string text, FigureColor color)
    {
        m_sheet.add(FigureText{.x = x, .y = y, .text = std::move(text), .size = kStripSmall, .color = color});
    }

    /// Draws the GPU and over it what it must hold; what does not fit goes on past the GPU's end, at one
    /// scale.
    void drawBar(const GpuFit& fit, const FigureArea& area)
    {
        const FigurePalette& colors = m_sheet.palette();
        Bytes whole = std::max<Bytes>(1, fit.capacity);
        for (const GpuNeed& need : m_needs)
            whole = std::max(whole, need.bytes);
        const auto place = [&](Bytes bytes) {
            return area.x + area.width * static_cast<double>(bytes) / static_cast<double>(whole);
        };
        const double end = place(fit.capacity);
        m_sheet.rect({area.x, area.y, end - area.x, area.height}, colors.control);
        double from = area.x;
        for (std::size_t i = 0; i < m_needs.size(); ++i) {
            const double to = place(m_needs[i].bytes);
            if (!isEstimateBeside(i)) {
                if (const double inside = std::min(to, end); inside > from)
                    m_sheet.rect({from, area.y, inside - from, area.height}, colorOfNeed(i));
                if (const double past = std::max(from, end); to > past)
                    m_sheet.rect({past, area.y, to - past, area.height},
                        i == 0 && fit.verdict == FitVerdict::DoesNotFit ? colors.danger : colorOfNeed(i));
                from = std::max(from, to);
            }
            m_sheet.rect({std::min(to, area.x + area.width) - 1, area.y - 3, isEstimateBeside(i) ? 2.0 : 1.0,
                             area.height + 6},
                isEstimateBeside(i) ? colors.accent : colors.text);
        }
        if (end < area.x + area.width)
            m_sheet.rect({end - 1, area.y - 3, 2, area.height + 6}, colors.text);
    }

    std::string tooltip(const GpuFit& fit) const
    {
        std::string text = fmt::format("{}: PyTorch reports at least {} ({})\n{}", fit.gpu,
            formatBytes(fit.capacity), formatExactBytes(fit.capacity), fitText(fit));
        if (fit.doubt == FitDoubt::Grows)
            text += "; memory grows from step to step, so no GPU holds a long run";
        if (fit.doubt == FitDoubt::AtLeast)
            text += "; the run ran out of memory, so it may need more";
        if (fit.isTight)
            text += "; it fits without the CUDA context";
        if (m_study.singlesOut(fit.gpu))
            text += "\nThe chosen GPU";
        return text;
    }

    FigureSheet& m_sheet;
    const BudgetStudy& m_study;
    double m_left;
    double m_width;
    double m_top;
    std::vector<GpuFit> m_fits;
    std::vector<GpuNeed> m_needs;
    int m_cellsAcross;
    bool m_singlesOut; ///< GPUs are configured, and stand out
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
