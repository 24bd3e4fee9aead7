#include "core/figure/steps_figure.h"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/figure/band_areas.h"
#include "core/figure/drawing/band_colors.h"
#include "core/figure/drawing/note_flag_shapes.h"
#include "core/figure/step_axis.h"
#include "core/figure/step_categories.h"

namespace highwater {

namespace {

/// Below this height the plot needs the room of the legend.
constexpr double kLowestWithLegend = 320;
constexpr double kNarrowestBar = 4;

using Bars = std::vector<StepBar>;

/// Returns the bar with the largest peak, the first of equals.
std::size_t highestBar(const std::vector<Step>& steps, const Bars& bars)
{
    const auto highest
        = std::ranges::max_element(bars, {}, [&](const StepBar& bar) { return steps[bar.shown].peakBytes; });
    return static_cast<std::size_t>(highest - bars.begin());
}

std::string stepsSubtitle(const DeviceStudy& study, const Bars& bars, const Step& highest)
{
    std::string text = fmt::format("Highest: {}, {} {}", nameText(highest.name),
        formatBytes(highest.peakBytes), inWords(study.allocations.quantity()));
    if (highest.peakPhase != Phase::Unknown)
        text += fmt::format(" in {}", toText(highest.peakPhase));
    text += "; below: its peak by category";
    if (const std::size_t stepsPerBar = bars.front().last - bars.front().first; stepsPerBar > 1)
        text += fmt::format(". Each bar shows the highest of {} steps, pale above the lowest", stepsPerBar);
    if (study.steps.source == StepSource::Whole)
        return text + ". No steps were detected; the whole trace is one.";
    return text + fmt::format(". Steps are taken {}.", study.steps.reasonText());
}

class StepDrawing
{
public:
    StepDrawing(FigureSheet& sheet, const PlotFrame& plot, const std::vector<Step>& steps,
        const StepPeaks& atPeaks, const std::vector<StepPart>& parts, const GuessedCategories& guessed,
        const Bars& bars)
        : m_sheet(sheet)
        , m_plot(plot)
        , m_steps(steps)
        , m_atPeaks(atPeaks)
        , m_parts(parts)
        , m_guessed(guessed)
        , m_bars(bars)
        , m_slot(plot.width() / static_cast<double>(bars.size()))
    {
    }

    void drawBars()
    {
        const double gap = gapBetweenBars();
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar) {
            const std::size_t step = m_bars[bar].shown;
            Bytes below = 0;
            for (const StepPart& part : m_parts) {
                const Bytes bytes = bytesOfPart(m_atPeaks, step, part);
                const double left = m_plot.x(static_cast<double>(bar)) + gap / 2;
                const FigureArea area = areaOf(left, m_slot - gap, below, bytes);
                below += bytes;
                if (area.height <= 0)
                    continue;
                const std::string title = fmt::format("{}: {} {}", nameText(m_steps[step].name),
                    categoryTitle(part.category), textOf(step, part.category));
                if (part.isKept)
                    addKept(area, part.category, title);
                else
                    m_sheet.rect(area, categoryColor(m_guessed, part.category).light, title);
            }
        }
        if (m_plot.yBottom > 0) // breaks the bars, which do not begin at 0
            m_sheet.add(
                FigureLine{.points = {{m_plot.left, m_plot.bottom - 6}, {m_plot.right, m_plot.bottom - 6}},
                    .color = m_sheet.palette().background,
                    .width = 3});
    }

    /// Pales each bar above the lowest peak of its steps, and draws a line through the medians.
    void drawSpread()
    {
        constexpr double paleness = 0.5;
        const double gap = gapBetweenBars();
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar) {
            const Bytes lowest = peakSpread(m_steps, m_bars[bar]).lowest;
            const FigureArea area = areaOf(m_plot.x(static_cast<double>(bar)) + gap / 2, m_slot - gap, lowest,
                m_steps[m_bars[bar].shown].peakBytes - lowest);
            if (area.height > 0)
                m_sheet.add(FigureRect{.x = area.x,
                    .y = area.y,
                    .width = area.width,
                    .height = area.height,
                    .fill = m_sheet.palette().background,
                    .opacity = paleness});
        }
        drawLine([&](const StepBar& bar) { return peakSpread(m_steps, bar).median; }, LineKind::StepStart);
    }

    void drawLine(Bytes Step::*total, LineKind kind)
    {
        drawLine([&](const StepBar& bar) { return m_steps[bar.shown].*total; }, kind);
    }

    template <typename BytesOfBar>
    void drawLine(const BytesOfBar& bytesOfBar,
        LineKind kind) requires std::invocable<const BytesOfBar&, const StepBar&>
    {
        FigureLine line = styledLine(kind, {});
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar)
            if (m_steps[m_bars[bar].shown].isCounted())
                line.points.push_back({middleOf(bar), yOf(bytesOfBar(m_bars[bar]))});
        if (line.points.empty())
            return;
        if (line.points.size() == 1)
            line.points = {{m_plot.left, line.points[0].y}, {m_plot.right, line.points[0].y}};
        // A rim of the background colour keeps the line readable on every colour.
        FigureLine rim = line;
        rim.color = m_sheet.palette().background;
        rim.width = 4;
        rim.dash.clear();
        m_sheet.add(std::move(rim));
        m_sheet.add(std::move(line));
    }

    void drawCapacity(const DeviceCapacity& capacity, std::size_t highest)
    {
        const double y = yOf(capacity.bytes);
        if (y < m_plot.top)
            return;
        m_sheet.add(styledLine(LineKind::Capacity, {{m_plot.left, y}, {m_plot.right, y}}));
        if (m_sheet.isShort())
            return;
        // The label is at either side of the highest bar, whose peak has its own label there.
        const double peakWidth
            = textWidth(formatBytes(m_steps[m_bars[highest].shown].peakBytes), FigureSheet::kFont, true);
        const double peakLeft = std::min(middleOf(highest) - peakWidth / 2, m_plot.right - peakWidth);
        const double leftRoom = peakLeft - m_plot.left;
        const double rightRoom = m_plot.right - std::max(peakLeft, m_plot.left) - peakWidth;
        const std::string shortText = std::string(limitName(capacity)) + " " + boundedText(capacity);
        for (const std::string& text : {lineLabel(capacity), shortText}) {
            const double width = textWidth(text, FigureSheet::kFont) + 16;
            if (width > std::max(leftRoom, rightRoom))
                continue;
            const bool atLeft = width <= leftRoom;
            m_capacityLabel = {y - 4 - FigureSheet::kFont, y - 2, atLeft ? m_plot.left : m_plot.right - width,
                atLeft ? m_plot.left + width : m_plot.right};
            m_sheet.quietText(atLeft ? m_plot.left + 4 : m_plot.right - 4, y - 4, text,
                atLeft ? TextAnchor::Start : TextAnchor::End);
            return;
        }
    }

    /// Labels the peak of the highest bar, and each other peak whose label is no wider than its bar and does
    /// not cover that of the capacity. A short figure has no labels.
    void drawLabels(std::size_t highest)
    {
        if (m_sheet.isShort()) // there is no room above the bars
            return;
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar) {
            const Bytes peak = m_steps[m_bars[bar].shown].peakBytes;
            const std::string text = formatBytes(peak);
            if (bar != highest && textWidth(text, FigureSheet::kFont) + 6 <= m_slot
                && !m_capacityLabel.overlaps(
                    middleOf(bar), yOf(peak) - 5, textWidth(text, FigureSheet::kFont)))
                m_sheet.quietText(middleOf(bar), yOf(peak) - 5, text, TextAnchor::Middle);
        }
        const Bytes peak = m_steps[m_bars[highest].shown].peakBytes;
        m_sheet.label(middleOf(highest), yOf(peak) + 2, formatBytes(peak), m_sheet.palette().text, m_plot);
    }

    /// Makes each whole column react to the pointer, however low its bar.
    void addSpots(const std::vector<NoteFlag>& flags)
    {
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar)
            m_sheet.spot({m_plot.x(static_cast<double>(bar)), m_plot.top, m_slot, m_plot.height()},
                titleOfBar(m_bars[bar], flags), static_cast<int>(m_bars[bar].shown));
    }

    void drawAxis()
    {
        const int wanted = static_cast<int>(std::max(m_plot.width() / 70, 1.0));
        m_sheet.countAxis(m_plot, stepTicks(m_steps, m_bars, wanted), "step");
    }

private:
    /// The area of the capacity's label.
    struct LabelArea
    {
        double top = 0;
        double bottom = 0;
        double left = 0;
        double right = 0;

        bool overlaps(double middle, double baseline, double width) const
        {
            return baseline > top && baseline - FigureSheet::kFont < bottom && middle + width / 2 > left
                && middle - width / 2 < right;
        }
    };

    /// Returns "inputs (guess)" if the category is a guess.
    std::string categoryTitle(Category category) const
    {
        return titleOf(category, m_guessed[static_cast<std::size_t>(category)]);
    }

    /// Returns the bytes of a category at the peak of a step, "4.17 GiB (3.94 GiB kept)".
    std::string textOf(std::size_t step, Category category) const
    {
        return bytesWithKept(
            bytesOfCategory(m_atPeaks.live[step], category), bytesOfCategory(m_atPeaks.kept[step], category));
    }

    void addKept(const FigureArea& area, Category category, const std::string& title)
    {
        const double right = area.x + area.width;
        const double bottom = area.y + area.height;
        m_sheet.add(
            FigurePolygon{.points = {{area.x, area.y}, {right, area.y}, {right, bottom}, {area.x, bottom}},
                .fill = keptCategoryColor(m_guessed, category),
                .title = title,
                .hatched = true});
    }

    /// Returns the part of a bar that is in view, for `bytes` on top of `below`.
    FigureArea areaOf(double left, double width, Bytes below, Bytes bytes) const
    {
        const double bottom = std::min(yOf(below), m_plot.bottom);
        const double top = std::min(yOf(below + bytes), m_plot.bottom);
        return {left, top, width, bottom - top};
    }
    double gapBetweenBars() const { return m_slot > 8 ? std::min(m_slot * 0.25, 24.0) : m_slot > 3 ? 1 : 0; }
    double middleOf(std::size_t bar) const { return m_plot.x(static_cast<double>(bar) + 0.5); }
    double yOf(Bytes bytes) const { return m_plot.y(static_cast<double>(bytes)); }

    std::string titleOfBar(const StepBar& bar, const std::vector<NoteFlag>& flags) const
    {
        const Step& step = m_steps[bar.shown];
        std::string title;
        if (const std::size_t count = bar.last - bar.first; count > 1)
            title = fmt::format("The highest of {} steps:\n", formatCount(count));
        title += fmt::format("{}: peak {}", nameText(step.name), formatBytes(step.peakBytes));
        if (step.peakPhase != Phase::Unknown)
            title += fmt::format(" in {}", toText(step.peakPhase));
        for (const StepPart& part : m_parts)
            if (!part.isKept && bytesOfCategory(m_atPeaks.live[bar.shown], part.category) > 0)
                title += fmt::format(
                    "\n    {}  {}", textOf(bar.shown, part.category), categoryTitle(part.category));
        title += fmt::format("\nfrom {} at its start to {} at its end", formatBytes(step.startBytes),
            formatBytes(step.endBytes));
        for (const NoteFlag& flag : flags)
            if (flag.last >= static_cast<double>(bar.first) && flag.first < static_cast<double>(bar.last))
                title += fmt::format("\nnote {}: {}", flag.number, sanitizedText(flag.title));
        return title;
    }

    FigureSheet& m_sheet;
    const PlotFrame& m_plot;
    const std::vector<Step>& m_steps;
    const StepPeaks& m_atPeaks;
    const std::vector<StepPart>& m_parts; ///< of a bar, from the bottom
    const GuessedCategories& m_guessed;
    const Bars& m_bars;
    double m_slot;
    LabelArea m_capacityLabel;
};

Figure emptyFigure(const DeviceStudy& study, const FigureOptions& options)
{
    FigureSheet sheet(options, fmt::format("{} · {} · steps", options.source, study.about().words()),
        "This device has no events, so there are no steps.");
    return sheet.take();
}

/// Returns the flags that touch the steps in view.
std::vector<NoteFlag> flagsIn(std::vector<NoteFlag> flags, const Bars& bars)
{
    std::erase_if(flags, [&](const NoteFlag& flag) {
        return flag.last < static_cast<double>(bars.front().first)
            || flag.first >= static_cast<double>(bars.back().last);
    });
    return flags;
}

} // namespace

std::vector<StepBar> barsInFigure(
    const DeviceStudy& study, const StepsInFigure& shown, const FigureOptions& options)
{
    const double room = options.width - 2 * options.margin() - options.labelRoom();
    return stepBars(study.steps.steps, shown.first, shown.last,
        static_cast<std::size_t>(std::max(room / kNarrowestBar, 1.0)));
}

Bytes beginOfDifferences(const std::vector<Step>& steps)
{
    Bytes lowest = std::numeric_limits<Bytes>::max();
    Bytes highest = 0;
    for (const Step& step : steps)
        if (step.isCountedAndComplete()) {
            lowest = std::min(lowest, step.peakBytes);
            highest = std::max(highest, step.peakBytes);
        }
    if (lowest >= highest)
        return 0;
    const Bytes begin = lowest - (highest - lowest) / 3;
    return begin > highest / 2 ? begin : 0;
}

Figure stepsFigure(const DeviceStudy& study, const StepPeaks& atPeaks, const StepsInFigure& shown,
    const FigureOptions& options, const std::vector<NoteFlag>& flags)
{
    const std::vector<Step>& steps = study.steps.steps;
    const Bars bars = barsInFigure(study, shown, options);
    if (bars.empty())
        return emptyFigure(study, options);
    const std::size_t highest = highestBar(steps, bars);
    const Step& highestStep = steps[bars[highest].shown];
    FigureSheet sheet(options,
        fmt::format("{} · {} · peak of each step", options.source, study.about().words()),
        stepsSubtitle(study, bars, highestStep));
    const bool isOfSeveralSteps = hasSharedBars(bars);
    const std::vector<StepPart> parts = stepParts(steps, atPeaks);
    std::vector<LegendEntry> legend;
    if (options.height >= kLowestWithLegend)
        legend = stepLegend(sheet, study.guessed, atPeaks, parts, bars[highest].shown);
    if (options.titled)
        std::ranges::copy(stepLineKey(sheet, isOfSeveralSteps), std::back_inserter(legend));
    legend = sheet.fittingLegend(std::move(legend));
    PlotFrame plot = sheet.plot(options.labelRoom(), options.axisRoom(), legend);
    plot.xEnd = static_cast<double>(bars.size());
    const std::vector<NoteFlag> inView = flagsIn(flags, bars);
    const std::vector<FlagPlace> places = placeFlags(flagsAtBars(inView, bars), plot);
    plot.top += 8 + flagsHeight(places);
    // The scale is the same for every part of the run, so that bars keep their heights while the view moves.
    const Bytes peak = std::max(study.curve.peak().bytes, Bytes{1});
    const Bytes capacityOrPeak
        = shown.capacity && isNear(*shown.capacity, peak) ? shown.capacity->bytes : peak;
    plot.fitBytes(std::max(peak, capacityOrPeak), sheet.isShort() ? 0 : std::max(peak, capacityOrPeak));
    if (const Bytes begin = shown.showsDifferences ? beginOfDifferences(steps) : 0; begin > 0)
        plot.fitRange(begin, peak);
    const std::string quantity = fmt::format("{} bytes", inWords(study.allocations.quantity()));
    const std::string axis = quantity + " at the step's peak";
    sheet.byteAxis(plot, textWidth(axis, FigureSheet::kFont) <= plot.height() ? axis : quantity);
    drawFlagBands(sheet, plot, places);
    StepDrawing drawing(sheet, plot, steps, atPeaks, parts, study.guessed, bars);
    drawing.drawBars();
    if (isOfSeveralSteps)
        drawing.drawSpread();
    else if (plot.yBottom == 0)
        drawing.drawLine(&Step::startBytes, LineKind::StepStart);
    if (plot.yBottom == 0)
        drawing.drawLine(&Step::endBytes, LineKind::StepEnd);
    if (shown.capacity)
        drawing.drawCapacity(*shown.capacity, highest);
    drawing.drawAxis();
    drawFlags(sheet, plot, places);
    drawing.drawLabels(highest);
    drawing.addSpots(inView);
    sheet.legend(legend);
    return sheet.take();
}

Figure stepsFigure(const DeviceStudy& study, const FigureOptions& options, const std::vector<NoteFlag>& flags)
{
    const KeptBlocks keptBlocks(study.allocations, study.phases, study.steps, study.categories);
    return stepsFigure(study, stepPeaks(study.allocations, study.categories, keptBlocks, study.steps.steps),
        {}, options, flags);
}

} // namespace highwater
