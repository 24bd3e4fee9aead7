// Tests of the conversion of a snapshot's dicts and lists, in any order and form.
#include "importers/pytorch_snapshot/snapshot_assembler.h"

#include <gtest/gtest.h>

#include "core/analysis/device/device_figures.h"
#include "core/trace/rehearsed.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/import_bytes.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

using test::importBytes;
using test::PickleWriter;

namespace {

std::shared_ptr<const Trace> importJson(const std::string& text)
{
    const Result<ImportedTrace> imported = importBytes(text);
    if (!imported)
        throw std::runtime_error(toText(imported.error()));
    return imported->trace;
}

/// Returns a snapshot with these events on device 0 and these segments.
std::shared_ptr<const Trace> snapshotOf(
    const std::string& events, const std::string& segments = "", const std::string& more = "")
{
    return importJson(
        "{\"segments\": [" + segments + "], \"device_traces\": [[" + events + "]]" + more + "}");
}

const char* const kAlloc
    = R"({"action": "alloc", "addr": 4096, "size": 100, "stream": 0, "time_us": 5, "frames": [{"name": "f", "filename": "a.py", "line": 3}]})";
const char* const kSegment
    = R"({"device": 0, "address": 4096, "total_size": 512, "stream": 0, "segment_type": "small", "segment_pool_id": [0, 0],
    "is_expandable": false, "frames": [], "blocks": [{"address": 4096, "size": 512, "requested_size": 100, "state": "active_allocated", "frames": []}]})";

std::string detailsOf(const std::string& extraFields)
{
    const auto trace
        = snapshotOf(R"({"action": "alloc", "addr": 4096, "size": 100, "stream": 0)" + extraFields + "}");
    return std::string(trace->text(trace->events.details.get(0)));
}

} // namespace

TEST(SnapshotAssembler, SaysThatAFileWasRehearsed)
{
    const auto trace = snapshotOf(kAlloc, kSegment, R"(, "highwater_rehearsal": {"gpu": "L4", "gpus": 1})");
    EXPECT_TRUE(test::hasParts(rehearsedText(trace->metadata), {"rehearsed on a simulated L4"}));
    EXPECT_NE(trace->log.find("rehearsed"), nullptr);
    EXPECT_TRUE(trace->metadata.unknownEntries.empty());
    EXPECT_EQ(rehearsedText(snapshotOf(kAlloc, kSegment)->metadata), "");
}

TEST(SnapshotAssembler, ReadsAnEventAndItsBlock)
{
    const auto trace = snapshotOf(kAlloc, kSegment);
    ASSERT_EQ(trace->devices.size(), 1u);
    const MemoryEvent event = trace->events.row(0);
    EXPECT_EQ(event.action, Action::Alloc);
    EXPECT_EQ(event.address, 4096u);
    EXPECT_EQ(event.size, 100);
    EXPECT_EQ(event.time, 5000);
    EXPECT_EQ(trace->stacks.frames(event.stack).size(), 1u);
    EXPECT_EQ(trace->segments.segments[0].type, SegmentType::Small);
    EXPECT_EQ(trace->segments.blocks[0].requestedSize, 100);
    EXPECT_TRUE(trace->log.find("live-not-in-segments") == nullptr);
}

TEST(SnapshotAssembler, TakesKeysInAnyOrder)
{
    const auto usual = snapshotOf(kAlloc, kSegment);
    const auto shuffled = importJson(
        R"({"device_traces": [[{"frames": [{"line": 3, "filename": "a.py", "name": "f"}], "time_us": 5, "stream": 0, "size": 100, "addr": 4096, "action": "alloc"}]],
        "segments": [{"blocks": [{"frames": [], "state": "active_allocated", "requested_size": 100, "size": 512, "address": 4096}], "frames": [],
        "is_expandable": false, "segment_pool_id": [0, 0], "segment_type": "small", "stream": 0, "total_size": 512, "address": 4096, "device": 0}]})");
    EXPECT_EQ(dumpTrace(*usual), dumpTrace(*shuffled));
}

TEST(SnapshotAssembler, KeepsUnknownFieldsOfEventsAsText)
{
    EXPECT_EQ(detailsOf(R"(, "category": "activation", "odd": [1, 2, 3])"),
        R"({"category": "activation", "odd": [1, 2, 3]})");
}

TEST(SnapshotAssembler, LeavesOutDetailsThatSayNothing)
{
    EXPECT_EQ(detailsOf(R"(, "compile_context": "N/A", "user_metadata": "")"), "");
    EXPECT_EQ(detailsOf(R"(, "compile_context": "Torch-Compiled Region: 0/0")"),
        R"({"compile_context": "Torch-Compiled Region: 0/0"})");
}

TEST(SnapshotAssembler, RendersPairsOfNegativeNumbersAsTheyAre)
{
    EXPECT_EQ(detailsOf(R"(, "shape": [-1, 2])"), R"({"shape": [-1, 2]})");
}

TEST(SnapshotAssembler, KeepsUnknownActions)
{
    const auto trace = snapshotOf(
        R"({"action": "workspace_snapshot", "addr": 0, "size": 7, "stream": 0}, {"action": "alloc", "addr": 1, "size": 1, "stream": 0})");
    EXPECT_EQ(trace->actionName(trace->events.row(0).action), "workspace_snapshot");
    EXPECT_EQ(trace->eventCount(0), 2);
}

TEST(SnapshotAssembler, KeepsUnknownTopLevelEntries)
{
    const auto trace = snapshotOf(kAlloc, kSegment, R"(, "categories": ["a", "b"])");
    ASSERT_EQ(trace->metadata.unknownEntries.size(), 1u);
    EXPECT_EQ(trace->metadata.unknownEntries[0], (NamedText{"categories", R"(["a", "b"])"}));
    EXPECT_NE(trace->log.find("unknown-entry"), nullptr);
}

TEST(SnapshotAssembler, FlattensAllocatorSettings)
{
    const auto trace = snapshotOf(kAlloc, kSegment,
        R"(, "allocator_settings": {"max_split_size": -1, "roundup_power2_divisions": {"1": 0, "2": 8}, "PYTORCH_CUDA_ALLOC_CONF": "x:y"})");
    EXPECT_EQ(trace->metadata.settings,
        (std::vector<NamedText>{{"max_split_size", "-1"}, {"roundup_power2_divisions.1", "0"},
            {"roundup_power2_divisions.2", "8"}, {"PYTORCH_CUDA_ALLOC_CONF", "x:y"}}));
}

TEST(SnapshotAssembler, TellsAStackThatWasNotTakenFromAnEmptyOne)
{
    const auto trace = snapshotOf(
        R"({"action": "alloc", "addr": 1, "size": 1, "stream": 0}, {"action": "alloc", "addr": 2, "size": 1, "stream": 0, "frames": []})");
    EXPECT_TRUE(trace->events.stack[0].isNone());
    EXPECT_EQ(trace->events.stack[1], StackTable::kEmpty);
}

TEST(SnapshotAssembler, TakesTheFreeMemoryOfAnOutOfMemoryEvent)
{
    const auto trace = snapshotOf(
        R"({"action": "oom", "device_free": 77, "size": 1024, "stream": 0}, {"action": "alloc", "addr": 1, "size": 1, "stream": 0})");
    const DeviceFigures figures = deviceFigures(*trace, 0);
    ASSERT_EQ(figures.ooms.size(), 1u);
    EXPECT_EQ(figures.ooms[0].deviceFreeBytes, 77);
}

class WrongType : public testing::TestWithParam<std::pair<const char*, const char*>>
{
};

TEST_P(WrongType, IsReported)
{
    const auto trace = snapshotOf(GetParam().first);
    EXPECT_NE(trace->log.find(GetParam().second), nullptr) << GetParam().first;
    EXPECT_EQ(trace->eventCount(0), 1);
}

INSTANTIATE_TEST_SUITE_P(OfAnEvent, WrongType,
    testing::Values(
        std::pair{R"({"action": "alloc", "addr": 1, "size": "large", "stream": 0})", "size-out-of-range"},
        std::pair{R"({"action": "alloc", "addr": 1, "size": -5, "stream": 0})", "size-out-of-range"},
        std::pair{R"({"action": "alloc", "addr": 1, "size": 18446744073709551615, "stream": 0})",
            "size-out-of-range"},
        std::pair{
            R"({"action": "alloc", "addr": 1, "size": 5, "stream": 0, "time_us": -3})", "time-out-of-range"},
        std::pair{R"({"action": "alloc", "addr": 1, "size": 5, "stream": 0, "time_us": "noon"})",
            "time-out-of-range"},
        std::pair{R"({"action": "alloc", "addr": 1, "size": 5, "stream": 0, "frames": [1, 2, 3]})",
            "frames-not-a-stack"}));

TEST(SnapshotAssembler, ReportsAnAddressThatIsNoNumber)
{
    const auto trace = snapshotOf(
        R"({"action": "alloc", "addr": 1.5, "size": 5, "stream": 0}, {"action": "alloc", "addr": 7, "size": 5, "stream": 0})",
        R"({"device": 0, "address": 7, "total_size": 512, "blocks": [{"address": 7, "size": 512, "requested_size": 5, "state": "active_allocated"}]})");
    bool named = false;
    for (const ImportLogEntry& entry : trace->log.entries())
        named = named || entry.message.find("address") != std::string::npos;
    EXPECT_TRUE(named) << "nothing in the import log speaks of an address";
}

TEST(SnapshotAssembler, CountsBlocksInUnknownStatesAsInUse)
{
    const auto trace = snapshotOf("",
        R"({"device": 0, "address": 0, "total_size": 512, "blocks": [{"size": 512, "requested_size": 5, "state": "odd"}]})");
    EXPECT_NE(trace->log.find("unknown-block-state"), nullptr);
    EXPECT_EQ(deviceFigures(*trace, 0).finalBytes, 5);
}

TEST(SnapshotAssembler, KnowsTheThreeStatesThatCount)
{
    const auto trace = snapshotOf("",
        R"({"device": 0, "address": 0, "total_size": 2048, "blocks": [{"size": 512, "requested_size": 1, "state": "active_allocated"},
        {"size": 512, "requested_size": 20, "state": "active_pending_free"}, {"size": 512, "requested_size": 300, "state": "active_awaiting_free"}, {"size": 512, "requested_size": 4000, "state": "inactive"}]})");
    EXPECT_EQ(deviceFigures(*trace, 0).finalBytes, 321);
}

TEST(SnapshotAssembler, GivesBlocksWithoutAddressThoseThatFollowFromTheirSizes)
{
    const auto trace = snapshotOf("",
        R"({"device": 0, "address": 4096, "total_size": 1536, "blocks": [{"size": 512, "state": "inactive"}, {"size": 1024, "state": "active_allocated"}]})");
    EXPECT_EQ(trace->segments.blocks[1].address, 4608u);
    EXPECT_EQ(trace->segments.blocks[1].requestedSize, 1024);
}

TEST(SnapshotAssembler, TakesTheFirstHistoryEntryAsTheCurrentOccupant)
{
    const auto trace = importJson(
        R"([{"device": 0, "address": 0, "total_size": 512, "blocks": [{"size": 512, "state": "active_allocated",
        "history": [{"addr": 0, "real_size": 300, "frames": [{"name": "f", "filename": "a.py", "line": 1}]}, {"addr": 300, "real_size": 100}]}]}])");
    const Block& block = trace->segments.blocks[0];
    EXPECT_EQ(block.requestedSize, 300);
    EXPECT_EQ(block.historyEntries, 2u);
    EXPECT_TRUE(trace->stacks.hasFrames(block.stack));
}

TEST(SnapshotAssembler, PutsHostMemoryOnADeviceOfItsOwn)
{
    const auto trace = snapshotOf(kAlloc, kSegment,
        R"(, "host_segments": [{"device": -1, "address": 9, "total_size": 512, "blocks": []}],
        "host_traces": [[{"action": "alloc", "addr": 9, "size": 8, "stream": 0}]])");
    ASSERT_EQ(trace->devices.size(), 2u);
    EXPECT_EQ(trace->devices[1].label(), "host");
    EXPECT_EQ(trace->eventCount(1), 1);
    EXPECT_EQ(trace->devices[1].segments.size(), 1u);
}

TEST(SnapshotAssembler, TakesHostTracesInOneListToo)
{
    const auto trace = snapshotOf(
        kAlloc, kSegment, R"(, "host_traces": [{"action": "alloc", "addr": 9, "size": 8, "stream": 0}])");
    ASSERT_EQ(trace->devices.size(), 2u);
    EXPECT_EQ(trace->eventCount(1), 1);
}

TEST(SnapshotAssembler, CountsDevicesByTheirPlaceInTheList)
{
    const auto trace = importJson(
        std::string(R"({"segments": [], "device_traces": [[], [], [)") + kAlloc + "," + kAlloc + "], []]}");
    ASSERT_EQ(trace->devices.size(), 1u);
    EXPECT_EQ(trace->devices[0].ordinal, 2);
}

TEST(SnapshotAssembler, ReadsAnnotationsAsSpans)
{
    const auto trace = snapshotOf(kAlloc, kSegment,
        R"(, "external_annotations": [{"stage": "START", "name": "step", "device": 1, "time_us": 10},
        {"time_us": 20, "device": 1, "name": "step", "stage": "END"}])");
    ASSERT_EQ(trace->spans.size(), 1u);
    EXPECT_EQ(trace->text(trace->spans[0].name), "step");
    EXPECT_EQ(trace->spans[0].begin, 10'000);
    EXPECT_EQ(trace->spans[0].end, 20'000);
    EXPECT_EQ(trace->spans[0].deviceOrdinal, 1);
}

class Overflow : public testing::TestWithParam<std::pair<const char*, bool>>
{
};

TEST_P(Overflow, IsTakenFromEitherPlaceInAnyForm)
{
    const auto trace = snapshotOf(kAlloc, kSegment, std::string(", ") + GetParam().first);
    EXPECT_EQ(trace->metadata.startLost, GetParam().second);
    EXPECT_EQ(trace->log.find("start-lost") != nullptr, GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(Forms, Overflow,
    testing::Values(std::pair{R"("trace_alloc_overflowed": true)", true},
        std::pair{R"("trace_alloc_overflowed": false)", false},
        std::pair{R"("trace_alloc_overflowed": 1)", true},
        std::pair{R"("trace_alloc_overflowed": [false, true, false])", true},
        std::pair{R"("trace_alloc_overflowed": [1, 0])", true},
        std::pair{R"("trace_alloc_overflowed": [0, 0])", false},
        std::pair{R"("allocator_settings": {"trace_alloc_overflowed": true})", true}));

TEST(SnapshotAssembler, SaysWhenThereIsNoHistory)
{
    const auto none = importJson(std::string("{\"segments\": [") + kSegment + "], \"device_traces\": [[]]}");
    EXPECT_FALSE(none->metadata.hasHistory);
    EXPECT_NE(none->log.find("no-history"), nullptr);
    const auto one = snapshotOf(kAlloc, kSegment);
    EXPECT_NE(one->log.find("no-history")->message.find("accidental"), std::string::npos);
}

TEST(SnapshotAssembler, UndoesAOneEntryTraceLikeAnyOther)
{
    EXPECT_EQ(deviceFigures(*snapshotOf(kAlloc, kSegment), 0).initialBytes, 0);
}

TEST(SnapshotAssembler, NamesWhatAForeignDictHolds)
{
    const Result<ImportedTrace> imported = importBytes(PickleWriter()
                                                           .proto(4)
                                                           .emptyDict()
                                                           .mark()
                                                           .entry("model", 1)
                                                           .entry("op\ntimizer", 2)
                                                           .setItems()
                                                           .stop());
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::UnknownFormat);
    EXPECT_TRUE(
        test::hasParts(imported.error().message, {"segments", "device_traces", "model, op\uFFFDtimizer"}));
}

TEST(SnapshotAssembler, OpensASnapshotOfNothing)
{
    const auto trace = importJson(R"({"segments": [], "device_traces": []})");
    EXPECT_TRUE(trace->devices.empty());
}

} // namespace highwater
