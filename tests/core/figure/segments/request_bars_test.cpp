#include "core/figure/segments/request_bars.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/device/device_figures.h"
#include "core/figure/segments/map_key.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct Failure
{
    explicit Failure(const std::string& name)
        : trace(loadFile(test::snapshotPath(name), {})->trace)
        , allocations(*trace, 0)
        , live(allocations)
        , history(*trace, allocations, live)
        , moment(allocatorMomentAt(history, initialEvent(deviceFigures(*trace, 0))))
    {
    }
    RequestBars bars(double width, double bytesPerPixel) const
    {
        return requestBars(*trace, moment, {.width = width, .bytesPerPixel = bytesPerPixel});
    }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    LiveIndex live;
    SegmentHistory history;
    AllocatorMoment moment;
};

std::vector<FigureRect> rectsOf(const RequestBars& bars)
{
    std::vector<FigureRect> rects;
    for (const FigureShape& shape : bars.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape))
            rects.push_back(*rect);
    return rects;
}

std::string textOf(const RequestBars& bars)
{
    std::string all;
    for (const FigureShape& shape : bars.shapes)
        if (const auto* text = std::get_if<FigureText>(&shape))
            all += text->text + "\n";
    return all;
}

} // namespace

TEST(RequestBars, ShowTheRequestAndTheHolesAtTheScaleOfTheMap)
{
    const Failure failure("oom-fragmentation");
    const std::vector<FigureRect> rects = rectsOf(failure.bars(1400, static_cast<double>(kMiB)));
    ASSERT_EQ(rects.size(), 2u + 20u); // the request, the device, all free blocks
    EXPECT_EQ(rects[0].width, 900);
    EXPECT_EQ(rects[1].width, 300);
    EXPECT_EQ(rects[2].width, 166);
    double holes = 0;
    for (std::size_t i = 2; i < rects.size(); ++i)
        holes += rects[i].width;
    EXPECT_EQ(holes, 2940);
}

TEST(RequestBars, SayWhatTheyAre)
{
    const std::string text = textOf(Failure("oom-fragmentation").bars(1400, static_cast<double>(kMiB)));
    EXPECT_TRUE(
        test::hasParts(text, {"900 MiB requested", "300 MiB free on the GPU", "166 MiB", "20 free blocks"}));
}

TEST(RequestBars, StayWithinTheWidthWhateverTheScale)
{
    const Failure failure("oom-fragmentation");
    for (const double scale : {1e3, 1e5, 1e6, 1e9}) {
        const RequestBars bars = failure.bars(600, scale);
        for (const FigureRect& rect : rectsOf(bars))
            EXPECT_LE(rect.x + rect.width, 600) << scale;
        EXPECT_LE(bars.requestEnd, 600) << scale;
    }
}

TEST(RequestBars, CountTheHolesThatDoNotFit)
{
    const std::string text = textOf(Failure("oom-fragmentation").bars(700, static_cast<double>(kMiB)));
    EXPECT_TRUE(test::hasParts(text, {"and ", " smaller free blocks"}));
}

TEST(RequestBars, GiveTheSizeOfABlockThatIsTooNarrowForIt)
{
    const Failure failure("oom-fragmentation");
    const RequestBars bars = requestBars(*failure.trace, failure.moment,
        {.width = 220, .bytesPerPixel = 4.0 * static_cast<double>(kMiB), .maxFreeBlockRows = 1});
    EXPECT_TRUE(test::hasParts(textOf(bars), {"166 MiB free, 19 smaller"})) << textOf(bars);
}

TEST(RequestBars, LabelsLieOnNoEdgeOfABar)
{
    const Failure failure("oom-fragmentation");
    for (double width = 300; width <= 1400; width += 20)
        for (const double scale : {1e6, 4e6, 7.5e6, 3e7}) {
            const RequestBars bars = failure.bars(width, scale);
            for (const FigureShape& shape : bars.shapes)
                if (const auto* text = std::get_if<FigureText>(&shape))
                    for (const FigureRect& rect : rectsOf(bars)) {
                        const double end = text->x + textWidth(text->text, text->size, text->bold);
                        const bool sameRow = text->y > rect.y && text->y < rect.y + rect.height;
                        const bool apart = end <= rect.x || text->x >= rect.x + rect.width;
                        const bool inside = text->x >= rect.x && end <= rect.x + rect.width;
                        EXPECT_TRUE(!sameRow || apart || inside)
                            << width << " " << scale << ": " << text->text;
                    }
        }
}

TEST(RequestBars, CountTheHolesInWordsThatAreNotCut)
{
    const Failure failure("oom-fragmentation");
    for (double width = 500; width <= 1400; width += 20)
        EXPECT_NE(
            textOf(failure.bars(width, static_cast<double>(kMiB))).find("free blocks"), std::string::npos)
            << width;
}

TEST(RequestBars, ShortenTheCountInANarrowRow)
{
    const Failure failure("oom-fragmentation");
    for (double width = 270; width <= 500; width += 10) {
        const RequestBars bars = requestBars(*failure.trace, failure.moment,
            {.width = width, .bytesPerPixel = static_cast<double>(kMiB), .maxFreeBlockRows = 1});
        EXPECT_TRUE(test::hasParts(textOf(bars), {"and ", " smaller"})) << textOf(bars);
        EXPECT_EQ(textOf(bars).find("…"), std::string::npos) << textOf(bars);
    }
}

TEST(RequestBars, WriteTheRequestReadablyOnItsBar)
{
    const Failure failure("oom-fragmentation");
    for (const bool isDark : {false, true})
        for (const bool isContrast : {false, true}) {
            const FigurePalette palette = FigurePalette::of({.dark = isDark, .contrast = isContrast});
            const RequestBars bars = requestBars(*failure.trace, failure.moment, {.palette = palette});
            const auto label = std::ranges::find_if(bars.shapes,
                [](const FigureShape& shape) { return std::holds_alternative<FigureText>(shape); });
            ASSERT_NE(label, bars.shapes.end());
            EXPECT_GE(contrast(std::get<FigureText>(*label).color, palette.dangerFill), kStrongContrast);
        }
}

TEST(MapKey, SaysWhatBlocksAreAndHowLongTheyAre)
{
    const Failure failure("oom-fragmentation");
    RequestBars bars;
    addMapKey(bars, failure.moment.state, {.width = 500, .bytesPerPixel = static_cast<double>(kMiB)}, false);
    EXPECT_TRUE(test::hasParts(textOf(bars), {"in use", "free", "100 MiB"})) << textOf(bars);
    EXPECT_EQ(bars.height, mapKeyHeight(RequestBarsLook().font));
    for (const FigureShape& shape : bars.shapes) {
        const auto* text = std::get_if<FigureText>(&shape);
        EXPECT_TRUE(!text || text->x + textWidth(text->text, text->size) <= 500);
    }
}

TEST(MapKey, NamesTheHatchingOnlyWhereBlocksAreKept)
{
    const Failure failure("oom-fragmentation");
    const RequestBarsLook look{.width = 500, .bytesPerPixel = static_cast<double>(kMiB)};
    for (const bool hasKept : {false, true}) {
        RequestBars bars;
        addMapKey(bars, failure.moment.state, look, hasKept);
        EXPECT_EQ(test::hasParts(textOf(bars), {"kept"}), hasKept) << textOf(bars);
    }
}

TEST(RequestBars, AreNoneWhereNothingFailed)
{
    const Failure failure("tiny-hand-checked");
    EXPECT_EQ(failure.bars(1000, 1000).height, 0);
    EXPECT_TRUE(failure.bars(1000, 1000).shapes.empty());
}

} // namespace highwater
