#include "core/figure/budget_figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/budget/budget_gap.h"
#include "core/analysis/budget/budget_headline.h"
#include "core/analysis/budget/timeline_parts.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/figure/gpu_strip.h"

namespace highwater {

namespace {

constexpr double kBudgetSmall = 11;
constexpr double kHeadRow = 24;
constexpr double kLineRow = 40;
constexpr double kBar = 10;
constexpr double kColumn = 84;
constexpr double kLeastName = 120;
constexpr double kWidthOfThreeColumns = 480; ///< A narrower figure has no column of factors
constexpr const char* kLinesText = "Line and formula, in bytes";
constexpr const char* kExpectedText = "expected";
constexpr const char* kRangeText = "range of the estimate";
constexpr const char* kObservedText = "observed at the peak";
constexpr double kStripGap = 16;

/// One row: a line of the budget, or the bytes of a category outside the lines.
struct BudgetRow
{
    std::string name;
    std::string detail; ///< The formula, or the category outside the lines
    const BudgetLine* expected = nullptr;
    std::optional<Bytes> observed;
    std::string site = {}; ///< "most from forward (model.py:39) (6.22 GiB)"; may be empty
    std::string cause = {}; ///< `likelyCause`; may be empty
    std::string timeline = {}; ///< `timelineText`; may be empty
    FigureColor color = 0;

    /// Returns observed divided by expected bytes; 0 if either is unknown or nothing is expected.
    double factor() const
    {
        return expected && observed && expected->likely() > 0
            ? static_cast<double>(*observed) / static_cast<double>(expected->likely())
            : 0;
    }
    bool isLarge() const { return factor() >= kLargeFactor || !cause.empty(); }
};

FigureColor colorOf(BudgetLineName name)
{
    switch (name) {
    case BudgetLineName::Parameters:
    case BudgetLineName::MasterWeights: return categoryColor(Category::Parameter);
    case BudgetLineName::ReferenceModel:
    case BudgetLineName::Critic: return siteColor(themedCategoryColor(Category::Parameter), 1, false).light;
    case BudgetLineName::Gradients: return categoryColor(Category::Gradient);
    case BudgetLineName::OptimizerState: return categoryColor(Category::OptimizerState);
    case BudgetLineName::Activations: return categoryColor(Category::Activation);
    case BudgetLineName::Logits: return siteColor(themedCategoryColor(Category::Activation), 1, true).light;
    case BudgetLineName::KvCache:
    case BudgetLineName::Engine: return categoryColor(Category::KvCache);
    case BudgetLineName::Temporary: return categoryColor(Category::Temporary);
    case BudgetLineName::Outside: break;
    }
    return kRestColor;
}

std::string siteText(const ObservedBudget::Line& line)
{
    return line.bytes > 0 && !line.site.empty()
        ? fmt::format("most from {} ({})", line.site, formatBytes(line.siteBytes))
        : std::string();
}

std::vector<BudgetRow> budgetRows(const BudgetStudy& study)
{
    std::vector<BudgetRow> rows;
    for (const BudgetLine& line : study.budget.lines) {
        const ObservedBudget::Line* const observedLine
            = study.observed ? study.observed->find(line.name) : nullptr;
        rows.push_back({.name = upperFirst(std::string(titleOf(line.name))),
            .detail = sanitizedText(withThousands(line.formula())),
            .expected = &line,
            .observed = observedLine ? std::optional(observedLine->bytes) : std::nullopt,
            .site = observedLine ? siteText(*observedLine) : std::string(),
            .cause = observedLine ? likelyCause(line, *study.observed) : std::string(),
            .timeline = observedLine ? timelineText(line, *study.observed) : std::string(),
            .color = colorOf(line.name)});
    }
    if (study.observed && study.isOfConfiguration)
        for (const ObservedBudget::CategoryPart& rest : study.observed->rest)
            rows.push_back({.name = "Not in the budget",
                .detail = rest.title(),
                .observed = rest.bytes,
                .timeline = timelineText(rest, *study.observed),
                .color = categoryColor(rest.category)});
    return rows;
}

/// Returns the most bytes that a row shows; at least 1.
Bytes largestOf(const std::vector<BudgetRow>& rows)
{
    Bytes largest = 1;
    for (const BudgetRow& row : rows)
        largest = std::max({largest, row.observed.value_or(0), row.expected ? row.expected->high() : 0});
    return largest;
}

std::string tooltipOfRow(const BudgetRow& row)
{
    std::string title = row.name;
    if (row.expected)
        title += fmt::format("\nexpected {} ({}), {} to {}\n{}", formatBytes(row.expected->likely()),
            formatExactBytes(row.expected->likely()), formatBytes(row.expected->low()),
            formatBytes(row.expected->high()), row.detail);
    else
        title += "\n" + row.detail;
    if (row.observed)
        title += fmt::format(
            "\nobserved at the peak {} ({})", formatBytes(*row.observed), formatExactBytes(*row.observed));
    if (!row.timeline.empty())
        title += "\n" + row.timeline;
    if (!row.cause.empty())
        title += "\nlikely " + row.cause;
    if (!row.site.empty())
        title += "\n" + sanitizedText(row.site);
    return title;
}

/// Returns the width that the names, the formulae and their title need: at least `kLeastName`, and at most
/// 36% of the figure less 40 pixels.
double nameWidth(const std::vector<BudgetRow>& rows, double figureWidth)
{
    double widest = textWidth(kLinesText, kBudgetSmall);
    for (const BudgetRow& row : rows)
        widest = std::max(
            {widest, textWidth(row.name, FigureSheet::kFont, true), textWidth(row.detail, kBudgetSmall)});
    return std::clamp(widest + 4, kLeastName, std::max(kLeastName, figureWidth * 0.36 - 40));
}

class BudgetDrawing
{
public:
    BudgetDrawing(FigureSheet& sheet, const BudgetStudy& study, const std::vector<BudgetRow>& rows)
        : m_sheet(sheet)
        , m_study(study)
        , m_left(sheet.margin())
        , m_right(sheet.width() - sheet.margin())
        , m_columnCount(!study.observed                  ? 1
                  : sheet.width() < kWidthOfThreeColumns ? 2
                                                         : 3)
        , m_nameWidth(nameWidth(rows, sheet.width()))
        , m_barBegin(m_left + m_nameWidth + 8)
        , m_barEnd(std::max(m_barBegin + 40, m_right - m_columnCount * kColumn - 12))
        , m_ticks(byteTicks(0, static_cast<double>(largestOf(rows)) * 1.02,
              std::max(2, static_cast<int>((m_barEnd - m_barBegin) / 110))))
        , m_pixelsPerByte((m_barEnd - m_barBegin) / (static_cast<double>(largestOf(rows)) * 1.02))
    {
    }

    void drawHead(double y)
    {
        const FigurePalette& colors = m_sheet.palette();
        drawSmallText(m_left, y + 15, kLinesText, colors.quietText);
        if (const double room = m_barEnd - m_barBegin; room >= legendWidth())
            drawLegend(y);
        drawColumnText(0, y + 15, "Expected", false, colors.quietText);
        if (m_columnCount >= 2)
            drawColumnText(1, y + 15, "Observed", false, colors.quietText);
        if (m_columnCount == 3)
            drawColumnText(2, y + 15, "Factor", false, colors.quietText);
        drawSeparator(y + kHeadRow);
    }

    void drawGrid(double top, double bottom)
    {
        for (const double value : m_ticks.positions)
            if (place(value) <= m_barEnd)
                m_sheet.add(FigureLine{.points = {{place(value), top}, {place(value), bottom}},
                    .color = value == 0 ? m_sheet.palette().reservedEdge : m_sheet.palette().grid});
    }

    void drawRow(const BudgetRow& row, double y, int id)
    {
        const FigurePalette& colors = m_sheet.palette();
        m_sheet.add(FigureText{.x = m_left,
            .y = y + 16,
            .text = fittedText(row.name, FigureSheet::kFont, m_nameWidth),
            .color = colors.text,
            .bold = row.isLarge()});
        drawSmallText(m_left, y + 31, fittedText(row.detail, kBudgetSmall, m_nameWidth), colors.quietText);
        if (row.expected) {
            drawOutline({m_barBegin, y + 8, width(row.expected->likely()), kBar});
            if (row.expected->high() > row.expected->low())
                drawWhisker(m_barBegin + width(row.expected->low()), m_barBegin + width(row.expected->high()),
                    y + 8 + kBar / 2);
        }
        if (row.observed) {
            const double length = width(*row.observed);
            m_sheet.rect({m_barBegin, y + 22, length, kBar}, row.color);
            drawEdge({m_barBegin, y + 22, length, kBar}, mixed(row.color, colors.text, 0.4));
        }
        drawTimelineText(row, y);
        drawFigures(row.expected ? formatBytes(row.expected->likely()) : "–",
            row.observed ? formatBytes(*row.observed) : "–", row.factor(), y + kLineRow / 2 + 4, false);
        drawSeparator(y + kLineRow);
        m_sheet.spot({m_left, y, m_right - m_left, kLineRow}, tooltipOfRow(row), id);
    }

    void drawSum(double y)
    {
        const Bytes observed = m_study.observed ? m_study.observed->total : 0;
        // Nothing records memory outside PyTorch, so both sums are without it where they are compared.
        const bool areInPyTorch = m_study.observed && m_study.budget.find(BudgetLineName::Outside);
        const Bytes expected = areInPyTorch ? m_study.budget.expectedInPyTorch() : m_study.budget.expected;
        m_sheet.add(FigureText{.x = m_left,
            .y = y + 16,
            .text = areInPyTorch ? "Sum in PyTorch" : "Sum",
            .color = m_sheet.palette().text,
            .bold = true});
        double labelEnd = m_barBegin - 20; // right end of the last label
        for (std::size_t i = 0; i < m_ticks.positions.size(); ++i) {
            const double half = textWidth(m_ticks.labels[i], kBudgetSmall) / 2;
            const double x = place(m_ticks.positions[i]);
            if (x - half < labelEnd + 8 || x + half > m_barEnd + 8)
                continue;
            m_sheet.add(FigureText{.x = x,
                .y = y + 16,
                .text = m_ticks.labels[i],
                .size = kBudgetSmall,
                .color = m_sheet.palette().quietText,
                .anchor = TextAnchor::Middle});
            labelEnd = x + half;
        }
        drawFigures(formatBytes(expected), formatBytes(observed),
            expected > 0 ? static_cast<double>(observed) / static_cast<double>(expected) : 0, y + 16, true);
        drawSeparator(y + kHeadRow);
    }

private:
    double width(Bytes bytes) const { return std::max(1.0, static_cast<double>(bytes) * m_pixelsPerByte); }
    double place(double bytes) const { return m_barBegin + bytes * m_pixelsPerByte; }

    void drawSmallText(double x, double y, std::string text, FigureColor color)
    {
        m_sheet.add(
            FigureText{.x = x, .y = y, .text = std::move(text), .size = kBudgetSmall, .color = color});
    }
    /// Writes where the timeline has the bytes to the right of the observed bar, else of the expected one, if
    /// there is room.
    void drawTimelineText(const BudgetRow& row, double y)
    {
        if (row.timeline.empty())
            return;
        const double expectedEnd = m_barBegin + (row.expected ? width(row.expected->high()) : 0);
        const double observedEnd = m_barBegin + width(row.observed.value_or(0));
        const double length = textWidth(row.timeline, kBudgetSmall);
        for (const auto& [barEnd, base] : {std::pair(observedEnd, y + 31), std::pair(expectedEnd, y + 17)})
            if (barEnd + 8 + length <= m_barEnd)
                return drawSmallText(barEnd + 8, base, row.timeline, m_sheet.palette().quietText);
    }
    static double legendWidth()
    {
        double width = 0;
        for (const char* text : {kExpectedText, kRangeText, kObservedText})
            width += 20 + textWidth(text, kBudgetSmall) + 16;
        return width;
    }
    /// Draws the key of the bars over them.
    void drawLegend(double y)
    {
        double x = m_barBegin;
        drawOutline({x, y + 7, 14, 8});
        x = drawLegendText(x + 20, y, kExpectedText);
        drawWhisker(x, x + 14, y + 11);
        x = drawLegendText(x + 20, y, kRangeText);
        if (!m_study.observed)
            return;
        m_sheet.rect({x, y + 7, 14, 8}, m_sheet.palette().quietText);
        drawLegendText(x + 20, y, kObservedText);
    }
    double drawLegendText(double x, double y, const std::string& text)
    {
        drawSmallText(x, y + 15, text, m_sheet.palette().quietText);
        return x + textWidth(text, kBudgetSmall) + 16;
    }
    void drawColumnText(int index, double y, const std::string& text, bool bold, FigureColor color)
    {
        m_sheet.add(FigureText{.x = m_right - (m_columnCount - 1 - index) * kColumn,
            .y = y,
            .text = text,
            .color = color,
            .anchor = TextAnchor::End,
            .bold = bold});
    }
    void drawFigures(
        const std::string& expected, const std::string& observed, double factor, double y, bool isBold)
    {
        const FigurePalette& colors = m_sheet.palette();
        drawColumnText(0, y, expected, isBold, colors.text);
        if (m_columnCount >= 2)
            drawColumnText(1, y, observed, isBold, colors.text);
        if (m_columnCount != 3)
            return;
        const bool isLarge = factor >= kLargeFactor;
        drawColumnText(2, y, factor > 0 ? formatRatio(factor) : "–", isBold || isLarge,
            isLarge ? colors.danger : colors.text);
    }
    void drawSeparator(double y)
    {
        m_sheet.add(FigureLine{.points = {{m_left, y}, {m_right, y}}, .color = m_sheet.palette().border});
    }
    void drawEdge(const FigureArea& area, FigureColor color)
    {
        m_sheet.add(FigureLine{.points
            = {{area.x, area.y}, {area.x + area.width, area.y}, {area.x + area.width, area.y + area.height},
                {area.x, area.y + area.height}, {area.x, area.y}},
            .color = color});
    }
    void drawOutline(const FigureArea& area) { drawEdge(area, m_sheet.palette().quietText); }
    void drawWhisker(double begin, double end, double y)
    {
        const FigureColor color = m_sheet.palette().quietText;
        m_sheet.add(FigureLine{.points = {{begin, y}, {end, y}}, .color = color});
        for (const double x : {begin, end})
            m_sheet.add(FigureLine{.points = {{x, y - 4}, {x, y + 4}}, .color = color});
    }

    FigureSheet& m_sheet;
    const BudgetStudy& m_study;
    double m_left;
    double m_right;
    int m_columnCount;
    double m_nameWidth;
    double m_barBegin;
    double m_barEnd;
    Ticks m_ticks;
    double m_pixelsPerByte;
};

/// Draws the lines from the top of the sheet, as many as fit above `end`. Returns where they end.
double drawLines(FigureSheet& sheet, const BudgetStudy& study, const std::vector<BudgetRow>& rows, double end)
{
    double y = sheet.contentTop();
    BudgetDrawing drawing(sheet, study, rows);
    drawing.drawHead(y);
    drawing.drawSum(y + kHeadRow);
    y += 2 * kHeadRow;
    const bool allFit = y + static_cast<double>(rows.size()) * kLineRow <= end;
    const auto fitting = static_cast<std::size_t>(std::max(0.0, (end - kHeadRow - y) / kLineRow));
    const std::size_t shownRows = allFit ? rows.size() : std::min(rows.size() - 1, fitting);
    drawing.drawGrid(y, y + static_cast<double>(shownRows) * kLineRow);
    for (std::size_t i = 0; i < shownRows; ++i, y += kLineRow)
        drawing.drawRow(rows[i], y, static_cast<int>(i));
    if (allFit)
        return y;
    sheet.quietText(sheet.margin(), end,
        fmt::format("{} more lines do not fit; increase the height", formatCount(rows.size() - shownRows)));
    return end;
}

} // namespace

int budgetFigureHeight(const BudgetStudy& study, const FigureOptions& options)
{
    FigureOptions zeroHeightOptions = options;
    zeroHeightOptions.height = 0;
    FigureSheet sheet(zeroHeightOptions, budgetHeadline(study), budgetSubline(study));
    const auto rows = static_cast<double>(budgetRows(study).size());
    double height
        = sheet.contentTop() + (rows > 0 ? kHeadRow + rows * kLineRow + kHeadRow : 0) + sheet.margin();
    if (!study.allFits.empty())
        height += (rows > 0 ? kStripGap : 0) + gpuStripHeight(sheet, study);
    return static_cast<int>(std::ceil(height));
}

Figure budgetFigure(const BudgetStudy& study, const FigureOptions& options)
{
    FigureSheet sheet(options, budgetHeadline(study), budgetSubline(study));
    const std::vector<BudgetRow> rows = budgetRows(study);
    const double end = sheet.height() - sheet.margin();
    const double top = sheet.contentTop();
    const double gap = rows.empty() ? 0 : kStripGap;
    const double roomForLines = rows.empty() ? 0 : gap + 3 * kHeadRow;
    const double strip = study.allFits.empty() ? 0 : gpuStripHeight(sheet, study);
    const bool showsStrip = strip > 0 && top + strip + roomForLines <= end;
    // The lines come first: the configuration was given to see them, without scrolling.
    const double linesEnd
        = rows.empty() ? top : drawLines(sheet, study, rows, showsStrip ? end - gap - strip : end);
    if (showsStrip)
        drawGpuStrip(sheet, study, linesEnd + gap);
    return sheet.take();
}

} // namespace highwater
