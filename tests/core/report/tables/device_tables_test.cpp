#include "core/report/tables/device_tables.h"

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/table/sinks/table_writer.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

using nlohmann::json;

namespace {

json rowsOf(const DeviceStudy& study, std::string_view name, const DeviceTableOptions& options = {})
{
    const DeviceTable& table = deviceTableNamed(name);
    std::string out;
    TableWriter writer(
        TableFormat::Json,
        [&out](std::string_view bytes) {
            out += bytes;
            return true;
        },
        "rows", table.columns(study.about(), options));
    table.write(study, writer, options);
    EXPECT_TRUE(writer.finish());
    return parseJson(out)["rows"];
}

const char* const kSmallRun = R"(
    stack forward = model.py:3 forward | train.py:9 main
    segment_alloc S 4096
    alloc a 1000 @forward t=1000
    alloc b 500 t=2000 stream=7
    free a t=5000
    oom 9000 77
    final b
    final old 200
)";

} // namespace

TEST(EventTable, HasARowForEachEventInOrder)
{
    const auto trace = test::traceFromText(kSmallRun);
    const json rows = rowsOf(DeviceStudy(*trace, 0), "events");
    ASSERT_EQ(rows.size(), 6u);
    EXPECT_EQ(rows[0]["action"], "segment_alloc");
    EXPECT_EQ(rows[1]["event"], 1);
    EXPECT_EQ(rows[1]["size_bytes"], 1000);
    EXPECT_EQ(rows[1]["address"], "0x200000000");
    EXPECT_EQ(rows[1]["time_us"], 1000);
    EXPECT_EQ(rows[1]["stack"], "forward (model.py:3); main (train.py:9)");
    EXPECT_EQ(rows[2]["stream"], 7);
    EXPECT_TRUE(rows[2]["stack"].is_null());
}

TEST(EventTable, HasTheTotalsAfterEachEvent)
{
    const auto trace = test::traceFromText(kSmallRun);
    const DeviceStudy study(*trace, 0);
    const json rows = rowsOf(study, "events");
    std::vector<Bytes> totals;
    for (const json& row : rows)
        totals.push_back(row["requested_total_bytes"]);
    EXPECT_EQ(totals, (std::vector<Bytes>{200, 1200, 1700, 1700, 700, 700}));
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i]["reserved_total_bytes"], *study.curve.reservedAt(static_cast<std::int64_t>(i)));
}

TEST(EventTable, TellsFreeBytesApartFromAddresses)
{
    const auto trace = test::traceFromText(kSmallRun);
    const json oom = rowsOf(DeviceStudy(*trace, 0), "events")[5];
    EXPECT_EQ(oom["action"], "oom");
    EXPECT_TRUE(oom["address"].is_null());
    EXPECT_EQ(oom["size_bytes"], 9000);
    EXPECT_EQ(oom["device_free_bytes"], 77);
}

TEST(EventTable, LeavesStacksOutOnRequest)
{
    const auto trace = test::traceFromText(kSmallRun);
    const json rows = rowsOf(
        DeviceStudy(*trace, 0), "events", {.withStacks = false, .matches = {}, .auxiliaryFiles = {}});
    EXPECT_FALSE(rows[1].contains("stack"));
}

TEST(AllocationTableRows, GiveLifetimesAndWhatIsNotKnown)
{
    const auto trace = test::traceFromText(kSmallRun);
    const json rows = rowsOf(DeviceStudy(*trace, 0), "allocations");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0]["alloc_event"], -1);
    EXPECT_TRUE(rows[0]["free_event"].is_null());
    EXPECT_TRUE(rows[0]["lifetime_events"].is_null());
    EXPECT_EQ(rows[0]["requested_bytes"], 200);
    EXPECT_EQ(rows[0]["block_bytes"], 512);
    EXPECT_EQ(rows[1]["alloc_event"], 1);
    EXPECT_EQ(rows[1]["free_event"], 4);
    EXPECT_EQ(rows[1]["lifetime_events"], 3);
    EXPECT_EQ(rows[1]["lifetime_us"], 4000);
    EXPECT_TRUE(rows[1]["block_bytes"].is_null());
    EXPECT_EQ(rows[1]["site"], "forward (model.py:3)");
}

TEST(AllocationTableRows, AreOnlyThoseThatMatch)
{
    const auto trace = test::traceFromText(kSmallRun);
    const json rows = rowsOf(DeviceStudy(*trace, 0), "allocations",
        {.withStacks = true, .matches = {false, false, true}, .auxiliaryFiles = {}});
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0]["requested_bytes"], 500);
}

TEST(CurveTable, BeginsBeforeTheFirstEvent)
{
    const auto trace = test::traceFromText(kSmallRun);
    const json rows = rowsOf(DeviceStudy(*trace, 0), "curve");
    ASSERT_EQ(rows.size(), 7u);
    EXPECT_EQ(rows[0]["event"], -1);
    EXPECT_EQ(rows[0]["requested_bytes"], 200);
    EXPECT_TRUE(rows[0]["time_us"].is_null());
    EXPECT_EQ(rows[3]["requested_bytes"], 1700);
    EXPECT_EQ(
        rows[3]["reserved_bytes"].get<std::int64_t>() - rows[0]["reserved_bytes"].get<std::int64_t>(), 4096);
    EXPECT_EQ(rows[6]["requested_bytes"], 700);
}

TEST(StepTableRows, SplitEachPeakByCategory)
{
    const auto trace = test::traceFromText(kSmallRun);
    const json rows = rowsOf(DeviceStudy(*trace, 0), "steps");
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0]["source"], "whole");
    EXPECT_EQ(rows[0]["peak_bytes"], 1700);
    EXPECT_EQ(rows[0]["peak_event"], 2);
    EXPECT_EQ(rows[0]["retained_bytes"], 500);
    EXPECT_TRUE(rows[0]["left_behind_bytes"].is_null()) << "no next step frees any of it";
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        sum += rows[0]["peak_" + std::string(toText(static_cast<Category>(i))) + "_bytes"]
                   .get<std::int64_t>();
    EXPECT_EQ(sum, 1700);
}

} // namespace highwater
