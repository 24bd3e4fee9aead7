#include "core/analysis/segments/mapped_ranges.h"

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/snapshot_builder.h"

namespace highwater {

namespace {

MappedRange range(Address begin, Bytes size, bool expandable = false, std::uint32_t stream = 0)
{
    return {begin, size, StreamId(stream), PoolId(), SegmentType::Large, expandable};
}

std::string textOf(const MappedRanges& ranges)
{
    std::string text;
    for (const MappedRange& each : ranges.ranges())
        text += std::to_string(each.begin) + "+" + std::to_string(each.size) + " ";
    return text;
}

/// The simplest implementation of the same: one list that every call searches from end to end.
class PlainRanges
{
public:
    bool tryAdd(const MappedRange& range)
    {
        if (range.size <= 0)
            return false;
        MappedRange* left = nullptr;
        std::optional<std::size_t> right;
        for (std::size_t i = 0; i < m_ranges.size(); ++i) {
            MappedRange& other = m_ranges[i];
            if (other.begin < range.end() && range.begin < other.end())
                return false;
            if (!range.expandable || !other.expandable || range.stream != other.stream)
                continue;
            if (other.end() == range.begin)
                left = &other;
            if (range.end() == other.begin)
                right = i;
        }
        if (left) {
            left->size += range.size;
            if (right && m_ranges[*right].pool == left->pool && m_ranges[*right].type == left->type) {
                left->size += m_ranges[*right].size;
                m_ranges.erase(m_ranges.begin() + static_cast<std::ptrdiff_t>(*right));
            }
        } else if (right) {
            m_ranges[*right].begin = range.begin;
            m_ranges[*right].size += range.size;
        } else {
            m_ranges.push_back(range);
        }
        return true;
    }

    bool remove(Address begin, Bytes size)
    {
        const Address end = begin + static_cast<Address>(size);
        std::vector<MappedRange> kept;
        for (const MappedRange& each : m_ranges) {
            const auto keep = [&](Address from, Address to) {
                if (from >= to)
                    return;
                kept.push_back(each);
                kept.back().begin = from;
                kept.back().size = static_cast<Bytes>(to - from);
            };
            keep(each.begin, std::min(each.end(), begin));
            keep(std::max(each.begin, end), each.end());
            if (each.end() <= begin || each.begin >= end)
                continue;
            size -= static_cast<Bytes>(std::min(each.end(), end) - std::max(each.begin, begin));
        }
        m_ranges = std::move(kept);
        return size == 0;
    }

    std::vector<MappedRange> ranges() const
    {
        std::vector<MappedRange> sorted = m_ranges;
        std::ranges::sort(sorted, {}, &MappedRange::begin);
        return sorted;
    }

private:
    std::vector<MappedRange> m_ranges;
};

bool isSame(const MappedRange& a, const MappedRange& b)
{
    return a.begin == b.begin && a.size == b.size && a.stream == b.stream && a.pool == b.pool
        && a.type == b.type && a.expandable == b.expandable;
}

void expectSameRanges(const MappedRanges& ranges, const PlainRanges& plain)
{
    const std::vector<MappedRange> all = ranges.ranges();
    ASSERT_TRUE(std::ranges::equal(all, plain.ranges(), isSame));
    ASSERT_EQ(ranges.count(), all.size());
    for (const MappedRange& each : all) {
        ASSERT_TRUE(ranges.at(each.begin) && isSame(*ranges.at(each.begin), each));
        ASSERT_TRUE(ranges.at(each.end() - 1) && isSame(*ranges.at(each.end() - 1), each));
        ASSERT_TRUE(!ranges.at(each.end()) || ranges.at(each.end())->begin == each.end());
    }
}

class OnRandomRanges : public testing::TestWithParam<std::uint32_t>
{
};

} // namespace

TEST(MappedRanges, KeepSegmentsApartThatTouch)
{
    MappedRanges ranges;
    EXPECT_TRUE(ranges.tryAdd(range(20, 10)));
    EXPECT_TRUE(ranges.tryAdd(range(10, 10)));
    EXPECT_EQ(textOf(ranges), "10+10 20+10 ");
}

TEST(MappedRanges, JoinExpandablePiecesOfOneStream)
{
    MappedRanges ranges;
    ranges.tryAdd(range(10, 10, true));
    ranges.tryAdd(range(30, 10, true));
    ranges.tryAdd(range(20, 10, true));
    EXPECT_EQ(textOf(ranges), "10+30 ");
    ranges.tryAdd(range(40, 10, true, 1));
    EXPECT_EQ(textOf(ranges), "10+30 40+10 ");
}

TEST(MappedRanges, TakeBytesOutOfTheMiddle)
{
    MappedRanges ranges;
    ranges.tryAdd(range(10, 30, true));
    EXPECT_TRUE(ranges.remove(20, 5));
    EXPECT_EQ(textOf(ranges), "10+10 25+15 ");
    EXPECT_TRUE(ranges.remove(10, 10));
    EXPECT_TRUE(ranges.remove(30, 10));
    EXPECT_EQ(textOf(ranges), "25+5 ");
}

TEST(MappedRanges, SayWhenSomethingIsHeldAlreadyOrNotAtAll)
{
    MappedRanges ranges;
    ranges.tryAdd(range(10, 10));
    EXPECT_FALSE(ranges.tryAdd(range(15, 10)));
    EXPECT_FALSE(ranges.remove(15, 10));
    EXPECT_EQ(textOf(ranges), "10+5 ");
}

TEST(MappedRanges, RefuseWhatWrapsAround)
{
    MappedRanges ranges;
    EXPECT_FALSE(ranges.tryAdd(range(~Address{0} - 5, 10)));
    EXPECT_FALSE(ranges.tryAdd(range(10, -1)));
    EXPECT_FALSE(ranges.tryAdd(range(10, 0)));
    EXPECT_TRUE(ranges.ranges().empty());
}

TEST(MappedRanges, FindWhatHoldsAnAddress)
{
    MappedRanges ranges;
    ranges.tryAdd(range(10, 10));
    EXPECT_EQ(ranges.at(9), nullptr);
    EXPECT_EQ(ranges.at(10)->begin, 10u);
    EXPECT_EQ(ranges.at(19)->begin, 10u);
    EXPECT_EQ(ranges.at(20), nullptr);
}

TEST_P(OnRandomRanges, DoWhatAPlainListDoes)
{
    test::Random random(GetParam());
    constexpr std::int64_t pages = 1500;
    MappedRanges ranges;
    PlainRanges plain;
    Bytes held = 0;
    for (int change = 0; change < 6000; ++change) {
        MappedRange range;
        range.begin = 4096 + 2 * static_cast<Address>(random.below(pages));
        range.size = 2 * (1 + random.below(random.oneIn(4) ? 8 : 1)) - random.below(2);
        range.stream = StreamId(static_cast<std::uint32_t>(random.below(2)));
        range.pool = PoolId(static_cast<std::uint32_t>(random.oneIn(8)));
        range.type = random.oneIn(8) ? SegmentType::Small : SegmentType::Large;
        range.expandable = !random.oneIn(3);
        if (random.below(change / 1500 % 2 == 0 ? 5 : 3) > 0) {
            const bool added = ranges.tryAdd(range);
            ASSERT_EQ(added, plain.tryAdd(range));
            held += added ? range.size : 0;
        } else {
            ASSERT_EQ(ranges.remove(range.begin, range.size), plain.remove(range.begin, range.size));
            held = 0;
            for (const MappedRange& each : plain.ranges())
                held += each.size;
        }
        if (change % 40 == 0)
            expectSameRanges(ranges, plain);
    }
    expectSameRanges(ranges, plain);
    Bytes sum = 0;
    for (const MappedRange& each : ranges.ranges())
        sum += each.size;
    EXPECT_EQ(sum, held);
    EXPECT_GT(ranges.count(), 2 * ChunkedVector<MappedRange>::kMaxInChunk);
}

INSTANTIATE_TEST_SUITE_P(Seeds, OnRandomRanges, testing::Range(0u, 8u));

/// A single sorted array would move 75,000 ranges at each of the 600,000 changes, which takes most of a
/// minute. The test of ChunkedVector counts the moves themselves.
TEST(MappedRanges, ChangeInAnyOrderWithoutMovingAllOfThem)
{
    constexpr std::int64_t count = 300'000;
    std::vector<MappedRange> segments;
    for (std::int64_t i = 0; i < count; ++i)
        segments.push_back(range(static_cast<Address>(4 * i + 4), 2));
    test::Random random(1);
    const auto shuffle = [&] {
        for (std::int64_t i = count - 1; i > 0; --i)
            std::swap(segments[static_cast<std::size_t>(i)],
                segments[static_cast<std::size_t>(random.below(i + 1))]);
    };
    MappedRanges ranges;
    shuffle();
    for (const MappedRange& each : segments)
        ASSERT_TRUE(ranges.tryAdd(each));
    EXPECT_EQ(ranges.count(), static_cast<std::size_t>(count));
    shuffle();
    for (const MappedRange& each : segments)
        ASSERT_TRUE(ranges.remove(each.begin, each.size));
    EXPECT_EQ(ranges.count(), 0u);
}

TEST(MappedRanges, PagesInUnitsOfTwentyMebibytesAreThoseOfTheLargePool)
{
    const auto trace = test::SnapshotBuilder()
                           .event(Action::SegmentMap, 0x7000'0000, 20 * kMiB)
                           .event(Action::SegmentUnmap, 0x7000'0000, 6 * kMiB)
                           .event(Action::SegmentAlloc, 0x7000'0000, 6 * kMiB)
                           .finish();
    EXPECT_EQ(rangeOfEvent(*trace, 0, 0).type, SegmentType::Large);
    EXPECT_EQ(rangeOfEvent(*trace, 0, 1).type, SegmentType::Small) << "three pages at once";
    EXPECT_EQ(rangeOfEvent(*trace, 0, 2).type, SegmentType::Large);
}

} // namespace highwater
