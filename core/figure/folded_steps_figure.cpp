#include "core/figure/folded_steps_figure.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr double kReachOfLine = 3; ///< pixels above and below an outlier's line that react to the pointer
constexpr double kNameHeight = 16;

class FoldDrawing
{
public:
    FoldDrawing(FigureSheet& sheet, const PlotFrame& plot, const FoldedSteps& folded, const StepTable& steps)
        : m_sheet(sheet)
        , m_plot(plot)
        , m_folded(folded)
        , m_steps(steps)
    {
    }

    /// Draws the area with an outline, so that it is light in every theme and the median stays readable.
    void drawEnvelope()
    {
        std::vector<FigurePoint> upper = pointsOf(m_folded.upper);
        std::vector<FigurePoint> lower = pointsOf(m_folded.lower);
        std::vector<FigurePoint> points = upper;
        points.insert(points.end(), lower.rbegin(), lower.rend());
        m_sheet.add(FigurePolygon{.points = std::move(points), .fill = m_sheet.palette().reserved});
        for (std::vector<FigurePoint>* edge : {&upper, &lower})
            m_sheet.add(FigureLine{.points = std::move(*edge), .color = m_sheet.palette().reservedEdge});
    }

    void drawMedian()
    {
        m_sheet.add(
            FigureLine{.points = pointsOf(m_folded.median), .color = m_sheet.palette().text, .width = 2});
        for (std::size_t column = 0; column < FoldedSteps::kColumns; ++column)
            m_sheet.spot({leftOf(column), m_plot.top, columnWidth(), m_plot.height()},
                fmt::format("{}% of the step, above its start\nmedian {}\nmiddle 80% of the steps: {} to {}",
                    column, formatBytesDelta(m_folded.median[column]),
                    formatBytesDelta(m_folded.lower[column]), formatBytesDelta(m_folded.upper[column])),
                -1);
    }

    void drawOutliers()
    {
        for (const FoldedSteps::Outlier& outlier : m_folded.outliers)
            m_sheet.add(
                FigureLine{.points = pointsOf(outlier.columns), .color = m_sheet.palette().quietText});
        for (const FoldedSteps::Outlier& outlier : m_folded.outliers)
            addSpots(outlier);
        for (const FoldedSteps::Outlier& outlier : m_folded.outliers)
            drawName(outlier);
    }

private:
    double columnWidth() const { return m_plot.width() / FoldedSteps::kColumns; }
    double leftOf(std::size_t column) const { return m_plot.x(static_cast<double>(column)); }
    double yOf(Bytes bytes) const { return m_plot.y(static_cast<double>(bytes)); }

    std::vector<FigurePoint> pointsOf(const std::vector<Bytes>& columns) const
    {
        std::vector<FigurePoint> points;
        for (std::size_t column = 0; column < columns.size(); ++column)
            points.push_back({m_plot.x(static_cast<double>(column) + 0.5), yOf(columns[column])});
        return points;
    }

    std::string titleOf(const FoldedSteps::Outlier& outlier) const
    {
        return fmt::format("{}: peak {}\nmedian of the peaks: {}", nameText(m_steps.steps[outlier.step].name),
            formatBytes(outlier.peakBytes), formatBytes(m_folded.medianPeak));
    }

    /// Makes the line react to the pointer, column by column.
    void addSpots(const FoldedSteps::Outlier& outlier)
    {
        for (std::size_t column = 0; column < outlier.columns.size(); ++column) {
            const double y = yOf(outlier.columns[column]);
            const double before = yOf(outlier.columns[column > 0 ? column - 1 : 0]);
            const double top = std::min(y, before) - kReachOfLine;
            m_sheet.spot({leftOf(column), top, columnWidth(), std::max(y, before) + kReachOfLine - top},
                titleOf(outlier), static_cast<int>(outlier.step));
        }
    }

    /// Writes the step's name at its peak, or below other names that are there. A name without room is left
    /// out.
    void drawName(const FoldedSteps::Outlier& outlier)
    {
        const std::string name = nameText(m_steps.steps[outlier.step].name);
        const double width = textWidth(name, FigureSheet::kFont) + 6;
        const auto peak = std::ranges::max_element(outlier.columns);
        FigureArea area{leftOf(static_cast<std::size_t>(peak - outlier.columns.begin())) + 4,
            std::max(m_plot.top, yOf(*peak) - kNameHeight - 1), width, kNameHeight};
        area.x = std::min(area.x, m_plot.right - width);
        const auto overlaps = [&](const FigureArea& other) {
            return area.x < other.x + other.width && other.x < area.x + area.width
                && area.y < other.y + other.height && other.y < area.y + area.height;
        };
        while (std::ranges::any_of(m_names, overlaps))
            area.y += 1;
        if (area.y + area.height > m_plot.bottom || area.x < m_plot.left)
            return;
        m_names.push_back(area);
        m_sheet.rect(area, m_sheet.palette().background, titleOf(outlier), static_cast<int>(outlier.step));
        m_sheet.text(area.x + 3, area.y + kNameHeight - 4, name);
    }

    FigureSheet& m_sheet;
    const PlotFrame& m_plot;
    const FoldedSteps& m_folded;
    const StepTable& m_steps;
    std::vector<FigureArea> m_names;
};

} // namespace

Figure foldedStepsFigure(const FoldedSteps& folded, const DeviceStudy& study, const FigureOptions& options)
{
    FigureSheet sheet(options,
        fmt::format("{} · {} · all steps folded on one", options.source, study.about().words()),
        fmt::format("Median of {} steps: peak {} {}", formatCount(static_cast<std::int64_t>(folded.steps)),
            formatBytes(folded.medianPeak), inWords(study.allocations.quantity())));
    const std::vector<LegendEntry> key{{.label = fmt::format("median of {} complete steps",
                                            formatCount(static_cast<std::int64_t>(folded.steps))),
                                           .color = sheet.palette().text,
                                           .isLine = true},
        {.label = "middle 80% of the steps", .color = sheet.palette().reserved, .isOutline = true}};
    PlotFrame plot = sheet.plot(options.labelRoom(), options.axisRoom(), key);
    plot.top += 8;
    plot.xEnd = static_cast<double>(FoldedSteps::kColumns);
    Bytes highest = std::max(*std::ranges::max_element(folded.upper), Bytes{1});
    Bytes lowest = std::min(*std::ranges::min_element(folded.lower), Bytes{0});
    for (const FoldedSteps::Outlier& outlier : folded.outliers) {
        highest = std::max(highest, *std::ranges::max_element(outlier.columns));
        lowest = std::min(lowest, *std::ranges::min_element(outlier.columns));
    }
    plot.fitRange(lowest, highest);
    const std::string quantity = fmt::format("{} bytes", inWords(study.allocations.quantity()));
    const std::string axis = quantity + " above the step's start";
    sheet.byteAxis(plot, textWidth(axis, FigureSheet::kFont) <= plot.height() ? axis : "above the start");
    FoldDrawing drawing(sheet, plot, folded, study.steps);
    drawing.drawEnvelope();
    drawing.drawMedian();
    drawing.drawOutliers();
    constexpr double roomForQuarters = 220;
    const Ticks ticks = plot.width() < roomForQuarters
        ? Ticks{{0, 50, 100}, {"0%", "50%", "100%"}}
        : Ticks{{0, 25, 50, 75, 100}, {"0%", "25%", "50%", "75%", "100%"}};
    const std::string caption = "position within the step";
    sheet.countAxis(
        plot, ticks, textWidth(caption, FigureSheet::kFont) <= plot.width() ? caption : "position");
    sheet.legend(key);
    return sheet.take();
}

} // namespace highwater
