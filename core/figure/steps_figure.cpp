#include "core/figure/steps_figure.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/analysis/composition/step_figures.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/note_flag_shapes.h"
#include "core/figure/layout/step_bars.h"

namespace highwater {

namespace {

constexpr double kAxisRoom = 44;
constexpr double kLabelRoom = 92;
constexpr double kNarrowestBar = 4;

/// The bar with the largest peak, the first of equals.
std::size_t highestBar(const std::vector<Step>& steps, const std::vector<StepBar>& bars)
{
    std::size_t highest = 0;
    for (std::size_t bar = 1; bar < bars.size(); ++bar)
        if (steps[bars[bar].shown].peakBytes > steps[bars[highest].shown].peakBytes)
            highest = bar;
    return highest;
}

std::string subtitleOf(const DeviceStudy& study, const std::vector<StepBar>& bars, const Step& highest)
{
    std::string text = fmt::format("Highest: {}, {} {}", sanitizedText(highest.name),
        formatBytes(highest.peakBytes), inWords(study.allocations.quantity()));
    if (highest.peakPhase != Phase::Unknown)
        text += fmt::format(" in {}", toText(highest.peakPhase));
    text += "; below: what it holds at its peak";
    if (const std::size_t share = bars.front().last - bars.front().first; share > 1)
        text += fmt::format(". Each bar stands for {} steps and shows the highest of them", share);
    if (study.steps.source == StepSource::Whole)
        return text + ". Nothing tells steps apart: the whole trace is one.";
    return text + fmt::format(". Steps {} (grade {}).", study.steps.reason, toText(study.steps.grade));
}

/// Categories from the bottom up: the largest over all shown steps first; those with nothing are left out.
std::vector<std::size_t> stackingOrder(const std::vector<CategoryBytes>& bytes)
{
    CategoryBytes sums{};
    for (const CategoryBytes& step : bytes)
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            sums[i] += step[i];
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (sums[i] > 0)
            order.push_back(i);
    std::stable_sort(
        order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
    return order;
}

class StepDrawing
{
public:
    StepDrawing(FigureSheet& sheet, const PlotFrame& plot, const std::vector<Step>& steps,
        const std::vector<StepBar>& bars)
        : m_sheet(sheet)
        , m_plot(plot)
        , m_steps(steps)
        , m_bars(bars)
    {
    }

    void bars(const std::vector<CategoryBytes>& bytes, const std::vector<std::size_t>& order)
    {
        const double wide = m_plot.width() / static_cast<double>(m_bars.size());
        const double gap = wide > 8 ? std::min(wide * 0.25, 24.0) : wide > 3 ? 1 : 0;
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar) {
            const std::size_t step = m_bars[bar].shown;
            double y = m_plot.bottom;
            for (const std::size_t category : order) {
                const Bytes part = bytes[step][category];
                const double height = static_cast<double>(part) / m_plot.yTop * m_plot.height();
                y -= height;
                if (part > 0)
                    m_sheet.add(FigureRect{.x = m_plot.x(static_cast<double>(bar)) + gap / 2,
                        .y = y,
                        .width = wide - gap,
                        .height = height,
                        .fill = categoryColor(static_cast<Category>(category)),
                        .title = fmt::format("{}: {} {}", sanitizedText(m_steps[step].name),
                            titleOf(static_cast<Category>(category)), formatBytes(part))});
            }
        }
    }

    void line(Bytes Step::*total, FigureColor color, std::vector<double> dash)
    {
        FigureLine line{.points = {}, .color = color, .width = 1.75, .dash = std::move(dash)};
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar)
            line.points.push_back({m_plot.x(static_cast<double>(bar) + 0.5),
                m_plot.y(static_cast<double>(m_steps[m_bars[bar].shown].*total))});
        if (line.points.size() == 1)
            line.points = {{m_plot.left, line.points[0].y}, {m_plot.right, line.points[0].y}};
        // A rim of the background keeps the line readable on every colour.
        FigureLine rim = line;
        rim.color = m_sheet.palette().background;
        rim.width = 4;
        rim.dash.clear();
        m_sheet.add(std::move(rim));
        m_sheet.add(std::move(line));
    }

    void axis()
    {
        Ticks ticks;
        const std::size_t perBar = m_bars.front().last - m_bars.front().first;
        const Ticks steps = countTicks(0, static_cast<std::int64_t>(m_steps.size()) - 1,
            std::max(1, std::min(static_cast<int>(m_plot.width() / 70), static_cast<int>(m_steps.size()))));
        for (std::size_t i = 0; i < steps.at.size(); ++i) {
            ticks.at.push_back((steps.at[i] + 0.5) / static_cast<double>(perBar));
            ticks.labels.push_back(steps.labels[i]);
        }
        m_sheet.countAxis(m_plot, ticks, "step");
    }

private:
    FigureSheet& m_sheet;
    const PlotFrame& m_plot;
    const std::vector<Step>& m_steps;
    const std::vector<StepBar>& m_bars;
};

Figure emptyFigure(const DeviceStudy& study, const FigureOptions& options)
{
    FigureSheet sheet(options, fmt::format("{} · {} · steps", options.source, study.about().label()),
        "There are no events on this device, so there are no steps.");
    return sheet.take();
}

} // namespace

Figure stepsFigure(const DeviceStudy& study, const FigureOptions& options, const std::vector<NoteFlag>& flags)
{
    const std::vector<Step>& steps = study.steps.steps;
    if (steps.empty())
        return emptyFigure(study, options);
    const double room = options.width - 2 * options.margin() - kLabelRoom;
    const std::vector<StepBar> bars
        = stepBars(steps, 0, steps.size(), static_cast<std::size_t>(std::max(room / kNarrowestBar, 1.0)));
    const std::size_t highest = highestBar(steps, bars);
    const Step& top = steps[bars[highest].shown];
    const std::vector<CategoryBytes> bytes = categoriesAtPeaks(study.allocations, study.categories, steps);
    const std::vector<std::size_t> order = stackingOrder(bytes);
    FigureSheet sheet(options,
        fmt::format("{} · {} · peak of each step", options.source, study.about().label()),
        subtitleOf(study, bars, top));
    std::vector<LegendEntry> legend;
    for (const std::size_t category : order)
        legend.push_back({std::string(titleOf(static_cast<Category>(category))),
            formatBytes(bytes[bars[highest].shown][category]), categoryColor(static_cast<Category>(category)),
            false, false});
    legend.push_back({"at the step's start", "", sheet.palette().quietText, true, true});
    legend.push_back({"at its end", "", sheet.palette().text, true, false});
    legend = sheet.fittingLegend(std::move(legend));
    PlotFrame plot;
    plot.left = sheet.margin() + kLabelRoom;
    plot.right = sheet.width() - sheet.margin();
    plot.xEnd = static_cast<double>(bars.size());
    const std::vector<FlagPlace> places = placeFlags(flagsAtBars(flags, bars), plot);
    plot.top = sheet.contentTop() + 8 + flagsHeight(places);
    plot.bottom = sheet.height() - sheet.margin() - sheet.legendHeight(legend) - kAxisRoom;
    plot.fitBytes(top.peakBytes, top.peakBytes);
    const std::string quantity = fmt::format("{} bytes", inWords(study.allocations.quantity()));
    const std::string axis = quantity + " at the step's peak";
    sheet.byteAxis(plot, textWidth(axis, FigureSheet::kFont) <= plot.height() ? axis : quantity);
    drawFlagBands(sheet, plot, places);
    StepDrawing drawing(sheet, plot, steps, bars);
    drawing.bars(bytes, order);
    drawing.line(&Step::startBytes, sheet.palette().quietText, {5, 3});
    drawing.line(&Step::endBytes, sheet.palette().text, {});
    drawing.axis();
    drawFlags(sheet, plot, places);
    sheet.label(plot.x(static_cast<double>(highest) + 0.5), plot.y(static_cast<double>(top.peakBytes)) + 2,
        formatBytes(top.peakBytes), sheet.palette().danger, plot);
    sheet.legend(legend, sheet.height() - sheet.margin() - sheet.legendHeight(legend) + 6);
    return sheet.take();
}

} // namespace highwater
