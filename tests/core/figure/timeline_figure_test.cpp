#include "core/figure/timeline_figure.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/composition/band_stack.h"
#include "core/base/text_format.h"
#include "core/figure/band_areas.h"
#include "core/figure/drawing/band_colors.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/svg_writer.h"
#include "core/figure/steps_figure.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Returns a thousand small allocations, and a spike that lasts one event.
std::shared_ptr<const Trace> withSpike()
{
    std::string text = "stack s = model.py:1 forward\nstack t = model.py:2 spike\n";
    for (int n = 0; n < 1000; ++n)
        text += "alloc a" + std::to_string(n) + " 1KiB @s\n"
            + (n == 500 ? "alloc x 1GiB @t\nfree_once x\n" : std::string());
    return test::traceFromText(text + "end\n");
}

/// Returns the highest point of the areas, which has the smallest y.
double highestPoint(const Figure& figure)
{
    double highest = figure.height;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* area = std::get_if<FigurePolygon>(&shape); area && area->points.size() > 3)
            for (const FigurePoint& point : area->points)
                highest = std::min(highest, point.y);
    return highest;
}

const FigureOptions kReportSize{.width = 920, .height = 370, .source = "run", .titled = false};

std::shared_ptr<const Trace> leakingRun()
{
    return openTrace(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {})->trace;
}

/// Returns 600 steps whose peaks are 1 MiB and 2 MiB in turn.
std::shared_ptr<const Trace> manySteps()
{
    std::string text;
    for (int step = 0; step < 600; ++step) {
        const int time = 100 * step;
        text += "annotation ProfilerStep#" + std::to_string(step) + " " + std::to_string(time) + " "
            + std::to_string(time + 90) + "\nalloc b " + std::to_string(1 + step % 2)
            + "MiB t=" + std::to_string(time + 10) + "\nfree b t=" + std::to_string(time + 20) + "\n";
    }
    return test::traceFromText(text);
}

Figure figureOf(const Trace& trace, const FigureOptions& options)
{
    const DeviceStudy study(trace, 0);
    return timelineFigure(study, {0, study.curve.eventCount()}, options);
}

/// Returns true if a text of the figure is this text.
bool showsText(const Figure& figure, const std::string& text)
{
    return std::ranges::any_of(figure.shapes, [&](const FigureShape& shape) {
        const auto* found = std::get_if<FigureText>(&shape);
        return found && found->text == text;
    });
}

} // namespace

TEST(StackedGroups, AddUpToTheTotalInEveryColumn)
{
    const auto trace = withSpike();
    const DeviceStudy study(*trace, 0);
    const LiveIndex live(study.allocations);
    const EventScale scale(*trace, 0, AxisKind::Event);
    const auto columns = pixelColumns(study.curve, scale, 0, scale.end(), 37);
    for (const StackedBy by :
        {StackedBy::Category, StackedBy::Site, StackedBy::SizeClass, StackedBy::Stream}) {
        const StackedGroups groups = stackGroups(study, live, by, study.curve.peak().event);
        const auto totals = groupTotals(groups, live, columns);
        ASSERT_EQ(totals.size(), columns.size());
        for (std::size_t i = 0; i < columns.size(); ++i) {
            Bytes sum = 0;
            for (const Bytes bytes : totals[i])
                sum += bytes;
            EXPECT_EQ(sum, columns[i].bytes) << toText(by);
        }
        Bytes atPeak = 0;
        for (const StackedGroup& group : groups.groups)
            atPeak += group.bytes;
        EXPECT_EQ(atPeak, study.curve.peak().bytes) << toText(by);
    }
}

TEST(StackedGroups, TellWhatIsHeldFromEarlierStepsApart)
{
    const auto trace = openTrace(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {})->trace;
    const DeviceStudy study(*trace, 0);
    const LiveIndex live(study.allocations);
    const StackedGroups stacked = stackKeptApart(study, live, study.curve.peak().event);
    Bytes held = 0;
    Bytes all = 0;
    for (const StackedGroup& group : stacked.groups) {
        all += group.bytes;
        held += group.label.ends_with(", kept") ? group.bytes : 0;
    }
    EXPECT_EQ(all, study.curve.peak().bytes);
    EXPECT_EQ(formatBytes(held), "14.89 GiB");
}

TEST(StackedGroups, BySiteAreTheBandsOfTheWindow)
{
    const auto trace = leakingRun();
    const DeviceStudy study(*trace, 0);
    const LiveIndex live(study.allocations);
    const std::int64_t peak = study.curve.peak().event;
    const BandGroups sites = groupBands(*trace, live, study.sites, peak, BandMode::Site);
    const BandGroups window = stackBands(study, live, sites,
        std::make_shared<const KeptBlocks>(study.allocations, study.phases, study.steps, study.categories),
        peak, BandMode::Site);
    const std::vector<ThemedColor> colors = siteBandColors(study, live, sites, window);
    const StackedGroups report = stackSites(study, live, peak);
    std::size_t last = 0;
    for (std::size_t i = 0; i < window.groups.size(); ++i) {
        const BandGroup& band = window.groups[i];
        if (band.bytesAtPeak < 64 * kMiB)
            continue;
        const auto same = std::ranges::find_if(report.bands.groups, [&](const BandGroup& group) {
            return group.label == band.label && group.isKept == band.isKept
                && group.category == band.category;
        });
        ASSERT_NE(same, report.bands.groups.end()) << band.label;
        const auto place = static_cast<std::size_t>(same - report.bands.groups.begin());
        EXPECT_GE(place, last) << band.label;
        EXPECT_EQ(report.groups[place].bytes, band.bytesAtPeak) << band.label;
        EXPECT_EQ(report.groups[place].color, colors[i].light) << band.label;
        last = place;
    }
    EXPECT_GT(last, 0u);
}

TEST(TimelineFigure, HatchesMemoryKeptFromEarlierSteps)
{
    const std::string svg = toSvg(figureOf(*leakingRun(), kReportSize));
    EXPECT_NE(svg.find("<pattern id=\"hatch-"), std::string::npos);
    EXPECT_NE(svg.find("fill=\"url(#hatch-"), std::string::npos);
    const auto oneStep = test::traceFromText("stack s = model.py:1 forward\nalloc a 4MiB @s\nend\n");
    EXPECT_EQ(toSvg(figureOf(*oneStep, kReportSize)).find("<pattern"), std::string::npos);
}

TEST(TimelineFigure, LabelsTheLargestBands)
{
    const Figure figure = figureOf(*leakingRun(), {});
    for (const char* label :
        {"forward (model.py:39)", "5.91 GiB kept", "forward (model.py:64)", "3.94 GiB kept", "model.py:97"})
        EXPECT_TRUE(showsText(figure, label)) << label;
}

TEST(TimelineFigure, NamesReservedAndKeptMemoryInItsLegend)
{
    const Figure figure = figureOf(*leakingRun(), kReportSize);
    EXPECT_TRUE(showsText(figure, "kept from earlier steps"));
    EXPECT_TRUE(showsText(figure, "activations · 15.83 GiB (13.49 GiB kept)"));
    EXPECT_TRUE(showsText(figure, "reserved · up to 22.81 GiB"));
}

TEST(TimelineFigure, HasNoBytesTwiceInItsLegend)
{
    const auto trace = leakingRun();
    const DeviceStudy study(*trace, 0);
    const LiveIndex live(study.allocations);
    const std::int64_t peak = study.curve.peak().event;
    for (const StackedGroups& stacked : {stackSites(study, live, peak), stackKeptApart(study, live, peak)}) {
        Bytes sum = 0;
        for (const LegendEntry& entry : areaLegend(stacked, {std::vector<Bytes>(stacked.groups.size(), 0)}))
            sum += entry.value.empty() ? 0 : *entry.bytes;
        EXPECT_EQ(sum, study.curve.peak().bytes);
    }
}

/// A label over the peak gives the bytes of the legend and of the report's tables, which are of the peak.
TEST(TimelineFigure, LabelsBandsThatReachThePeakWithTheirBytesAtThePeak)
{
    for (const char* sample : {"r1-grpo-before", "r5-flan-t5-xl-before", "oom-fragmentation"}) {
        const auto trace
            = openTrace(test::samplePath(std::string("pytorch-snapshot/") + sample + ".pickle.zst"), {})
                  ->trace;
        const DeviceStudy study(*trace, 0);
        const LiveIndex live(study.allocations);
        const StackedGroups atPeak = stackSites(study, live, study.curve.peak().event);
        const Figure figure = figureOf(*trace, kReportSize);
        const auto largest = std::ranges::max_element(atPeak.groups, {}, &StackedGroup::bytes);
        const std::string& part
            = atPeak.bands.groups[static_cast<std::size_t>(largest - atPeak.groups.begin())].part;
        EXPECT_TRUE(showsText(figure, formatBytes(largest->bytes) + (part.empty() ? "" : " ") + part))
            << sample << ": " << largest->label << " " << formatBytes(largest->bytes);
    }
}

TEST(TimelineFigure, ExplainsItsHatchInTheLegendWithOrWithoutCategories)
{
    const auto trace = leakingRun();
    const DeviceStudy study(*trace, 0);
    const LiveIndex live(study.allocations);
    StackedGroups stacked = stackSites(study, live, study.curve.peak().event);
    for (const bool hasCategories : {true, false}) {
        stacked.hasCategoryColors = hasCategories;
        const std::vector<LegendEntry> entries
            = areaLegend(stacked, {std::vector<Bytes>(stacked.groups.size(), 1)});
        int hatched = 0;
        for (const LegendEntry& entry : entries)
            hatched += entry.hatched ? 1 : 0;
        EXPECT_EQ(hatched, 1) << hasCategories;
        EXPECT_EQ(entries.back().label, "kept from earlier steps") << hasCategories;
    }
}

TEST(TimelineFigure, GivesAtLeastHalfOfItsHeightToThePlot)
{
    for (const FigureOptions& options : {kReportSize, FigureOptions{}}) {
        double lowest = 0;
        double highest = options.height;
        for (const FigureShape& shape : figureOf(*leakingRun(), options).shapes)
            if (const auto* line = std::get_if<FigureLine>(&shape);
                line && line->color == FigurePalette::light().danger && line->width == 2)
                for (const FigurePoint& point : line->points) {
                    lowest = std::max(lowest, point.y);
                    highest = std::min(highest, point.y);
                }
        EXPECT_GE((lowest - highest) * 2, options.height);
    }
}

TEST(TimelineFigure, HasTheHeadlineAsItsTitle)
{
    FigureOptions options{.width = 920, .height = 460, .source = "run"};
    options.headline = "Memory leaks.";
    EXPECT_TRUE(showsText(figureOf(*withSpike(), options), "Memory leaks"));
}

TEST(TimelineFigure, KeepsASpikeHoweverNarrowItIs)
{
    const auto trace = withSpike();
    const DeviceStudy study(*trace, 0);
    const FigureOptions small{.width = 300, .height = 300, .dark = false, .source = "x"};
    const Figure whole = timelineFigure(study, {0, trace->eventCount(0)}, small, StackedBy::Site);
    const Figure spike = timelineFigure(study, {490, 510}, small, StackedBy::Site);
    EXPECT_NEAR(highestPoint(whole), highestPoint(spike), 1.0);
}

TEST(TimelineFigure, DrawsGroupsAndNotAllocations)
{
    const auto trace = withSpike();
    const Figure figure
        = timelineFigure(DeviceStudy(*trace, 0), {0, trace->eventCount(0)}, {}, StackedBy::Site);
    EXPECT_LT(figure.shapes.size(), 120u);
}

TEST(TimelineFigure, NamesThePeakAndTheRange)
{
    const auto trace = withSpike();
    const DeviceStudy study(*trace, 0);
    const std::string whole = toSvg(timelineFigure(study, {0, trace->eventCount(0)}, {}));
    EXPECT_NE(whole.find("Peak 1 GiB (requested) after event 501"), std::string::npos);
    const std::string part = toSvg(timelineFigure(study, {0, 100}, {}));
    EXPECT_NE(part.find("Highest in this range: 100 KiB"), std::string::npos);
}

TEST(StepsFigure, HatchesMemoryKeptFromEarlierSteps)
{
    const auto trace = leakingRun();
    const Figure figure = stepsFigure(DeviceStudy(*trace, 0), kReportSize);
    EXPECT_NE(toSvg(figure).find("fill=\"url(#hatch-"), std::string::npos);
    EXPECT_TRUE(showsText(figure, "kept from earlier steps"));
    EXPECT_TRUE(showsText(figure, "activations · 15.83 GiB (13.49 GiB kept)"));
    const auto oneStep = test::traceFromText("stack s = model.py:1 forward\nalloc a 4MiB @s\nend\n");
    EXPECT_EQ(toSvg(stepsFigure(DeviceStudy(*oneStep, 0), kReportSize)).find("<pattern"), std::string::npos);
}

TEST(StepsFigure, HasNoLabelOverItsBarsWhereItIsShort)
{
    const auto trace = leakingRun();
    const Figure figure = stepsFigure(DeviceStudy(*trace, 0), {.width = 260, .height = 110, .titled = false});
    EXPECT_FALSE(showsText(figure, "22.62 GiB"));
}

TEST(StepsFigure, IsThereForATraceWithoutEvents)
{
    const auto trace = test::traceFromText("final a 100\n");
    const std::string svg = toSvg(stepsFigure(DeviceStudy(*trace, 0), {}));
    EXPECT_NE(svg.find("no events"), std::string::npos);
}

TEST(TimelineFigure, ReachesAsHighAsItIsAskedTo)
{
    const auto trace = withSpike();
    const DeviceStudy study(*trace, 0);
    const EventRange range{0, study.curve.eventCount()};
    const FigureOptions options{.width = 900, .height = 450, .source = "a"};
    const double alone = highestPoint(timelineFigure(study, range, options));
    const double beside = highestPoint(
        timelineFigure(study, range, options, {}, {.flags = {}, .capacity = {}, .leastTop = 4 * kGiB}));
    EXPECT_GT(beside, alone + 50);
    EXPECT_EQ(timelineTop(study, range), study.curve.peak().bytes);
}

TEST(TimelineFigure, PaintsTheBandOfANotedRangeBehindTheData)
{
    const auto trace = withSpike();
    const DeviceStudy study(*trace, 0);
    const NoteFlag flag{.number = 1, .first = 2, .last = 60, .color = NoteColor::Blue, .title = "a range"};
    const Figure figure = timelineFigure(
        study, {0, study.curve.eventCount()}, {}, {}, {.flags = {flag}, .capacity = {}, .leastTop = 0});
    const auto isBand = [](const FigureShape& shape) {
        const auto* rect = std::get_if<FigureRect>(&shape);
        return rect && rect->fill == noteColor(NoteColor::Blue) && rect->opacity < 1;
    };
    const auto isArea = [](const FigureShape& shape) { return std::holds_alternative<FigurePolygon>(shape); };
    const auto band = std::ranges::find_if(figure.shapes, isBand);
    ASSERT_NE(band, figure.shapes.end());
    EXPECT_LT(band, std::ranges::find_if(figure.shapes, isArea));
}

TEST(TimelineFigure, PutsTheLabelOfAFailureAboveTheFlagOfANoteOnIt)
{
    const auto trace = leakingRun();
    const DeviceStudy study(*trace, 0);
    const auto event = static_cast<double>(study.figures.ooms.back().event);
    const NoteFlag flag{
        .number = 7, .first = event, .last = event, .color = NoteColor::Blue, .title = "here"};
    const Figure figure = timelineFigure(study, {0, study.curve.eventCount()}, kReportSize, {},
        {.flags = {flag}, .capacity = {}, .leastTop = 0});
    const auto baselineOf = [&figure](const std::string& start) {
        for (const FigureShape& shape : figure.shapes)
            if (const auto* text = std::get_if<FigureText>(&shape); text && text->text.starts_with(start))
                return text->y;
        return -1.0;
    };
    const double failure = baselineOf("out of memory, requested");
    const double number = baselineOf("7");
    EXPECT_GT(failure, 0);
    EXPECT_GT(number, failure + 12) << "the flag and the label of the failure share a row";
}

TEST(TimelineFigure, HasOneLabelForAFailureAtThePeak)
{
    EXPECT_TRUE(
        showsText(figureOf(*leakingRun(), kReportSize), "out of memory, requested 48 MiB · peak 22.62 GiB"));
    EXPECT_FALSE(showsText(figureOf(*leakingRun(), kReportSize), "peak 22.62 GiB"));
}

TEST(TimelineFigure, IsSmallerWithATolerance)
{
    const auto trace = withSpike();
    const DeviceStudy study(*trace, 0);
    const EventRange range{0, study.curve.eventCount()};
    FigureOptions options{.width = 900, .height = 450, .source = "a"};
    const Figure exact = timelineFigure(study, range, options);
    options.tolerance = 0.5;
    const Figure rough = timelineFigure(study, range, options);
    EXPECT_LT(toSvg(rough).size() * 2, toSvg(exact).size());
    EXPECT_NEAR(highestPoint(rough), highestPoint(exact), 0.5);
}

TEST(TimelineFigure, ShowsNarrowStepsInGroupsAndSaysSo)
{
    const std::shared_ptr<const Trace> trace = manySteps();
    const DeviceStudy study(*trace, 0);
    ASSERT_EQ(study.steps.steps.size(), 600u);
    const Figure wide = timelineFigure(study, {0, study.curve.eventCount()}, kReportSize);
    EXPECT_NE(wide.title.find("Peaks of every 10 steps"), std::string::npos) << wide.title;
    EXPECT_TRUE(showsText(wide, "median peak"));
    const Figure near = timelineFigure(study, {0, 60}, kReportSize);
    EXPECT_EQ(near.title.find("Peaks of every"), std::string::npos) << near.title;
}

TEST(TimelineFigure, PalesGroupsOfStepsAboveTheLowestPeak)
{
    const std::shared_ptr<const Trace> trace = manySteps();
    const DeviceStudy study(*trace, 0);
    const auto isPale = [](const FigureShape& shape) {
        const auto* rect = std::get_if<FigureRect>(&shape);
        return rect && rect->opacity == kPaleShare;
    };
    const Figure wide = timelineFigure(study, {0, study.curve.eventCount()}, kReportSize);
    EXPECT_TRUE(std::ranges::any_of(wide.shapes, isPale));
    const Figure near = timelineFigure(study, {0, 60}, kReportSize);
    EXPECT_TRUE(std::ranges::none_of(near.shapes, isPale));
}

} // namespace highwater
