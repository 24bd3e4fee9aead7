#include "importers/memory_timeline/memory_timeline_importer.h"

#include <gtest/gtest.h>

#include "core/analysis/categories/recorded_categories.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/stacks/call_site.h"
#include "core/trace/category_text.h"
#include "importers/native/native_writer.h"
#include "tests/support/import_bytes.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::importBytes;

namespace {

std::shared_ptr<const Trace> sample(const std::string& name)
{
    return openTrace(test::samplePath("memory-timeline/" + name), {})->trace;
}

std::shared_ptr<const Trace> rowsSample()
{
    return sample("tiny-rows.raw.json");
}

std::shared_ptr<const Trace> levelsSample()
{
    return sample("tiny-levels.json");
}

std::int64_t countOf(const Trace& trace, std::string_view code)
{
    const ImportLogEntry* entry = trace.log.find(code);
    return entry ? entry->count : 0;
}

/// Returns "alloc 512 GRADIENT, free 512 GRADIENT, …".
std::string eventsOf(const Trace& trace)
{
    std::string text;
    for (std::size_t row = 0; row < trace.events.rows(); ++row) {
        const MemoryEvent event = trace.events.row(row);
        text += (text.empty() ? "" : ", ") + std::string(trace.actionName(event.action)) + " "
            + std::to_string(event.size) + " " + std::string(trace.text(event.category));
    }
    return text;
}

DeviceFigures figuresOf(const std::string& text)
{
    const auto imported = importBytes(text);
    EXPECT_TRUE(imported);
    return deviceFigures(*imported->trace, 0);
}

} // namespace

TEST(MemoryTimeline, IsToldByItsFirstLists)
{
    EXPECT_TRUE(sniffMemoryTimeline("[[-1, 1, 512, 0], [5, 2, 512, 4]]"));
    EXPECT_TRUE(sniffMemoryTimeline("[[5, 2, 512, 4]]"));
    EXPECT_TRUE(sniffMemoryTimeline("[[5, 5, 6], [[0, 1, 2, 3, 4, 5, 6, 7, 8]]]"));
    EXPECT_TRUE(sniffMemoryTimeline("[[], []]"));
    EXPECT_TRUE(sniffMemoryTimeline("[]"));
    EXPECT_TRUE(sniffMemoryTimeline("[[1795185691936072, 17951856919"));
}

TEST(MemoryTimeline, IsNoOtherText)
{
    for (const char* text :
        {"", "[", "[[", "[1, 2, 3]", "[[5, 9, 512, 4]]", "[[5, 2, 512, 4, 3]]", "[[9, 8, 7]]",
            "[{\"ph\": \"X\"}]", "[[\"a\", 1]]", "[] and more", "[[5, 6, 7], [8, 9]]", "step 1 loss 2"})
        EXPECT_FALSE(sniffMemoryTimeline(text)) << text;
}

TEST(MemoryTimeline, OfRowsHasTheLevelsOfItsMoments)
{
    const DeviceFigures figures = deviceFigures(*rowsSample(), 0);
    EXPECT_EQ(figures.initialBytes, 11'240);
    EXPECT_EQ(figures.initialLiveCount, 4);
    EXPECT_EQ(figures.peakBytes, 44'008);
    EXPECT_EQ(figures.peakEvent, 5);
    EXPECT_EQ(figures.finalBytes, 13'288);
}

TEST(MemoryTimeline, OfRowsEndsBytesBeforeOthersBeginAtTheSameMoment)
{
    EXPECT_EQ(eventsOf(*rowsSample()),
        "alloc 4096 ACTIVATION, alloc 4096 ACTIVATION, alloc 8192 ACTIVATION, free 2048 Unknown, "
        "alloc 2048 INPUT, alloc 16384 AUTOGRAD_DETAIL, free 16384 AUTOGRAD_DETAIL, alloc 16384 GRADIENT, "
        "free 8192 ACTIVATION, free 4096 ACTIVATION, free 16384 GRADIENT, free 2048 INPUT");
}

TEST(MemoryTimeline, OfLevelsHasTheSameLevels)
{
    const DeviceFigures figures = deviceFigures(*levelsSample(), 0);
    EXPECT_EQ(figures.initialBytes, 11'240);
    EXPECT_EQ(figures.peakBytes, 44'008);
    EXPECT_EQ(figures.finalBytes, 13'288);
    EXPECT_NE(levelsSample()->log.find("layers-of-levels"), nullptr);
    EXPECT_EQ(levelsSample()->log.find("paired-by-size"), nullptr);
}

TEST(MemoryTimeline, CountsWhatItTookForSomething)
{
    const auto trace = rowsSample();
    EXPECT_EQ(countOf(*trace, "paired-by-size"), 1);
    EXPECT_EQ(countOf(*trace, "writes-in-place"), 1);
    EXPECT_EQ(countOf(*trace, "category-changes"), 1);
    EXPECT_EQ(countOf(*trace, "within-one-moment"), 1);
    EXPECT_EQ(countOf(*trace, "cut-from-latest"), 1);
    EXPECT_EQ(countOf(*trace, "row-unreadable"), 0);
}

TEST(MemoryTimeline, KeepsTimesInNanosecondsSince1970)
{
    EXPECT_EQ(rowsSample()->events.time[0], 1'790'857'026'000'001'000);
    EXPECT_EQ(levelsSample()->events.time[0], 1'790'857'026'000'001'000);
    EXPECT_EQ(rowsSample()->metadata.clock, Clock::Unix);
}

TEST(MemoryTimeline, OfMultiplesOf512IsTakenForAGpu)
{
    for (const auto& trace : {rowsSample(), levelsSample()}) {
        ASSERT_EQ(trace->devices.size(), 1u);
        EXPECT_EQ(trace->devices[0].label(), "cuda:0");
        EXPECT_EQ(trace->devices[0].quantity, Quantity::Allocated);
        EXPECT_NE(trace->log.find("device-not-recorded"), nullptr);
    }
}

TEST(MemoryTimeline, OfOtherSizesIsTakenForTheCpu)
{
    const auto trace = sample("tiny-host-rows.raw.json");
    EXPECT_EQ(trace->devices[0].label(), "cpu");
    EXPECT_EQ(trace->devices[0].quantity, Quantity::Requested);
    EXPECT_FALSE(trace->devices[0].hasFinalSegments);
}

TEST(MemoryTimeline, OfTensorsThatAreOnlyThereCountsTheirOwnBytes)
{
    const auto imported = importBytes("[[-1, 1, 512, 0], [-1, 1, 1024, 0]]");
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->devices[0].quantity, Quantity::Requested);
    EXPECT_EQ(deviceFigures(*imported->trace, 0).peakBytes, 1536);
}

TEST(MemoryTimeline, GivesEachAllocationTheProfilersCategory)
{
    const auto trace = rowsSample();
    const AllocationTable allocations(*trace, 0);
    EXPECT_EQ(trace->text(allocations.recordedCategory(0)), "PARAMETER");
    EXPECT_EQ(trace->text(allocations.recordedCategory(allocations.ofEvent(3))), "Unknown");
    EXPECT_EQ(trace->text(allocations.recordedCategory(allocations.ofEvent(5))), "AUTOGRAD_DETAIL");
}

TEST(MemoryTimeline, SaysWhyNothingHasAStack)
{
    const auto trace = rowsSample();
    const AllocationTable allocations(*trace, 0);
    const CallSites sites(*trace, allocations);
    ASSERT_GT(allocations.size(), 0u);
    for (AllocationIndex i = 0; i < allocations.size(); ++i)
        EXPECT_TRUE(test::hasParts(sites.site(sites.of(i)).label, {"(no stack: ", "categories"}));
}

TEST(MemoryTimeline, TakesTheFirstLevelForOlderOnlyWhereTwoTimesAreEqual)
{
    const std::string level = "[0, 0, 0, 0, 0, 512, 0, 0, 0]";
    EXPECT_EQ(figuresOf("[[7, 7], [" + level + ", " + level + "]]").initialBytes, 512);
    const DeviceFigures later = figuresOf("[[7, 8], [" + level + ", " + level + "]]");
    EXPECT_EQ(later.initialBytes, 0);
    EXPECT_EQ(later.peakBytes, 512);
    EXPECT_EQ(figuresOf("[[-1], [" + level + "]]").initialBytes, 512);
}

TEST(MemoryTimeline, WithoutTensorsOpensEmptyAndSaysSo)
{
    for (const char* text : {"[]", "[[], []]"}) {
        const auto imported = importBytes(text);
        ASSERT_TRUE(imported) << text;
        EXPECT_FALSE(imported->incomplete);
        EXPECT_TRUE(imported->trace->devices.empty());
        EXPECT_NE(imported->trace->log.find("no-tensors"), nullptr);
    }
}

TEST(MemoryTimeline, LeavesOutRowsOfAnotherLengthOrKindAndCountsThem)
{
    const auto imported
        = importBytes("[[1, 2, 512, 4], [2, 2, 512], [3, 2, 1.5, 4], [4, 7, 512, 4], [5, 2, 512, "
                      "8], [6, 2, 999999999999999999, 4], [[7], 2, 512, 4], null, [8, 2, 512, 4]]");
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->incomplete);
    EXPECT_EQ(imported->trace->eventCount(0), 2);
    const ImportLogEntry* entry = imported->trace->log.find("row-unreadable");
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->count, 7);
    EXPECT_EQ(entry->firstAt, Place::byte(17));
}

TEST(MemoryTimeline, LeavesOutLevelsThatAreNone)
{
    const auto imported
        = importBytes("[[1, 2, 3], [[0, 512, 0, 0, 0, 0, 0, 0, 0], [0, -1, 0, 0, 0, 0, 0, 0, 0], [0, "
                      "1024, 0, 0, 0, 0, 0, 0, 0]]]");
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->eventCount(0), 2);
    EXPECT_EQ(countOf(*imported->trace, "row-unreadable"), 1);
}

TEST(MemoryTimeline, SaysThatTimesAndLevelsAreNotAsMany)
{
    const auto imported = importBytes("[[1, 2], [[0, 512, 0, 0, 0, 0, 0, 0, 0]]]");
    ASSERT_TRUE(imported);
    EXPECT_EQ(countOf(*imported->trace, "lengths-differ"), 1);
    EXPECT_EQ(imported->trace->eventCount(0), 1);
}

TEST(MemoryTimeline, CutOffKeepsWholeRowsAndNamesTheByte)
{
    const std::string text = "[[1, 2, 512, 4], [2, 2, 1024, 4], [3, 4, -5";
    const auto imported = importBytes(text);
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->eventCount(0), 2);
    ASSERT_TRUE(imported->incomplete);
    EXPECT_EQ(imported->incomplete->code, ErrorCode::Truncated);
    EXPECT_EQ(imported->incomplete->place, Place::byte(text.size()));
}

TEST(MemoryTimeline, CutOffBetweenTwoVersionsOfATensorKeepsTheFirst)
{
    const auto imported = importBytes("[[1, 2, 512, 4], [2, 3, -512, 4], [2, 3,");
    ASSERT_TRUE(imported);
    EXPECT_EQ(deviceFigures(*imported->trace, 0).finalBytes, 512);
}

TEST(MemoryTimeline, CutOffBeforeTheFirstLevelHasNothing)
{
    const auto imported = importBytes("[[1, 2, 3, 4, 5], [[0, 5");
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::Truncated);
}

TEST(MemoryTimeline, ShowsATotalBelowZeroAsZeroAndSaysSo)
{
    const auto imported = importBytes("[[1, 4, -512, 4], [2, 2, 1024, 4]]");
    ASSERT_TRUE(imported);
    EXPECT_EQ(deviceFigures(*imported->trace, 0).peakBytes, 512);
    EXPECT_EQ(countOf(*imported->trace, "total-below-zero"), 1);
}

TEST(MemoryTimeline, AsAPictureIsRefusedWithWhatToDoInstead)
{
    const auto imported = openTrace(test::samplePath("broken/timeline-picture.html"), {});
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::UnknownFormat);
    EXPECT_NE(imported.error().message.find(".raw.json.gz"), std::string::npos);
}

TEST(MemoryTimeline, ReadsTheSameInPiecesOfAnySize)
{
    const std::string bytes = test::readWholeFile(test::samplePath("memory-timeline/tiny-rows.raw.json"));
    for (const std::size_t piece : {1u, 7u, 100u})
        EXPECT_EQ(eventsOf(*importBytes(bytes, piece)->trace), eventsOf(*rowsSample()));
}

TEST(MemoryTimeline, ObeysTheLimitOfMemory)
{
    ImportOptions options;
    options.maxMemoryBytes = 1000;
    for (const char* name : {"tiny-rows.raw.json", "tiny-levels.json"}) {
        const auto imported = openTrace(test::samplePath(std::string("memory-timeline/") + name), options);
        ASSERT_FALSE(imported) << name;
        EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded) << name;
    }
}

TEST(MemoryTimeline, KeepsCategoriesInTheOwnFile)
{
    const auto trace = rowsSample();
    std::string bytes;
    ASSERT_TRUE(writeNative(*trace, [&](std::string_view more) {
        bytes += more;
        return true;
    }));
    const auto reopened = importBytes(bytes);
    ASSERT_TRUE(reopened);
    EXPECT_EQ(eventsOf(*reopened->trace), eventsOf(*trace));
    EXPECT_TRUE(hasRecordedCategories(*reopened->trace));
    EXPECT_FALSE(reopened->trace->devices[0].addressesRecorded);
    const AllocationTable allocations(*reopened->trace, 0);
    EXPECT_EQ(reopened->trace->text(allocations.recordedCategory(2)), "OPTIMIZER_STATE");
}

} // namespace highwater
