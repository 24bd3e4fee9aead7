#include "core/figure/series_figure.h"

#include <algorithm>
#include <array>
#include <set>

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/svg_writer.h"
#include "core/figure/series_plot.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

std::string seriesSvg(const std::string& sample, const std::vector<NoteFlag>& flags = {}, int width = 800)
{
    const std::shared_ptr<const Trace> log = openTrace(test::samplePath(sample), {})->trace;
    return toSvg(seriesFigure({*log, memorySeriesOf(*log), "memory of the device"},
        {.width = width, .height = 400, .source = "run.err"}, flags));
}

} // namespace

TEST(MemorySeries, AreTheLevelsOfOneWriterBestFirst)
{
    const std::shared_ptr<const Trace> log
        = openTrace(test::samplePath("logs/r4-verl-before.err"), {})->trace;
    const std::vector<std::size_t> series = memorySeriesOf(*log);
    ASSERT_EQ(series.size(), 2u);
    EXPECT_EQ(log->counters[series[0]].name, "perf/max_memory_allocated_gb");
    EXPECT_EQ(log->counters[series[1]].name, "perf/max_memory_reserved_gb");
}

TEST(MemorySeries, AreNoneWhereTheLogTellsNone)
{
    const std::shared_ptr<const Trace> log = openTrace(test::samplePath("logs/r4-verl-slurm.err"), {})->trace;
    EXPECT_TRUE(memorySeriesOf(*log).empty());
}

TEST(FailureLabels, CountRanksThatFailedTogether)
{
    const std::shared_ptr<const Trace> log = openTrace(test::samplePath("logs/two-ranks-oom.log"), {})->trace;
    const std::vector<PlacedFailure> places
        = placedFailures(*log, [](const LogEvent&) { return std::optional(3.5); });
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(failureLabel(*log, places[0]), "2 ranks out of memory: 680 MiB requested by each");
}

TEST(SeriesColors, DifferForEightSeries)
{
    for (const std::size_t ofMeasures : {0u, 1u, 5u}) {
        Trace log;
        log.counters.resize(8);
        constexpr std::array<const char*, 5> measures{
            "allocated", "reserved_peak", "allocated_peak", "device_used", "reserved"};
        for (std::size_t i = 0; i < ofMeasures; ++i)
            log.counters[i].metric = measures[i];
        std::set<FigureColor> colors;
        for (const ThemedColor& color : seriesColors(log, {0, 1, 2, 3, 4, 5, 6, 7}))
            colors.insert(color.light);
        EXPECT_EQ(colors.size(), 8u) << ofMeasures;
    }
}

TEST(SeriesColors, AreGreyForReservedMemoryAndDarkForMemoryInUse)
{
    Trace log;
    log.counters.resize(3);
    log.counters[0].metric = "allocated_peak";
    log.counters[1].metric = "reserved_peak";
    log.counters[2].metric = "allocated";
    const std::vector<ThemedColor> colors = seriesColors(log, {0, 1, 2});
    EXPECT_EQ(colors[0].light, FigurePalette::light().text);
    EXPECT_EQ(colors[1].light, kThemedReservedLine.light);
    EXPECT_EQ(colors[2].light, themedSeriesColor(0).light);
}

TEST(SeriesFigure, MarksAFailureAfterTheLastStepLogged)
{
    LogEvent event;
    event.step = 5;
    EXPECT_EQ(stepPosition(event), 5);
    event.stepInferred = true; // "after step 4"
    EXPECT_EQ(stepPosition(event), 4.5);
}

TEST(SeriesFigure, EndsTheLabelOfAFailureBeforeItsLine)
{
    const std::shared_ptr<const Trace> log
        = openTrace(test::samplePath("logs/r4-verl-before.err"), {})->trace;
    const Figure figure = seriesFigure({*log, memorySeriesOf(*log), "memory"}, {.source = "run.err"});
    double failure = 0;
    double labelEnd = 0;
    for (const FigureShape& shape : figure.shapes) {
        const auto* line = std::get_if<FigureLine>(&shape);
        if (line && line->points.size() == 2 && line->points[0].x == line->points[1].x
            && line->color == FigurePalette::light().danger)
            failure = line->points[0].x;
        const auto* text = std::get_if<FigureText>(&shape);
        if (text && text->text.starts_with("out of memory"))
            labelEnd = text->x + textWidth(text->text, text->size, text->bold) / 2;
    }
    EXPECT_GT(labelEnd, 0);
    EXPECT_LT(labelEnd, failure);
}

TEST(SeriesFigure, ShowsWhereMemoryRanOutAndTheCapacity)
{
    const std::string svg = seriesSvg("logs/r4-verl-before.err");
    EXPECT_TRUE(contains(svg, ">out of memory: 17.66 GiB requested, 4.97 GiB free</text>"));
    EXPECT_TRUE(contains(svg, "capacity 79.18 GiB"));
    EXPECT_TRUE(contains(svg, ">step</text>"));
    EXPECT_TRUE(contains(svg, "largest 69.48 GiB at step 4"));
}

TEST(SeriesFigure, PutsFlagsAtTheLinesOfTheLog)
{
    EXPECT_FALSE(contains(seriesSvg("logs/r4-verl-before.err"), ">3</text>\n<text"))
        << "a step of that number";
    const std::string svg = seriesSvg("logs/r4-verl-before.err", {{33, 7, 7, NoteColor::Blue, "it dies"}});
    EXPECT_TRUE(contains(svg, ">33</text>"));
    EXPECT_TRUE(contains(svg, "33  it dies"));
}

TEST(SeriesFigure, PutsAFlagOnAMessageWhereTheMessageIsDrawn)
{
    const std::shared_ptr<const Trace> log
        = openTrace(test::samplePath("logs/r4-verl-before.err"), {})->trace;
    // Line 7 is the message, during step 5; line 6 is the point of step 4.
    const Figure figure = seriesFigure({*log, memorySeriesOf(*log), "memory"}, {.source = "run.err"},
        {{1, 7, 7, NoteColor::Red, "it dies"}, {2, 6, 6, NoteColor::Blue, "close"}});
    std::vector<double> hairLines;
    double failure = 0;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* line = std::get_if<FigureLine>(&shape); line && line->points.size() == 2) {
            if (line->color == noteColor(NoteColor::Red) || line->color == noteColor(NoteColor::Blue))
                hairLines.push_back(line->points[0].x);
            else if (line->points[0].x == line->points[1].x && line->color == FigurePalette::light().danger)
                failure = line->points[0].x;
        }
    ASSERT_EQ(hairLines.size(), 2u);
    EXPECT_EQ(std::ranges::max(hairLines), failure);
    EXPECT_LT(std::ranges::min(hairLines), failure);
}

TEST(SeriesFigure, FitsIntoANarrowPlace)
{
    const std::string svg = seriesSvg("logs/r4-verl-before.err", {}, 420);
    EXPECT_TRUE(contains(svg, "</svg>"));
    for (const char* wrong : {"nan", "inf\"", "height=\"-", "width=\"-"})
        EXPECT_FALSE(contains(svg, wrong));
}

} // namespace highwater
