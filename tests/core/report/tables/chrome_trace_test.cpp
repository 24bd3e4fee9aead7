#include "core/report/tables/chrome_trace.h"

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/trace/trace_builder.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

using nlohmann::json;

json written(const Trace& trace, const ChromeTraceOptions& options = {"a file", {}})
{
    const DeviceStudy study(trace, 0);
    std::string text;
    EXPECT_TRUE(writeChromeTrace(study, options, [&](std::string_view piece) {
        text += piece;
        return true;
    }));
    return parseJson(text);
}

/// Returns (time in µs, bytes) for one counter.
std::vector<std::pair<double, std::int64_t>> counter(const json& document, const std::string& name)
{
    std::vector<std::pair<double, std::int64_t>> points;
    for (const json& event : document["traceEvents"])
        if (event["ph"] == "C" && event["name"] == name)
            points.emplace_back(event["ts"].get<double>(), event["args"]["bytes"].get<std::int64_t>());
    return points;
}

std::vector<json> slices(const json& document, const std::string& name)
{
    std::vector<json> found;
    for (const json& event : document["traceEvents"])
        if (event["ph"] == "X" && event["name"] == name)
            found.push_back(event);
    return found;
}

std::shared_ptr<const Trace> timed()
{
    return test::traceFromText("segment_alloc S 4096 t=10\n"
                               "alloc A 100 t=20\nalloc B 200 t=40\nfree_once A t=45\noom 900 10\nend\n"
                               "annotation work<1> 20 41\n");
}

} // namespace

TEST(ChromeTrace, HoldsTheTotalAtEveryChange)
{
    const std::vector<std::pair<double, std::int64_t>> expected
        = {{0, 0}, {11, 100}, {31, 300}, {36, 200}, {36, 200}};
    EXPECT_EQ(counter(written(*timed()), "requested bytes"), expected);
}

TEST(ChromeTrace, HoldsTheReservedBytes)
{
    const auto trace = timed();
    const DeviceStudy study(*trace, 0);
    const auto points = counter(written(*trace), "reserved bytes");
    ASSERT_GE(points.size(), 2u);
    EXPECT_EQ(points[1], (std::pair<double, std::int64_t>{1, *study.curve.reservedAt(0)}));
    EXPECT_EQ(points.back().second, study.curve.reservedAt(4));
}

TEST(ChromeTrace, SaysWhichMomentItsTimesAreCountedFrom)
{
    EXPECT_EQ(written(*timed())["otherData"]["baseTimeNanoseconds"], "9000");
    EXPECT_EQ(written(*timed())["otherData"]["clock"], "unix");
}

TEST(ChromeTrace, CountsEventsWhereTheFileHasNoTimes)
{
    const json document = written(*test::traceFromText("alloc A 100\nalloc B 200\nend\n"));
    EXPECT_EQ(counter(document, "requested bytes"),
        (std::vector<std::pair<double, std::int64_t>>{{0, 0}, {1, 100}, {2, 300}}));
    EXPECT_TRUE(document["otherData"].contains("note"));
}

TEST(ChromeTrace, HoldsAnnotationsWithWhateverTheirNamesHold)
{
    const auto found = slices(written(*timed()), "work<1>");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]["ts"], 11.0);
    EXPECT_EQ(found[0]["dur"], 21.0);
}

TEST(ChromeTrace, HoldsStepsWithTheirPeaks)
{
    const auto trace = timed();
    const DeviceStudy study(*trace, 0);
    const auto found = slices(written(*trace), study.steps.steps.at(0).name);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]["args"]["peak_bytes"], 300);
    EXPECT_EQ(found[0]["args"]["peak_event"], 2);
}

TEST(ChromeTrace, MarksWhereMemoryRanOut)
{
    const json document = written(*timed());
    for (const json& event : document["traceEvents"])
        if (event["ph"] == "i") {
            EXPECT_EQ(event["args"]["requested_bytes"], 900);
            return;
        }
    FAIL() << "no instant";
}

TEST(ChromeTrace, GivesEachCategoryACounterAndTheySumToTheTotal)
{
    const json document = written(*timed());
    std::map<std::string, std::int64_t> last;
    for (const json& event : document["traceEvents"])
        if (event["ph"] == "C" && event["name"].get<std::string>().starts_with("category: "))
            last[event["name"]] = event["args"]["bytes"];
    std::int64_t sum = 0;
    for (const auto& [name, bytes] : last)
        sum += bytes;
    EXPECT_EQ(sum, 200);
}

TEST(ChromeTrace, HoldsOtherSourcesAsCounters)
{
    AuxiliaryLine line;
    line.title = "device used (x)";
    line.points = {{12'000, 0.2, 5}, {20'000, 1, 7}};
    EXPECT_EQ(counter(written(*timed(), {"a file", {line}}), "device used (x)"),
        (std::vector<std::pair<double, std::int64_t>>{{3, 5}, {11, 7}}));
}

TEST(ChromeTrace, HasNoNegativeTimesWhichPerfettoDrops)
{
    AuxiliaryLine line;
    line.title = "device used (x)";
    line.points = {{3'000, -1, 5}, {20'000, 1, 7}};
    const json document = written(*timed(), {"a file", {line}});
    for (const json& event : document["traceEvents"])
        if (event.contains("ts")) {
            EXPECT_GE(event["ts"].get<double>(), 0) << event;
        }
    EXPECT_EQ(document["otherData"]["baseTimeNanoseconds"], "3000");
}

TEST(ChromeTrace, HoldsKernelsByStream)
{
    TraceBuilder builder;
    MemoryEvent event;
    event.action = Action::Alloc;
    event.size = 8;
    event.time = 1000;
    builder.addEvent(event);
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, 1}});
    builder.addActivity({ActivityKind::Kernel, builder.strings().intern("gemm"), 0, 7, 3000, 5500, 0});
    const auto found = slices(written(*builder.finish()), "gemm");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]["tid"], 7);
    EXPECT_EQ(found[0]["ts"], 3.0);
    EXPECT_EQ(found[0]["dur"], 2.5);
}

TEST(ChromeTrace, StopsWhenTheSinkRefuses)
{
    const auto trace = timed();
    const DeviceStudy study(*trace, 0);
    EXPECT_FALSE(writeChromeTrace(study, {"a file", {}}, [](std::string_view) { return false; }));
}

} // namespace highwater
