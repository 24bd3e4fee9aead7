// Checks that every statement about a snapshot that ends early is true of the complete one.
#include <gtest/gtest.h>

#include <set>

#include "core/analysis/device/cut_off.h"
#include "core/analysis/usage/usage_curve.h"
#include "importers/native/native_writer.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

ImportedTrace imported(const std::string& bytes)
{
    Result<ImportedTrace> result = test::importBytes(bytes);
    if (!result)
        throw std::runtime_error(toText(result.error()));
    return std::move(*result);
}

/// Imports the text before the mark.
ImportedTrace cutAt(const std::string& text, std::string_view mark)
{
    const std::size_t markBegin = text.find(mark);
    if (markBegin == std::string::npos)
        throw std::runtime_error("no such place");
    return imported(text.substr(0, markBegin));
}

std::string event(const std::string& action, int address, Bytes size)
{
    return R"({"action": ")" + action + R"(", "addr": )" + std::to_string(address) + R"(, "size": )"
        + std::to_string(size) + R"(, "stream": 0})";
}

std::string segment(int device, int address, Bytes requested)
{
    return R"({"device": )" + std::to_string(device) + R"(, "address": )" + std::to_string(address)
        + R"(, "total_size": 2048, "stream": 0, "segment_type": "small", "blocks": [{"address": )"
        + std::to_string(address) + R"(, "size": 1024, "requested_size": )" + std::to_string(requested)
        + R"(, "state": "active_allocated"}, {"address": )" + std::to_string(address + 1024)
        + R"(, "size": 1024, "requested_size": 0, "state": "inactive"}]})";
}

/// True if a claim about a figure is correct.
bool holds(Certainty known, Bytes claimed, Bytes whole)
{
    return known == Certainty::NotAtAll
        || (known == Certainty::Exactly ? claimed == whole : claimed <= whole);
}

std::optional<DeviceIndex> sameDevice(const Trace& whole, const Device& device)
{
    for (DeviceIndex i = 0; i < whole.devices.size(); ++i)
        if (whole.devices[i].kind == device.kind && whole.devices[i].ordinal == device.ordinal)
            return i;
    return std::nullopt;
}

void expectTrueFigures(const Trace& cut, DeviceIndex cutDevice, const Trace& whole, DeviceIndex wholeDevice)
{
    const FigureCertainty known = figureCertainty(cut.devices[cutDevice]);
    const DeviceFigures claimed = deviceFigures(cut, cutDevice);
    const DeviceFigures figures = deviceFigures(whole, wholeDevice);
    EXPECT_TRUE(holds(known.initial, claimed.initialBytes, figures.initialBytes));
    EXPECT_TRUE(holds(known.initial, claimed.initialLiveCount, figures.initialLiveCount));
    EXPECT_TRUE(holds(known.peak, claimed.peakBytes, figures.peakBytes));
    EXPECT_TRUE(holds(known.final, claimed.finalBytes, figures.finalBytes));
    EXPECT_TRUE(holds(known.final, claimed.finalLiveCount, figures.finalLiveCount));
    EXPECT_TRUE(holds(known.final, claimed.finalAllocatedBytes, figures.finalAllocatedBytes));
    EXPECT_TRUE(holds(known.reservedInitial, claimed.reservedInitialBytes, figures.reservedInitialBytes));
    EXPECT_TRUE(holds(known.reservedPeak, claimed.reservedPeakBytes, figures.reservedPeakBytes));
    EXPECT_TRUE(holds(known.reservedFinal, claimed.reservedFinalBytes, figures.reservedFinalBytes));
    EXPECT_LE(peakLowerBound(cut.devices[cutDevice], claimed), figures.peakBytes);
    EXPECT_LE(claimed.eventCount, figures.eventCount);
    if (cut.devices[cutDevice].eventsRead == Extent::Whole) {
        EXPECT_EQ(claimed.eventCount, figures.eventCount);
    }
    if (cut.devices[cutDevice].segmentsRead == Extent::Whole) {
        EXPECT_EQ(claimed.blockCount, figures.blockCount);
    }
}

/// Expects totals to be too low by one amount at all events, and reserved bytes by another.
void expectTrueTotals(const Trace& cut, DeviceIndex cutDevice, const Trace& whole, DeviceIndex wholeDevice)
{
    const std::int64_t events = cut.eventCount(cutDevice);
    if (events == 0)
        return;
    const UsageCurve claimed(cut, AllocationTable(cut, cutDevice));
    const UsageCurve curve(whole, AllocationTable(whole, wholeDevice));
    std::set<Bytes> shortBy;
    std::set<Bytes> reservedShortBy;
    for (std::int64_t event = -1; event < events; ++event) {
        shortBy.insert(curve.at(event) - claimed.at(event));
        reservedShortBy.insert(*curve.reservedAt(event) - *claimed.reservedAt(event));
    }
    EXPECT_EQ(shortBy.size(), 1u);
    EXPECT_GE(*shortBy.begin(), 0);
    EXPECT_EQ(reservedShortBy.size(), 1u);
    EXPECT_GE(*reservedShortBy.begin(), 0);
    if (!totalsAreLowerBounds(cut.devices[cutDevice])) {
        EXPECT_EQ(*shortBy.begin(), 0);
    }
}

/// Returns the number of cuts that could be read.
int expectEveryClaimTrue(const std::string& bytes, const std::string& name)
{
    const std::shared_ptr<const Trace> whole = imported(bytes).trace;
    int read = 0;
    for (std::size_t percent = 5; percent < 100; percent += 5) {
        SCOPED_TRACE(name + " cut at " + std::to_string(percent) + " %");
        const Result<ImportedTrace> result = test::importBytes(bytes.substr(0, bytes.size() * percent / 100));
        if (!result)
            continue;
        ++read;
        EXPECT_TRUE(result->incomplete);
        const Trace& cut = *result->trace;
        EXPECT_TRUE(cut.metadata.cutOff);
        EXPECT_EQ(cut.log.find("live-not-in-segments"), nullptr);
        for (DeviceIndex cutDevice = 0; cutDevice < cut.devices.size(); ++cutDevice) {
            const std::optional<DeviceIndex> wholeDevice = sameDevice(*whole, cut.devices[cutDevice]);
            EXPECT_TRUE(wholeDevice);
            if (!wholeDevice)
                continue;
            expectTrueFigures(cut, cutDevice, *whole, *wholeDevice);
            expectTrueTotals(cut, cutDevice, *whole, *wholeDevice);
        }
    }
    return read;
}

const std::string kSegmentsFirst = R"({"segments": [)" + segment(0, 4096, 100) + ", " + segment(1, 65536, 70)
    + R"(], "device_traces": [[)" + event("free_completed", 8192, 40) + ", " + event("alloc", 12288, 60)
    + ", " + event("free_completed", 12288, 60) + ", " + event("alloc", 4096, 100) + "], ["
    + event("alloc", 65536, 70) + R"(]], "allocator_settings": {}, "external_annotations": []})";

const std::string kEventsFirst = R"({"device_traces": [[)" + event("alloc", 12288, 60) + ", "
    + event("free_completed", 12288, 60) + R"(]], "segments": [)" + segment(0, 4096, 100) + ", "
    + segment(0, 65536, 70) + R"(], "external_annotations": []})";

} // namespace

class CutSnapshot : public testing::TestWithParam<std::string>
{
};

TEST_P(CutSnapshot, ClaimsNothingThatDoesNotHoldForTheWholeFile)
{
    const std::string bytes = test::readDecompressed(test::samplePath(GetParam()));
    EXPECT_GT(expectEveryClaimTrue(bytes, GetParam()), 10);
}

INSTANTIATE_TEST_SUITE_P(Samples, CutSnapshot, testing::ValuesIn(test::sampleNames("pytorch-snapshot")),
    [](const auto& parameter) { return test::testNameOf(parameter.param); });
INSTANTIATE_TEST_SUITE_P(Encodings, CutSnapshot,
    testing::Values("encodings/tiny-protocol-0.pickle", "encodings/tiny-protocol-1.pickle",
        "encodings/tiny-protocol-2.pickle", "encodings/tiny-protocol-4.pickle",
        "encodings/tiny-cpp-writer.pickle", "encodings/tiny.json", "encodings/tiny-torch-1.13-list.pickle",
        "encodings/tiny-torch-2.0-dict.pickle"),
    [](const auto& parameter) { return test::testNameOf(parameter.param); });

class CutRealSnapshot : public testing::TestWithParam<const char*>
{
};

TEST_P(CutRealSnapshot, ClaimsNothingThatDoesNotHoldForTheWholeFile)
{
    const std::optional<std::string> path = test::realFilePath(GetParam());
    SKIP_WITHOUT_REAL_FILE(path);
    EXPECT_GT(expectEveryClaimTrue(test::readWholeFile(*path), GetParam()), 10);
}

INSTANTIATE_TEST_SUITE_P(All, CutRealSnapshot,
    testing::Values("snapshots/transformer-fullstep.pickle", "snapshots/from-zero-small.pickle",
        "snapshots/small-model-with-segments.pickle", "snapshots/windows-paths.pickle",
        "snapshots/torch20-history.pickle", "judged/oom-expandable-4-devices.pickle"),
    [](const auto& parameter) { return test::testNameOf(parameter.param); });

TEST(SnapshotThatIsCutOff, DoesNotUndoItsEndByEventsThatNeverReachedIt)
{
    const std::shared_ptr<const Trace> cut
        = cutAt(kSegmentsFirst, R"(, {"action": "free_completed", "addr": 12288)").trace;
    const DeviceFigures figures = deviceFigures(*cut, 0);
    EXPECT_EQ(figures.eventCount, 2);
    EXPECT_EQ(figures.initialBytes, 40); // a block that an event frees was certainly allocated before
    EXPECT_EQ(figures.peakBytes, 60);
    EXPECT_EQ(figures.finalBytes, 100);
    EXPECT_EQ(figures.reservedFinalBytes, 2048);
    const FigureCertainty known = figureCertainty(cut->devices[0]);
    EXPECT_EQ(known.initial, Certainty::AtLeast);
    EXPECT_EQ(known.peak, Certainty::AtLeast);
    EXPECT_EQ(known.final, Certainty::Exactly);
    EXPECT_EQ(peakLowerBound(cut->devices[0], figures), 100);
    EXPECT_TRUE(cut->log.entries().empty()) << cut->log.entries().front().message;
}

TEST(SnapshotThatIsCutOff, KnowsDevicesWhoseEventsAreWholeExactly)
{
    const std::shared_ptr<const Trace> cut
        = cutAt(kSegmentsFirst, R"({"action": "alloc", "addr": 65536)").trace;
    EXPECT_EQ(cut->devices[0].eventsRead, Extent::Whole);
    EXPECT_EQ(figureCertainty(cut->devices[0]).peak, Certainty::Exactly);
    EXPECT_EQ(deviceFigures(*cut, 0).peakBytes, 100);
    EXPECT_EQ(cut->devices[1].eventsRead, Extent::None);
    EXPECT_EQ(figureCertainty(cut->devices[1]).initial, Certainty::NotAtAll);
    EXPECT_EQ(figureCertainty(cut->devices[1]).final, Certainty::Exactly);
    EXPECT_EQ(deviceFigures(*cut, 1).finalBytes, 70);
}

TEST(SnapshotThatIsCutOff, DoesNotSayThatNoHistoryWasRecordedWhereItEndsBeforeIt)
{
    const std::shared_ptr<const Trace> cut = cutAt(kSegmentsFirst, R"({"device": 1)").trace;
    EXPECT_TRUE(cut->metadata.hasHistory);
    EXPECT_EQ(cut->log.find("no-history"), nullptr);
    EXPECT_EQ(figureCertainty(cut->devices[0]).final, Certainty::AtLeast);
    EXPECT_EQ(figureCertainty(cut->devices[0]).peak, Certainty::AtLeast);
}

TEST(SnapshotThatIsCutOff, WithItsEventsFirstCountsWhatItsSegmentsTell)
{
    const std::shared_ptr<const Trace> cut = cutAt(kEventsFirst, R"({"device": 0, "address": 65536)").trace;
    EXPECT_EQ(cut->devices[0].eventsRead, Extent::Whole);
    EXPECT_EQ(cut->devices[0].segmentsRead, Extent::Part);
    const DeviceFigures figures = deviceFigures(*cut, 0);
    EXPECT_EQ(figures.initialBytes, 100);
    EXPECT_EQ(figures.peakBytes, 160);
    EXPECT_EQ(figures.finalBytes, 100);
    EXPECT_EQ(figureCertainty(cut->devices[0]).peak, Certainty::AtLeast);
}

TEST(SnapshotThatIsCutOff, WithoutAnySegmentsKnowsNothingOfItsEnd)
{
    const std::shared_ptr<const Trace> cut = cutAt(kEventsFirst, R"(, {"action": "free_completed")").trace;
    EXPECT_EQ(figureCertainty(cut->devices[0]).final, Certainty::NotAtAll);
    EXPECT_EQ(figureCertainty(cut->devices[0]).reservedFinal, Certainty::NotAtAll);
    EXPECT_EQ(deviceFigures(*cut, 0).peakBytes, 60);
}

TEST(SnapshotThatIsCutOff, LeavesOutTheRecordThatItEndsIn)
{
    for (const char* const place : {R"(60, "stream": 0}, {"action": "free_completed", "addr": 12288)",
             R"( "stream": 0}, {"action": "free_completed", "addr": 12288)"}) {
        const std::shared_ptr<const Trace> cut = cutAt(kSegmentsFirst, place).trace;
        EXPECT_EQ(cut->eventCount(0), 1) << place;
        EXPECT_TRUE(cut->log.entries().empty()) << cut->log.entries().front().message;
    }
}

TEST(SnapshotThatIsCutOff, CountsWholeBlocksOfTheSegmentThatItEndsIn)
{
    const std::shared_ptr<const Trace> cut = cutAt(kSegmentsFirst, R"(1024, "requested_size": 0)").trace;
    const DeviceFigures figures = deviceFigures(*cut, 0);
    EXPECT_EQ(figures.blockCount, 1);
    EXPECT_EQ(figures.finalBytes, 100);
    EXPECT_EQ(figures.reservedFinalBytes, 2048);
    EXPECT_TRUE(cut->log.entries().empty()) << cut->log.entries().front().message;
}

TEST(SnapshotThatIsCutOff, BehindItsEventsIsKnownExactly)
{
    const ImportedTrace cut = cutAt(kSegmentsFirst, "[]}");
    EXPECT_TRUE(cut.incomplete);
    EXPECT_EQ(figureCertainty(cut.trace->devices[0]).initial, Certainty::Exactly);
    EXPECT_NE(
        cutOffText(*cut.trace, 0, deviceFigures(*cut.trace, 0)).find("totals are exact"), std::string::npos);
}

TEST(SnapshotThatIsCutOff, StaysOneInTheOwnFile)
{
    const std::shared_ptr<const Trace> cut
        = cutAt(kSegmentsFirst, R"(, {"action": "free_completed", "addr": 12288)").trace;
    std::string bytes;
    ASSERT_TRUE(writeNative(*cut, [&](std::string_view more) {
        bytes += more;
        return true;
    }));
    const ImportedTrace reopened = imported(bytes);
    EXPECT_FALSE(reopened.incomplete);
    EXPECT_EQ(cutOffText(*reopened.trace, 0, deviceFigures(*reopened.trace, 0)),
        cutOffText(*cut, 0, deviceFigures(*cut, 0)));
    EXPECT_EQ(deviceFigures(*reopened.trace, 0).finalBytes, 100);
    EXPECT_EQ(figureCertainty(reopened.trace->devices[0]).peak, Certainty::AtLeast);
}

} // namespace highwater
