#include "importers/pickle/reference_list_cache.h"

#include <string>

#include <gtest/gtest.h>

#include "importers/pickle/pickle_machine.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/piecewise_source.h"
#include "tests/support/plain_factory.h"
#include "tests/support/random_trace.h"

namespace highwater {

using test::PickleWriter;
using test::readPickle;

namespace {

struct Cache
{
    void remember(const std::string& bytes, std::uint32_t index)
    {
        cache.remember(data(bytes), bytes.size(), Value::object(1, index));
    }
    ReferenceListCache::Hit find(const std::string& bytes) { return cache.find(data(bytes), bytes.size()); }
    ReferenceListCache::Hit predicted(const std::string& bytes)
    {
        return cache.predicted(data(bytes), bytes.size());
    }
    static const std::uint8_t* data(const std::string& bytes)
    {
        return reinterpret_cast<const std::uint8_t*>(bytes.data());
    }

    ReferenceListCache cache;
};

} // namespace

TEST(ReferenceListCache, FindsAListByItsBytes)
{
    Cache cache;
    cache.remember("h\1h\2e", 5);
    EXPECT_EQ(cache.find("h\1h\2e").length, 5u);
    EXPECT_EQ(cache.find("h\1h\2e").value.index, 5u);
    EXPECT_EQ(cache.find("h\1h\3e").length, 0u);
}

TEST(ReferenceListCache, PredictsWhatFollowedLastTime)
{
    Cache cache;
    cache.remember("first", 1);
    cache.remember("second", 2);
    cache.find("first");
    EXPECT_EQ(cache.predicted("second and more").value.index, 2u);
}

TEST(ReferenceListCache, PredictsNothingWhereOtherBytesStand)
{
    Cache cache;
    cache.remember("first", 1);
    cache.remember("second", 2);
    cache.find("first");
    EXPECT_EQ(cache.predicted("secont").length, 0u);
    EXPECT_EQ(cache.predicted("sec").length, 0u); // too few bytes are available
}

TEST(ReferenceListCache, LearnsANewSuccessor)
{
    Cache cache;
    cache.remember("a", 1);
    cache.remember("b", 2);
    cache.remember("c", 3);
    cache.find("a");
    cache.find("c");
    cache.find("a");
    EXPECT_EQ(cache.predicted("c").value.index, 3u);
}

TEST(ReferenceListCache, ForgetsEverythingWhenCleared)
{
    Cache cache;
    cache.remember("a", 1);
    cache.cache.clear();
    EXPECT_EQ(cache.find("a").length, 0u);
    EXPECT_EQ(cache.cache.memoryBytes(), 0u);
}

TEST(ReferenceLists, ReadTheSameWithAndWithoutTheCache)
{
    test::Random random(3);
    for (int run = 0; run < 200; ++run) {
        PickleWriter writer;
        writer.emptyList().memoize().mark();
        for (int i = 0; i < 6; ++i)
            writer.integer(i).integer(i * 7).tuple2().memoize();
        for (int list = 0; list < 30; ++list) {
            writer.emptyList();
            if (!random.oneIn(3))
                writer.memoize();
            writer.mark();
            for (std::int64_t i = random.below(5); i >= 0; --i)
                writer.get(static_cast<std::uint32_t>(1 + random.below(random.oneIn(20) ? 8 : 6)));
            writer.appends();
        }
        const std::string bytes = writer.appends().stop();
        ASSERT_EQ(readPickle(bytes, 1 << 20, true).value, readPickle(bytes, 1 << 20, false).value) << run;
        ASSERT_EQ(readPickle(bytes, 13, true).value, readPickle(bytes, 1 << 20, false).value) << run;
    }
}

TEST(ReferenceLists, FollowAMemoEntryThatGotAnotherMeaning)
{
    PickleWriter writer;
    writer.emptyList().put(9).mark();
    writer.integer(1).integer(1).tuple2().put(0).integer(2).integer(2).tuple2().put(1);
    writer.emptyList().mark().get(0).get(1).appends();
    writer.integer(3).integer(3).tuple2().put(0);
    writer.emptyList().mark().get(0).get(1).appends();
    EXPECT_EQ(readPickle(writer.appends().stop(), 1 << 20, true).value,
        "[(1, 1), (2, 2), [(1, 1), (2, 2)], (3, 3), [(3, 3), (2, 2)]]");
}

TEST(ReferenceLists, MayGrowAfterwardsWithoutChangingTheirTwins)
{
    PickleWriter writer;
    writer.emptyList().memoize().mark();
    writer.integer(1).integer(1).tuple2().memoize().integer(2).integer(2).tuple2().memoize();
    writer.emptyList().mark().get(1).get(2).appends();
    writer.emptyList().mark().get(1).get(2).appends().get(1).append();
    EXPECT_EQ(readPickle(writer.appends().stop(), 1 << 20, true).value,
        "[(1, 1), (2, 2), [(1, 1), (2, 2)], [(1, 1), (2, 2), (1, 1)]]");
}

TEST(ReferenceLists, AreReadOnceOnly)
{
    test::PlainFactory factory(true);
    PickleWriter writer;
    writer.emptyList()
        .memoize()
        .mark()
        .integer(1)
        .integer(1)
        .tuple2()
        .memoize()
        .integer(2)
        .integer(2)
        .tuple2()
        .memoize();
    for (int i = 0; i < 1000; ++i)
        writer.emptyList().mark().get(1).get(2).appends();
    test::PiecewiseSource source(writer.appends().stop(), 1 << 20);
    ReadBuffer buffer(source);
    ASSERT_TRUE(PickleMachine(buffer, factory, 1 << 30).run());
    EXPECT_LT(factory.containerCount(), 2000u); // one list, and the empty list that each begins with
}

} // namespace highwater
