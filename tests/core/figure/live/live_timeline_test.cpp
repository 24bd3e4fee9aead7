// Tests of the interactive timeline's data in a report, decoded as the page decodes them.
#include "core/figure/live/live_timeline.h"

#include <gtest/gtest.h>

#include "core/analysis/composition/composition.h"
#include "importers/registry/open_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

struct DecodedColumn
{
    std::int64_t event = 0;
    std::vector<Bytes> bytes; ///< by group; the last one is reserved memory

    Bytes total() const { return std::accumulate(bytes.begin(), bytes.end() - 1, Bytes{0}); }
};

class Decoder
{
public:
    explicit Decoder(const std::string& bytes)
        : m_bytes(bytes)
    {
    }

    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(m_bytes.at(m_at++));
            value |= static_cast<std::uint64_t>(byte & 127) << shift;
            if (byte < 128)
                return value;
        }
    }
    Bytes difference()
    {
        const std::uint64_t bits = number();
        return static_cast<Bytes>(bits >> 1) ^ -static_cast<Bytes>(bits & 1);
    }
    bool isAtEnd() const { return m_at == m_bytes.size(); }

private:
    const std::string& m_bytes;
    std::size_t m_at = 0;
};

std::vector<DecodedColumn> decoded(const LiveTimeline& live)
{
    Decoder data(live.columns.changes);
    std::vector<DecodedColumn> columns;
    DecodedColumn now{0, std::vector<Bytes>(live.groups.size() + 1, 0)};
    for (std::int64_t column = 0; column < live.columns.count; ++column) {
        now.event += static_cast<std::int64_t>(data.number());
        for (std::uint64_t n = data.number(); n > 0; --n) {
            const std::uint64_t group = data.number();
            now.bytes.at(group) += data.difference();
        }
        columns.push_back(now);
    }
    EXPECT_TRUE(data.isAtEnd());
    return columns;
}

LiveTimeline liveOf(const DeviceStudy& study, std::size_t room = 1'000'000)
{
    return *liveTimeline(study, "run", {.capacity = {}, .flags = {}, .scale = nullptr, .room = room});
}

std::shared_ptr<const Trace> sample(const std::string& name)
{
    return openTrace(test::snapshotPath(name), {})->trace;
}

} // namespace

TEST(LiveTimeline, SumsToTheCurveInEveryColumn)
{
    const auto trace = sample("r1-grpo-before");
    const DeviceStudy study(*trace, 0);
    const LiveTimeline live = liveOf(study);
    ASSERT_EQ(live.columns.count, study.curve.eventCount());
    for (const DecodedColumn& column : decoded(live))
        ASSERT_EQ(column.total(), study.curve.at(column.event)) << column.event;
}

TEST(LiveTimeline, HasTheFiguresOfCallSitesAtThePeakToTheByte)
{
    const auto trace = sample("r1-grpo-before");
    const DeviceStudy study(*trace, 0);
    const LiveTimeline live = liveOf(study);
    const std::int64_t peak = study.curve.peak().event;
    const DecodedColumn atPeak = decoded(live).at(static_cast<std::size_t>(peak));
    std::map<std::string, Bytes> bySite;
    for (std::size_t group = 0; group < live.groups.size(); ++group)
        bySite[live.groups[group].key] += atPeak.bytes[group];
    const Composition expected
        = compositionAt(study.trace, study.allocations, study.sites, peak, GroupKey::Site);
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_EQ(bySite[expected.groups[i].key], expected.groups[i].bytes) << expected.groups[i].key;
}

TEST(LiveTimeline, ShowsTheHighestMomentOfColumnsOfManyEvents)
{
    const auto trace = sample("r1-grpo-before");
    const DeviceStudy study(*trace, 0);
    const LiveTimeline live = liveOf(study, 1);
    ASSERT_LT(live.columns.count, study.curve.eventCount());
    Bytes highest = 0;
    const std::vector<DecodedColumn> columns = decoded(live);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto first = static_cast<std::int64_t>(i) * live.eventCount / live.columns.count;
        EXPECT_GE(columns[i].event, first);
        highest = std::max(highest, columns[i].total());
    }
    EXPECT_EQ(highest, study.curve.peak().bytes);
}

TEST(LiveTimeline, TakesNoMoreThanItsRoomAndNotMuchLess)
{
    const auto trace = sample("r1-grpo-before");
    const DeviceStudy study(*trace, 0);
    const std::size_t whole = liveOf(study).columns.changes.size();
    const std::size_t room = whole * 3 / 4;
    const std::size_t taken = liveOf(study, room).columns.changes.size();
    EXPECT_LE(taken, room);
    EXPECT_GT(taken, room / 2);
}

TEST(LiveTimeline, SumsToTheCurveOnRandomTraces)
{
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const auto trace = test::randomTrace(seed);
        const DeviceStudy study(*trace, 0);
        if (study.curve.eventCount() == 0)
            continue;
        for (const DecodedColumn& column : decoded(liveOf(study)))
            ASSERT_EQ(column.total(), study.curve.at(column.event)) << seed << ' ' << column.event;
    }
}

TEST(LiveTimeline, TellsTheReservedBytesOfEveryColumn)
{
    const auto trace
        = test::traceFromText("segment_alloc s 4MiB\nalloc a 1MiB\nsegment_free s 4MiB\nfree a\n");
    const DeviceStudy study(*trace, 0);
    const std::vector<DecodedColumn> columns = decoded(liveOf(study));
    EXPECT_EQ(columns.front().bytes.back(), study.curve.reservedAt(0));
    EXPECT_EQ(columns.back().bytes.back(), study.curve.reservedAt(study.curve.eventCount() - 1));
}

TEST(LiveTimeline, IsNoneWithoutEvents)
{
    const auto trace = test::traceFromText("final a 1KiB\n");
    EXPECT_FALSE(liveTimeline(DeviceStudy(*trace, 0), "run", {}));
}

} // namespace highwater
