#include "core/figure/step_pairs_figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/note_flag_shapes.h"

namespace highwater {

namespace {

constexpr double kWidestLabel = 70;
constexpr double kNarrowestPair = 8;
constexpr double kWidestBar = 44;
constexpr double kLabelGap = 10;
/// Below this height there is no room for a label above the highest bar.
constexpr double kLowPlot = 80;

/// Returns null if there is no such step.
const Step* stepOf(const StepTable& table, std::optional<std::size_t> step)
{
    return step ? &table.steps[*step] : nullptr;
}

struct TwoSteps
{
    TwoSteps(const StepPairs& pairs, const StepPair& pair)
        : before(stepOf(pairs.before, pair.before))
        , after(stepOf(pairs.after, pair.after))
    {
    }
    const Step* before; ///< Null if there is no such step
    const Step* after;

    /// False for what is before the first or after the last step.
    bool isCounted() const { return (before && before->isCounted()) || (after && after->isCounted()); }
    Bytes peakBytes() const { return std::max(before ? before->peakBytes : 0, after ? after->peakBytes : 0); }
};

/// Returns where the number at the end of a name begins; the name's length if there is none.
std::size_t numberBegin(const std::string& name)
{
    return name.find_last_not_of("0123456789") + 1; // npos + 1 = 0 if the name is only a number
}

std::string numberOrName(const std::string& name)
{
    const std::size_t begin = numberBegin(name);
    return begin < name.size() ? name.substr(begin) : name;
}

bool differInNumberAlone(const std::string& a, const std::string& b)
{
    return numberBegin(a) < a.size() && numberBegin(b) < b.size()
        && a.substr(0, numberBegin(a)) == b.substr(0, numberBegin(b));
}

std::string nameOf(const Step& step)
{
    return nameText(step.name);
}

std::string peakText(const Step& step)
{
    const std::string rounded = formatBytes(step.peakBytes);
    const std::string exact = formatExactBytes(step.peakBytes);
    return rounded == exact ? rounded : fmt::format("{} ({})", rounded, exact);
}

std::string titleOfPair(const StepPairs& pairs, const StepPair& pair)
{
    const TwoSteps steps(pairs, pair);
    const auto peakLine = [](const char* run, const Step* step, bool isNamed) {
        return step
            ? fmt::format("\n{}{}: {}", run, isNamed ? ", " + nameOf(*step) : std::string(), peakText(*step))
            : fmt::format("\n{}: no such step", run);
    };
    const bool namesDiffer = steps.before && steps.after && steps.before->name != steps.after->name;
    std::string title = stepPairLabel(pairs, pair) + peakLine("before", steps.before, namesDiffer)
        + peakLine("after", steps.after, namesDiffer);
    if (steps.before && steps.after) {
        const Bytes delta = steps.after->peakBytes - steps.before->peakBytes;
        title += '\n' + formatBytesDelta(delta);
        if (delta != 0 && steps.before->peakBytes > 0)
            title
                += fmt::format(" ({})", formatRelativeDelta(steps.before->peakBytes, steps.after->peakBytes));
    }
    return title;
}

double widestPairLabel(const std::vector<std::string>& labels)
{
    double width = 0;
    for (const std::string& label : labels)
        width = std::max(width, textWidth(label, FigureSheet::kFont));
    return width;
}

/// Returns the first of 1, 2, 5, 10, 20… at which labels of this width do not touch.
std::size_t labelStride(double labelWidth, double slot)
{
    for (std::size_t decade = 1; decade < 1'000'000'000; decade *= 10)
        for (const std::size_t digit : {1u, 2u, 5u})
            if (static_cast<double>(decade * digit) * slot >= labelWidth + kLabelGap)
                return decade * digit;
    return 1'000'000'000;
}

/// The texts below the bars.
struct AxisWords
{
    std::vector<std::string> labels; ///< By bar
    std::size_t stride = 1; ///< One of every `stride` labels is shown
    std::string name; ///< Empty if the labels need no explanation

    double height() const { return name.empty() ? FigureSheet::kLabelRow : 2 * FigureSheet::kLabelRow; }
};

/// Returns the longest name that fits.
std::string pairAxisName(std::size_t shared, bool namesAreWhole, double width)
{
    if (shared < 2)
        return namesAreWhole ? "" : "step";
    const std::string count = formatCount(shared);
    std::string name = fmt::format("step; each pair of bars is the highest of {} pairs", count);
    if (textWidth(name, FigureSheet::kFont) > width)
        name = fmt::format("step; each bar is the highest of {}", count);
    return fittedText(name, FigureSheet::kFont, width);
}

/// Returns whole names if all fit, else only the numbers in them; if numbers do not fit either, only every
/// `stride`-th bar has a label.
AxisWords axisWords(const StepPairs& pairs, const std::vector<StepBar>& bars, double width)
{
    const auto labelsOf = [&](auto label) {
        std::vector<std::string> labels;
        for (const StepBar& bar : bars)
            labels.push_back(label(pairs, pairs.aligned.pairs[bar.shown]));
        return labels;
    };
    const double slot = width / static_cast<double>(bars.size());
    AxisWords words;
    words.labels = labelsOf(stepPairLabel);
    const bool namesAreWhole = widestPairLabel(words.labels) + kLabelGap <= slot;
    if (!namesAreWhole) {
        words.labels = labelsOf(shortStepPairLabel);
        for (std::string& label : words.labels)
            label = fittedText(label, FigureSheet::kFont, std::max(slot - kLabelGap, kWidestLabel));
    }
    words.stride = labelStride(widestPairLabel(words.labels), slot);
    words.name = pairAxisName(bars.front().last - bars.front().first, namesAreWhole, width);
    return words;
}

class PairDrawing
{
public:
    PairDrawing(
        FigureSheet& sheet, const PlotFrame& plot, const StepPairs& pairs, const std::vector<StepBar>& bars)
        : m_sheet(sheet)
        , m_plot(plot)
        , m_pairs(pairs)
        , m_bars(bars)
        , m_slot(plot.width() / static_cast<double>(bars.size()))
    {
    }

    void drawBars()
    {
        const double gap = m_slot > 16 ? 1 : 0;
        const double barWidth = std::min((m_slot * (m_slot > 16 ? 0.75 : 0.85) - gap) / 2, kWidestBar);
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar) {
            const TwoSteps steps(m_pairs, pairOf(bar));
            const double middle = m_plot.x(static_cast<double>(bar) + 0.5);
            const std::string title = barTitle(bar);
            if (steps.before)
                drawBar(bar, *steps.before, middle - gap / 2 - barWidth, barWidth,
                    m_sheet.palette().reservedEdge, title);
            if (steps.after)
                drawBar(bar, *steps.after, middle + gap / 2, barWidth, m_sheet.palette().quietText, title);
            m_sheet.spot({middle - m_slot / 2, m_plot.top, m_slot, m_plot.height() + FigureSheet::kLabelRow},
                title, idOf(bar));
        }
    }

    /// Writes the peaks above the bars if all have the room, else the highest one.
    void drawPeaks(std::size_t highest)
    {
        double widest = 0;
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar)
            for (const Step* step : stepsOf(bar))
                widest = std::max(widest, step ? peakWidth(*step) : 0);
        if (2 * widest + kLabelGap <= m_slot) {
            for (std::size_t bar = 0; bar < m_bars.size(); ++bar) {
                const auto [before, after] = stepsOf(bar);
                if (before)
                    drawPeak(bar, before->peakBytes, -peakWidth(*before) / 2);
                if (after)
                    drawPeak(bar, after->peakBytes, peakWidth(*after) / 2);
            }
            return;
        }
        drawPeak(highest, TwoSteps(m_pairs, pairOf(highest)).peakBytes(), 0);
    }

    void drawAxis(const AxisWords& words)
    {
        m_sheet.add(FigureLine{.points = {{m_plot.left, m_plot.bottom}, {m_plot.right, m_plot.bottom}},
            .color = m_sheet.palette().quietText});
        for (std::size_t bar = 0; bar < words.labels.size(); bar += words.stride) {
            const double x = m_plot.x(static_cast<double>(bar) + 0.5);
            if (x + textWidth(words.labels[bar], FigureSheet::kFont) / 2 <= m_sheet.width())
                m_sheet.quietText(x, m_plot.bottom + 16, words.labels[bar], TextAnchor::Middle);
        }
        if (!words.name.empty())
            m_sheet.quietText(
                (m_plot.left + m_plot.right) / 2, m_plot.bottom + 33, words.name, TextAnchor::Middle);
    }

private:
    const StepPair& pairOf(std::size_t bar) const { return m_pairs.aligned.pairs[m_bars[bar].shown]; }
    int idOf(std::size_t bar) const { return static_cast<int>(m_bars[bar].shown); }

    std::array<const Step*, 2> stepsOf(std::size_t bar) const
    {
        const TwoSteps steps(m_pairs, pairOf(bar));
        return {steps.before, steps.after};
    }

    /// Returns the width of a label with the step's peak.
    static double peakWidth(const Step& step)
    {
        return textWidth(formatBytes(step.peakBytes), FigureSheet::kFont, true) + 8;
    }

    void drawPeak(std::size_t bar, Bytes peak, double aside)
    {
        m_sheet.label(m_plot.x(static_cast<double>(bar) + 0.5) + aside,
            m_plot.y(static_cast<double>(peak)) + 2, formatBytes(peak), m_sheet.palette().text, m_plot);
    }

    std::string barTitle(std::size_t bar) const
    {
        std::string title = titleOfPair(m_pairs, pairOf(bar));
        if (const std::size_t count = m_bars[bar].last - m_bars[bar].first; count > 1)
            title += fmt::format("\nthe highest of {} pairs", formatCount(count));
        return title;
    }

    void drawBar(std::size_t bar, const Step& step, double x, double width, FigureColor color,
        const std::string& title)
    {
        const double y = m_plot.y(static_cast<double>(step.peakBytes));
        m_sheet.rect({x, y, width, m_plot.bottom - y}, color, title, idOf(bar));
    }

    FigureSheet& m_sheet;
    const PlotFrame& m_plot;
    const StepPairs& m_pairs;
    const std::vector<StepBar>& m_bars;
    double m_slot;
};

Bytes highestPeak(const std::vector<Step>& steps)
{
    Bytes highest = 0;
    for (const Step& step : steps)
        highest = std::max(highest, step.peakBytes);
    return highest;
}

std::string pairsSubtitle(const StepPairs& pairs)
{
    std::size_t unmatchedPairs = 0;
    for (const StepPair& pair : pairs.aligned.pairs)
        unmatchedPairs += (pair.before && pair.after) || !TwoSteps(pairs, pair).isCounted() ? 0 : 1;
    const auto count = [](std::size_t number) { return formatCount(number); };
    std::string text = fmt::format("{} before, {} after. {}", counted(pairs.before.count(), "step", "steps"),
        count(pairs.after.count()), upperFirst(std::string(inWords(pairs.aligned.alignment))));
    if (unmatchedPairs > 0)
        text += fmt::format("; {} without a partner", count(unmatchedPairs));
    const PairText highest = formatPair(highestPeak(pairs.before.steps), highestPeak(pairs.after.steps));
    return fmt::format("{}. Highest peak {} before, {} after.", text, highest.before, highest.after);
}

/// Returns the bar with the largest peak, the first of equals.
std::size_t highestPair(const StepPairs& pairs, const std::vector<StepBar>& bars)
{
    const auto peak
        = [&](const StepBar& bar) { return TwoSteps(pairs, pairs.aligned.pairs[bar.shown]).peakBytes(); };
    return static_cast<std::size_t>(std::max_element(bars.begin(), bars.end(),
                                        [&](const StepBar& a, const StepBar& b) { return peak(a) < peak(b); })
        - bars.begin());
}

void drawPairs(FigureSheet& sheet, const StepPairs& pairs, const std::vector<StepBar>& bars,
    const std::vector<NoteFlag>& flags)
{
    const std::vector<LegendEntry> legend
        = sheet.keyOfRuns({{.label = "before", .color = sheet.palette().reservedEdge},
            {.label = "after", .color = sheet.palette().quietText}});
    const std::size_t highest = highestPair(pairs, bars);
    const Bytes peak = TwoSteps(pairs, pairs.aligned.pairs[bars[highest].shown]).peakBytes();
    PlotFrame plot;
    plot.left = sheet.margin() + sheet.labelRoom();
    plot.right = std::max(plot.left + 20, sheet.width() - sheet.margin());
    AxisWords words = axisWords(pairs, bars, plot.width());
    if (sheet.isShort())
        words.name.clear();
    plot.xEnd = static_cast<double>(bars.size());
    const std::vector<FlagPlace> places = placeFlags(flagsAtBars(flags, bars), plot);
    plot.top = sheet.contentTop() + flagsHeight(places);
    plot.bottom = std::max(
        plot.top + 20, sheet.height() - sheet.margin() - sheet.legendHeight(legend) - words.height() - 4);
    const bool isLow = plot.height() < kLowPlot;
    plot.fitBytes(peak, isLow ? 0 : peak, FigureSheet::kLabelRow);
    const std::string axis = fmt::format("{} bytes at the step's peak", inWords(pairs.quantity));
    const bool axisFits = textWidth(axis, FigureSheet::kFont) <= plot.height();
    sheet.byteAxis(plot, axisFits ? axis : fmt::format("{} bytes", inWords(pairs.quantity)));
    drawFlagBands(sheet, plot, places);
    PairDrawing drawing(sheet, plot, pairs, bars);
    drawing.drawBars();
    drawing.drawAxis(words);
    drawFlags(sheet, plot, places);
    if (!isLow)
        drawing.drawPeaks(highest);
    sheet.legend(legend);
}

} // namespace

std::string stepPairLabel(const StepPairs& pairs, const StepPair& pair)
{
    const TwoSteps steps(pairs, pair);
    if (!steps.before || !steps.after)
        return nameOf(steps.before ? *steps.before : *steps.after);
    const std::string before = nameOf(*steps.before);
    const std::string after = nameOf(*steps.after);
    if (before == after)
        return after;
    return differInNumberAlone(before, after) ? numberOrName(before) + " ↔ " + numberOrName(after)
                                              : before + " ↔ " + after;
}

std::string shortStepPairLabel(const StepPairs& pairs, const StepPair& pair)
{
    const TwoSteps steps(pairs, pair);
    const std::string before = steps.before ? numberOrName(nameOf(*steps.before)) : "";
    const std::string after = steps.after ? numberOrName(nameOf(*steps.after)) : "";
    if (before.empty() || after.empty() || before == after)
        return before.empty() ? after : before;
    return before + " ↔ " + after;
}

std::vector<StepBar> stepPairBars(const StepPairs& pairs, std::size_t most)
{
    std::vector<Bytes> peaks;
    for (const StepPair& pair : pairs.aligned.pairs)
        peaks.push_back(TwoSteps(pairs, pair).peakBytes());
    const Bytes highest = peaks.empty() ? 0 : *std::ranges::max_element(peaks);
    const auto isShown = [&](std::size_t i) {
        return peaks[i] == highest || TwoSteps(pairs, pairs.aligned.pairs[i]).isCounted();
    };
    std::size_t first = 0;
    std::size_t last = peaks.size();
    while (first < last && !isShown(first))
        ++first;
    while (last > first && !isShown(last - 1))
        --last;
    return barsOfPeaks(peaks, first, last, most);
}

Figure stepPairsFigure(
    const StepPairs& pairs, const FigureOptions& options, const std::vector<NoteFlag>& flags)
{
    FigureSheet sheet(options, fmt::format("{} · peak of each step", options.source), pairsSubtitle(pairs));
    const double room = options.width - 2 * options.margin() - options.labelRoom();
    const std::vector<StepBar> bars
        = stepPairBars(pairs, static_cast<std::size_t>(std::max(room / kNarrowestPair, 1.0)));
    if (bars.empty())
        sheet.quietText(sheet.margin(), sheet.contentTop() + 20, "No steps were detected.");
    else
        drawPairs(sheet, pairs, bars, flags);
    return sheet.take();
}

} // namespace highwater
