#include "core/figure/segments/segment_captions.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/device/device_figures.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// The failure of a run in which one call site holds all segments.
struct HeldFailure
{
    HeldFailure()
        : trace(loadFile(test::snapshotPath("oom-fragmentation"), {})->trace)
        , allocations(*trace, 0)
        , sites(*trace, allocations)
        , live(allocations)
        , history(*trace, allocations, live)
        , moment(allocatorMomentAt(history, initialEvent(deviceFigures(*trace, 0))))
    {
    }
    /// Returns the captions of a map with a row for each segment and a pixel for each MiB.
    std::vector<FigureShape> captions(bool namesObstacles) const
    {
        const AddressMap map = addressMap(moment.state,
            {.width = 1400, .hasRowPerSegment = true, .bytesPerPixel = static_cast<double>(kMiB)});
        return segmentCaptions(sites, moment, map, {.namesObstacles = namesObstacles});
    }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    CallSites sites;
    LiveIndex live;
    SegmentHistory history;
    AllocatorMoment moment;
};

std::string captionText(const std::vector<FigureShape>& shapes)
{
    std::string all;
    for (const FigureShape& shape : shapes)
        if (const auto* text = std::get_if<FigureText>(&shape))
            all += text->text + "\n";
    return all;
}

} // namespace

TEST(SegmentCaptions, NameOnceWhatHoldsAllSegments)
{
    const HeldFailure failure;
    EXPECT_EQ(commonObstacle(failure.sites, failure.moment),
        "20 segments, each held by a block of collect (evaluate.py:41)");
}

TEST(SegmentCaptions, NameNoCommonObstacleWhereASegmentHasSeveralBlocks)
{
    HeldFailure failure;
    failure.moment.figures.held.back().liveBlockCount = 2;
    EXPECT_EQ(commonObstacle(failure.sites, failure.moment), "");
}

TEST(SegmentCaptions, HaveOnlySizesWhereTheObstacleIsNamedOnce)
{
    const HeldFailure failure;
    EXPECT_NE(captionText(failure.captions(true)).find("held by 1 block of collect"), std::string::npos);
    const std::string sizes = captionText(failure.captions(false));
    EXPECT_NE(sizes.find("402 MiB, 166 MiB free\n"), std::string::npos) << sizes;
    EXPECT_EQ(sizes.find("held"), std::string::npos) << sizes;
}

TEST(SegmentCaptions, LieOnABackgroundThatHidesTheLineOfTheRequest)
{
    const std::vector<FigureShape> shapes = HeldFailure().captions(true);
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (const auto* text = std::get_if<FigureText>(&shapes[i])) {
            ASSERT_GT(i, 0u);
            const auto* plate = std::get_if<FigureRect>(&shapes[i - 1]);
            ASSERT_TRUE(plate);
            EXPECT_LE(plate->x, text->x);
            EXPECT_GE(plate->x + plate->width, text->x + textWidth(text->text, text->size));
        }
}

} // namespace highwater
