#include "importers/kineto/kineto_importer.h"

#include <gtest/gtest.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/steps/event_spans.h"
#include "importers/native/native_writer.h"
#include "tests/support/frame_names.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::importBytes;

namespace {

constexpr DeviceIndex kCuda = 0;
constexpr DeviceIndex kCpu = 1;

std::shared_ptr<const Trace> sample(const std::string& name)
{
    return openTrace(test::samplePath("kineto/" + name), {})->trace;
}

std::shared_ptr<const Trace> addressed()
{
    return sample("tiny-addresses.pt.trace.json");
}

std::shared_ptr<const Trace> bytesOnly()
{
    return sample("tiny-bytes-only.pt.trace.json");
}

std::string withEvents(const std::string& events)
{
    return "{\"schemaVersion\": 1, \"traceEvents\": [" + events + "]}";
}

/// Returns an instant on CUDA device 0, with further arguments in `more`.
std::string instant(int time, Bytes bytes, const std::string& more)
{
    return "{\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": 1, \"ts\": " + std::to_string(time)
        + ", \"args\": {\"Device Type\": 1, \"Device Id\": 0, \"Bytes\": " + std::to_string(bytes) + more
        + "}}";
}

/// A call, a kernel with today's category names, and a copy with those of 2021.
const std::string kActivities = withEvents(
    R"({"ph": "i", "name": "[memory]", "ts": 5, "args": {"Device Type": 1, "Device Id": 1, "Bytes": 8}},)"
    R"({"ph": "X", "cat": "gpu_user_annotation", "name": "step", "pid": 1, "tid": 7, "ts": 1, "dur": 9},)"
    R"({"ph": "X", "cat": "Memcpy", "name": "copy", "pid": 1, "tid": "stream 9", "ts": 30, "dur": 1, )"
    R"("args": {"bytes": 4096}},)"
    R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 1, "tid": 7, "ts": 20, "dur": 0.5},)"
    R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaMalloc", "pid": 8, "tid": 42, "ts": 10, "dur": 2})");

std::string total(Bytes bytes)
{
    return ", \"Total Allocated\": " + std::to_string(bytes);
}

std::string address(int number)
{
    return ", \"Addr\": " + std::to_string(number);
}

} // namespace

TEST(KinetoTrace, HasADeviceForEachKindAndNumber)
{
    const auto trace = addressed();
    ASSERT_EQ(trace->devices.size(), 2u);
    EXPECT_EQ(trace->devices[kCuda].label(), "cuda:0");
    EXPECT_EQ(trace->devices[kCpu].label(), "cpu");
    EXPECT_EQ(trace->devices[kCuda].quantity, Quantity::Allocated);
    EXPECT_EQ(trace->devices[kCuda].times, TimeQuality::Ordered);
}

TEST(KinetoTrace, OrdersEventsByTimeAndCountsFromTheBase)
{
    const auto trace = addressed();
    EXPECT_EQ(trace->events.time[trace->row(kCuda, 0)], 1790857026000000000 + 1120250);
    EXPECT_EQ(trace->events.size[trace->row(kCuda, 3)], Bytes{16} << 20);
}

TEST(KinetoTrace, StartsWithWhatTheTotalsTell)
{
    const DeviceFigures figures = deviceFigures(*addressed(), kCuda);
    EXPECT_EQ(figures.eventCount, 6);
    EXPECT_EQ(figures.initialBytes, 48 * kMiB);
    EXPECT_EQ(figures.initialLiveCount, 2);
    EXPECT_EQ(figures.peakBytes, 66 * kMiB);
    EXPECT_EQ(figures.peakEvent, 3);
    EXPECT_EQ(figures.finalBytes, 52 * kMiB);
    EXPECT_EQ(figures.finalLiveCount, 2);
}

TEST(KinetoTrace, NamesTheBlockKnownFromTotalsOnly)
{
    const auto trace = addressed();
    const AllocationTable allocations(*trace, kCuda);
    const CallSites sites(*trace, allocations);
    EXPECT_EQ(allocations.bytes(0), 36 * kMiB);
    EXPECT_EQ(sites.site(sites.of(0)).label, kKnownFromTotals);
}

TEST(KinetoTrace, FollowsTheReservedTotals)
{
    const auto trace = addressed();
    const DeviceFigures figures = deviceFigures(*trace, kCuda);
    EXPECT_EQ(figures.reservedInitialBytes, 64 * kMiB);
    EXPECT_EQ(figures.reservedPeakBytes, 84 * kMiB);
    const UsageCurve curve(*trace, AllocationTable(*trace, kCuda));
    EXPECT_EQ(curve.reservedAt(2), 64 * kMiB);
    EXPECT_EQ(curve.reservedAt(3), 84 * kMiB);
}

TEST(KinetoTrace, KeepsAFailedRequestOutOfTheEvents)
{
    const DeviceFigures figures = deviceFigures(*addressed(), kCuda);
    ASSERT_EQ(figures.ooms.size(), 1u);
    EXPECT_EQ(figures.ooms[0].event, 4);
    EXPECT_EQ(figures.ooms[0].requestedBytes, kGiB);
    EXPECT_EQ(figures.ooms[0].deviceFreeBytes, OomEvent::kUnknown);
}

TEST(KinetoTrace, WithAFailedRequestAloneIsEmptyAndSaysSo)
{
    std::string alone = instant(1, 100, "");
    alone.replace(alone.find("[memory]"), 8, "[OutOfMemory]");
    const auto imported = importBytes(withEvents(alone));
    ASSERT_TRUE(imported);
    EXPECT_TRUE(deviceFigures(*imported->trace, kCuda).ooms.empty());
    EXPECT_NE(imported->trace->log.find("out-of-memory-alone"), nullptr);
}

TEST(KinetoTrace, StacksHoldOperatorsModulesAndPythonFrames)
{
    EXPECT_EQ(test::functionsAt(*addressed(), 0, kCuda),
        (std::vector<std::string>{"aten::addmm", "aten::linear", "forward", "nn.Module: Linear_0", "forward",
            "nn.Module: Net_0", "step", "<module>"}));
}

TEST(KinetoTrace, SiteIsTheInnermostFrameOfTheUser)
{
    const auto trace = addressed();
    const AllocationTable allocations(*trace, kCuda);
    const CallSites sites(*trace, allocations);
    EXPECT_EQ(sites.site(sites.of(allocations.ofEvent(0))).key, "forward (model.py:5)");
    EXPECT_EQ(sites.site(sites.of(allocations.ofEvent(3))).key, "backward · AddmmBackward0");
}

TEST(KinetoTrace, GroupsByModulePath)
{
    const auto trace = addressed();
    const AllocationTable allocations(*trace, kCuda);
    const CallSites sites(*trace, allocations);
    const Composition composition = compositionAt(*trace, allocations, sites, 0, GroupKey::Module);
    std::vector<std::string> keys;
    for (const CompositionGroup& group : composition.groups)
        keys.push_back(group.key);
    EXPECT_EQ(keys,
        (std::vector<std::string>{"(no Python frames)", "(backward, module unknown)", "Net_0 / Linear_0"}));
    EXPECT_EQ(composition.groups.back().bytes, 2 * kMiB);
}

TEST(KinetoTrace, StacksDoNotCrossThreads)
{
    EXPECT_EQ(test::functionsAt(*addressed(), 3, kCuda),
        (std::vector<std::string>{"aten::mm", "autograd::engine::evaluate_function: AddmmBackward0"}));
}

TEST(KinetoTrace, StepsAreThoseOfTheHost)
{
    const auto trace = addressed();
    ASSERT_EQ(trace->spans.size(), 2u);
    EXPECT_EQ(trace->spans[0].kind, SpanKind::ProfilerStep);
    EXPECT_EQ(trace->text(trace->spans[1].name), "Optimizer.step#SGD.step");
    EXPECT_EQ(trace->metadata.operatorCount, 5);
}

TEST(KinetoTrace, SpansBelongToEveryDevice)
{
    const auto trace = addressed();
    EXPECT_EQ(eventSpans(*trace, kCuda).size(), 2u);
    EXPECT_EQ(eventSpans(*trace, kCpu).size(), 2u);
}

TEST(KinetoTrace, TellsItsRankAndCard)
{
    const auto trace = addressed();
    const auto& producer = trace->metadata.producer;
    EXPECT_NE(std::find(producer.begin(), producer.end(), NamedText("rank", "3")), producer.end());
    EXPECT_EQ(trace->devices[kCuda].capacity, 8 * kGiB);
    EXPECT_EQ(trace->devices[kCpu].capacity, std::nullopt);
}

TEST(KinetoTrace, AsABareListGivesTheSameFigures)
{
    const DeviceFigures bare = deviceFigures(*sample("tiny-bare-list.json"), kCuda);
    EXPECT_EQ(bare.peakBytes, 66 * kMiB);
    EXPECT_EQ(bare.initialBytes, 48 * kMiB);
}

TEST(KinetoTrace, OfBytesOnlyPairsBySize)
{
    const auto trace = bytesOnly();
    const AllocationTable allocations(*trace, kCuda);
    EXPECT_EQ(allocations.death(allocations.ofEvent(2)), AllocationTable::kNeverFreed);
    EXPECT_EQ(allocations.death(allocations.ofEvent(3)), 4);
    EXPECT_NE(trace->log.find("paired-by-size"), nullptr);
}

TEST(KinetoTrace, OfBytesOnlyIsLiftedAboveZeroAndSaysSo)
{
    const auto imported = importBytes(withEvents(instant(1, 100, "") + "," + instant(2, -100, "") + ","
        + instant(3, -700, "") + "," + instant(4, 50, "")));
    const DeviceFigures figures = deviceFigures(*imported->trace, kCuda);
    EXPECT_EQ(figures.initialBytes, 700);
    EXPECT_EQ(figures.peakBytes, 800);
    EXPECT_EQ(figures.finalBytes, 50);
    EXPECT_NE(imported->trace->log.find("start-unknown"), nullptr);
}

TEST(KinetoTrace, OfBytesOnlyTakesCallStacksFromOperators)
{
    EXPECT_EQ(test::functionsAt(*bytesOnly(), 0, kCuda),
        (std::vector<std::string>{"aten::empty", "forward", "step"}));
}

TEST(KinetoTrace, CountsTotalsThatAreNotTheSum)
{
    const auto imported = importBytes(withEvents(instant(1, 100, address(1) + total(100)) + ","
        + instant(2, 100, address(2) + total(250)) + "," + instant(3, 100, address(3) + total(350))));
    ASSERT_NE(imported->trace->log.find("total-mismatch"), nullptr);
    EXPECT_EQ(imported->trace->log.find("total-mismatch")->count, 2);
}

TEST(KinetoTrace, WithoutMemoryEventsSaysSo)
{
    const auto imported = importBytes(withEvents(""));
    ASSERT_TRUE(imported);
    EXPECT_TRUE(imported->trace->devices.empty());
    EXPECT_NE(imported->trace->log.find("no-memory-events"), nullptr);
}

TEST(KinetoTrace, CutOffKeepsTheEventsBefore)
{
    const std::string whole = withEvents(instant(1, 100, address(1)) + "," + instant(2, 200, address(2)));
    const auto imported = importBytes(whole.substr(0, whole.size() - 10));
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->eventCount(kCuda), 1);
    ASSERT_TRUE(imported->incomplete);
    EXPECT_EQ(imported->incomplete->code, ErrorCode::Truncated);
    EXPECT_EQ(imported->incomplete->place, Place::byte(whole.size() - 10));
}

TEST(KinetoTrace, WithAnUnescapedQuoteKeepsTheEventsAround)
{
    const std::string first = instant(1, 100, address(1)) + ",";
    const std::string broken = "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\"b\", \"ts\": 1},";
    const auto imported = importBytes(withEvents(first + broken + instant(2, 200, address(2))));
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->eventCount(kCuda), 2);
    ASSERT_TRUE(imported->incomplete);
    EXPECT_EQ(imported->incomplete->code, ErrorCode::Malformed);
    EXPECT_EQ(imported->incomplete->place, Place::byte(withEvents(first).size() - 2));
}

/// More text than one read returns.
constexpr int kManyInstants = 60'000;

std::string manyInstants(const std::string& more)
{
    std::string events;
    for (int i = 1; i <= kManyInstants; ++i)
        events += (i > 1 ? "," : "") + instant(i, 8, address(i) + more);
    return events;
}

TEST(KinetoTrace, IsReadInWindows)
{
    const auto imported = importBytes(withEvents(manyInstants("")));
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->incomplete);
    EXPECT_EQ(imported->trace->eventCount(kCuda), kManyInstants);
}

TEST(KinetoTrace, IsNotDeceivedByTextsThatLookLikeTheEndOfAnEvent)
{
    const auto imported = importBytes(withEvents(manyInstants(", \"x\": \"},{\"")));
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->incomplete);
    EXPECT_EQ(imported->trace->eventCount(kCuda), kManyInstants);
}

TEST(KinetoTrace, KeepsWhatIsAroundABrokenEventOfALaterWindow)
{
    const std::string first = withEvents(manyInstants("") + ",");
    const std::string head = first.substr(0, first.size() - 2);
    const std::string broken = "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\"b\", \"ts\": 1},";
    const auto imported = importBytes(head + broken + instant(kManyInstants + 1, 8, address(0)) + "]}");
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->eventCount(kCuda), kManyInstants + 1);
    ASSERT_TRUE(imported->incomplete);
    EXPECT_EQ(imported->incomplete->place, Place::byte(head.size()));
}

TEST(KinetoTrace, MayHaveMoreTextBeforeItsEventsThanIsReadAtOnce)
{
    const std::string head = "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"totalGlobalMem\": "
                             "1024}], \"x\": \""
        + std::string(5 << 20, 'x') + "\", \"traceEvents\": [";
    const auto imported = importBytes(head + instant(1, 8, address(1)) + "]}");
    ASSERT_TRUE(imported);
    ASSERT_EQ(imported->trace->devices.size(), 1u);
    EXPECT_EQ(imported->trace->devices[kCuda].capacity, 1024);
}

TEST(KinetoTrace, RefusesSizesThatNoMachineHas)
{
    const auto imported
        = importBytes(withEvents(instant(1, Bytes{1} << 60, address(1)) + "," + instant(2, 5, address(2))));
    EXPECT_EQ(imported->trace->eventCount(kCuda), 1);
    EXPECT_EQ(imported->trace->log.find("event-unreadable")->count, 1);
}

TEST(KinetoTrace, NestedWithoutEndIsBounded)
{
    const std::string deep(2'000'000, '[');
    const auto imported = importBytes("{\"traceEvents\": [{\"ph\": \"X\", \"args\": " + deep);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::Malformed);
}

TEST(KinetoTrace, ObeysTheLimitOfMemory)
{
    ImportOptions options;
    options.maxMemoryBytes = 1000;
    const auto imported
        = importBytes(withEvents(instant(1, 5, address(1)) + std::string(5000, ' ')), 1 << 20, options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded);
}

TEST(KinetoTrace, LeavesKernelsAndCallsOutUnlessAskedFor)
{
    EXPECT_EQ(importBytes(kActivities)->trace->activities.rows(), 0u);
}

TEST(KinetoTrace, HoldsKernelsCopiesAndCallsOnRequest)
{
    ImportOptions options;
    options.activities = true;
    const auto trace = importBytes(kActivities, 1 << 20, options)->trace;
    ASSERT_EQ(trace->activities.rows(), 3u);
    const Activity call = trace->activities.row(0);
    EXPECT_EQ(call.kind, ActivityKind::RuntimeCall);
    EXPECT_EQ(trace->text(call.name), "cudaMalloc");
    EXPECT_EQ(call.lane, 42);
    EXPECT_EQ(call.device, -1);
    const Activity kernel = trace->activities.row(1);
    EXPECT_EQ(kernel.kind, ActivityKind::Kernel);
    EXPECT_EQ(kernel.device, 1);
    EXPECT_EQ(kernel.lane, 7);
    EXPECT_EQ(kernel.begin, 20'000);
    EXPECT_EQ(kernel.end, 20'500);
    const Activity copy = trace->activities.row(2);
    EXPECT_EQ(copy.kind, ActivityKind::Copy);
    EXPECT_EQ(copy.lane, 9);
    EXPECT_EQ(copy.bytes, 4096);
}

TEST(KinetoTrace, CountsFromAnUnknownMomentWhereItsTimesAreTooEarly)
{
    EXPECT_EQ(importBytes(kActivities)->trace->metadata.clock, Clock::Own);
    EXPECT_EQ(addressed()->metadata.clock, Clock::Unix);
}

TEST(KinetoTrace, IsTheSameAfterSavingAndReopening)
{
    const auto trace = addressed();
    std::string bytes;
    ASSERT_TRUE(writeNative(*trace, [&](std::string_view more) {
        bytes += more;
        return true;
    }));
    const auto reopened = importBytes(bytes);
    ASSERT_TRUE(reopened);
    EXPECT_EQ(deviceFigures(*reopened->trace, kCuda).initialBytes, 48 * kMiB);
    EXPECT_EQ(reopened->trace->devices[kCuda].reserved, trace->devices[kCuda].reserved);
    EXPECT_EQ(reopened->trace->devices[kCuda].outOfMemory, trace->devices[kCuda].outOfMemory);
    EXPECT_EQ(reopened->trace->metadata.operatorCount, 5);
}

} // namespace highwater
