#include "core/figure/gpu_strip.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr double kStripSmall = 11;
constexpr double kHead = 26;
constexpr double kCellHeight = 66;
constexpr double kNarrowestCell = 150;
constexpr double kCellGap = 24;

int cellsInRow(const BudgetStudy& study, double width)
{
    const int room = std::max(1, static_cast<int>((width + kCellGap) / (kNarrowestCell + kCellGap)));
    return std::min(room, std::max(1, static_cast<int>(study.allFits.size())));
}

/// True if what is missing is counted from memory in use although more was reserved.
bool isShortInUse(const BudgetStudy& study, const GpuFit& fit)
{
    return fit.verdict == FitVerdict::DoesNotFit && study.observed
        && study.observed->needed > study.observed->neededInUse;
}

/// Returns in words how much of a GPU the run leaves or lacks.
std::string fitText(const BudgetStudy& study, const GpuFit& fit)
{
    if (fit.doubt == FitDoubt::RanOut)
        return "ran out of memory here";
    if (fit.verdict == FitVerdict::TooClose)
        return "too close to say";
    if (fit.verdict == FitVerdict::DoesNotFit)
        return fmt::format(
            "{}{} too little", isShortInUse(study, fit) ? "at least " : "", formatBytes(-fit.headroom));
    switch (fit.doubt) {
    case FitDoubt::Grows: return fmt::format("leaks, {} left", formatBytes(fit.headroom));
    case FitDoubt::AtLeast: return fmt::format("at most {} left", formatBytes(fit.headroom));
    case FitDoubt::RanOut:
    case FitDoubt::None: break;
    }
    return fmt::format("fits, {} left", formatBytes(fit.headroom));
}

/// Returns in words how much of a GPU the estimate leaves or lacks.
std::string expectedText(const BudgetStudy& study, const GpuFit& fit)
{
    const Bytes headroom = estimateHeadroom(study.budget, fit);
    return headroom >= 0 ? fmt::format("estimate: {} left", formatBytes(headroom))
                         : fmt::format("estimate: {} too little", formatBytes(-headroom));
}

/// True if the run is known not to fit; a leak or a failure elsewhere alone is a doubt.
bool isTooSmall(const GpuFit& fit)
{
    return fit.verdict == FitVerdict::DoesNotFit;
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
        , m_takenBytes(study.neededBytes())
        , m_namesGpu(
              std::ranges::any_of(study.allFits, [&](const GpuFit& fit) { return study.namesGpu(fit.gpu); }))
    {
    }

    void drawHead()
    {
        m_sheet.add(FigureText{
            .x = m_left, .y = m_top + 14, .text = "GPUs", .color = m_sheet.palette().text, .bold = true});
        double x = m_left + textWidth("GPUs", FigureSheet::kFont, true) + 20;
        m_sheet.rect({x, m_top + 6, 14, 8}, m_sheet.palette().quietText);
        const std::string takenText = describeTaken();
        drawSmallText(x + 20, m_top + 14, takenText, m_sheet.palette().quietText);
        x += 36 + textWidth(takenText, kStripSmall);
        if (hasEstimateBeside()) {
            m_sheet.rect({x, m_top + 4, 2, 12}, m_sheet.palette().accent);
            drawSmallText(x + 8, m_top + 14, "estimate", m_sheet.palette().quietText);
            x += 24 + textWidth("estimate", kStripSmall);
        }
        const std::string boldText = "bold: the chosen GPU";
        if (m_namesGpu && x + textWidth(boldText, kStripSmall) <= m_left + m_width)
            drawSmallText(x, m_top + 14, boldText, m_sheet.palette().quietText);
    }

    void drawCell(std::size_t index)
    {
        const GpuFit& fit = m_study.allFits[index];
        const FigurePalette& colors = m_sheet.palette();
        const int cellsAcross = cellsInRow(m_study, m_width);
        const double slot = (m_width + kCellGap) / cellsAcross;
        const double width = slot - kCellGap;
        const double x = m_left + slot * static_cast<double>(index % static_cast<std::size_t>(cellsAcross));
        const double y = m_top + kHead
            + kCellHeight * static_cast<double>(index / static_cast<std::size_t>(cellsAcross));
        const std::string capacityText = formatBytes(fit.capacity);
        m_sheet.add(FigureText{.x = x,
            .y = y + 12,
            .text = fittedText(fit.gpu, FigureSheet::kFont, width - textWidth(capacityText, kStripSmall) - 8),
            .color = colors.text,
            .bold = !m_namesGpu || m_study.namesGpu(fit.gpu)});
        m_sheet.add(FigureText{.x = x + width,
            .y = y + 12,
            .text = capacityText,
            .size = kStripSmall,
            .color = colors.quietText,
            .anchor = TextAnchor::End});
        drawBar(fit, {x, y + 18, width, 10});
        drawSmallText(x, y + 43, fittedText(fitText(m_study, fit), kStripSmall, width),
            isTooSmall(fit) ? colors.danger : colors.text);
        if (hasEstimateBeside())
            drawSmallText(
                x, y + 57, fittedText(expectedText(m_study, fit), kStripSmall, width), colors.quietText);
        m_sheet.spot({x, y, width, kCellHeight - 4}, tooltip(fit), -1);
    }

private:
    /// True if an estimate is shown next to the observed bytes.
    bool hasEstimateBeside() const { return m_study.observed && m_study.isOfConfiguration; }

    /// Returns the name of the bytes that the bars show.
    std::string describeTaken() const
    {
        if (!m_study.observed)
            return "estimate";
        const ObservedBudget& observed = *m_study.observed;
        return observed.needed > observed.outcome.reservedPeak ? "reserved + failed request"
                                                               : "peak reserved in this run";
    }

    void drawSmallText(double x, double y, std::string text, FigureColor color)
    {
        m_sheet.add(FigureText{.x = x, .y = y, .text = std::move(text), .size = kStripSmall, .color = color});
    }

    void drawBar(const GpuFit& fit, const FigureArea& area)
    {
        const FigurePalette& colors = m_sheet.palette();
        const auto share = [&](Bytes bytes) {
            return std::clamp(
                static_cast<double>(bytes) / static_cast<double>(std::max<Bytes>(1, fit.capacity)), 0.0, 1.0);
        };
        m_sheet.rect(area, colors.control);
        m_sheet.rect({area.x, area.y, area.width * share(m_takenBytes), area.height},
            isTooSmall(fit) ? colors.danger : colors.quietText);
        if (hasEstimateBeside())
            m_sheet.rect({area.x + std::min(area.width * share(m_study.budget.expected), area.width - 2),
                             area.y - 2, 2, area.height + 4},
                colors.accent);
    }

    std::string tooltip(const GpuFit& fit) const
    {
        std::string text = fmt::format("{}: PyTorch reports at least {} ({})", fit.gpu,
            formatBytes(fit.capacity), formatExactBytes(fit.capacity));
        text += fmt::format("\n{}: {}", formatBytes(m_takenBytes), fitText(m_study, fit));
        if (isShortInUse(m_study, fit))
            text += fmt::format(", counted from {} in use", formatBytes(m_study.observed->neededInUse));
        if (fit.doubt == FitDoubt::Grows)
            text += "; memory grows from step to step, so no GPU holds a long run";
        if (fit.doubt == FitDoubt::AtLeast)
            text += "; the run ran out of memory, so it may need more";
        if (fit.isTight)
            text += "; it fits without the CUDA context";
        if (const Bytes context = m_study.leftOutOutsideBytes(); context > 0)
            text += fmt::format("\nWith {} for a CUDA context", formatBytes(context));
        if (m_study.namesGpu(fit.gpu))
            text += "\nThe chosen GPU";
        return text;
    }

    FigureSheet& m_sheet;
    const BudgetStudy& m_study;
    double m_left;
    double m_width;
    double m_top;
    Bytes m_takenBytes;
    bool m_namesGpu; ///< GPUs are configured, and stand out
};

} // namespace

double gpuStripHeight(const BudgetStudy& study, double width)
{
    const int cellsAcross = cellsInRow(study, width);
    const int rows = (static_cast<int>(study.allFits.size()) + cellsAcross - 1) / cellsAcross;
    return kHead + rows * kCellHeight;
}

void drawGpuStrip(FigureSheet& sheet, const BudgetStudy& study, double top)
{
    GpuStripDrawing strip(sheet, study, top);
    strip.drawHead();
    for (std::size_t i = 0; i < study.allFits.size(); ++i)
        strip.drawCell(i);
}

} // namespace highwater
