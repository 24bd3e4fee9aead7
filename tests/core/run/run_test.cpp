#include "core/run/run.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(RunMember, IsNamedByItsRank)
{
    EXPECT_EQ((RunMember{"run/a.pickle", 3, {}, {}}).label(), "rank 3");
    EXPECT_EQ((RunMember{"run/a.pickle", 3, 20, {}}).label(), "rank 3, step 20");
    EXPECT_EQ((RunMember{"run/a.pickle", {}, 20, {}}).label(), "a.pickle");
    EXPECT_EQ((RunMember{"a.pickle", {}, {}, {}}).label(), "a.pickle");
}

TEST(SortByRank, PutsRanksInOrderOfNumberAndTheUnknownLast)
{
    std::vector<RunMember> members{{"unknown", {}, {}, {}}, {"r10", 10, {}, {}}, {"r2-late", 2, 20, {}},
        {"r2-early", 2, 3, {}}, {"another", {}, {}, {}}};
    sortByRank(members);
    std::vector<std::string> paths;
    for (const RunMember& member : members)
        paths.push_back(member.path);
    EXPECT_EQ(paths, (std::vector<std::string>{"r2-early", "r2-late", "r10", "another", "unknown"}));
}

TEST(RankFromContent, IsWhatTheProducerSays)
{
    Trace trace;
    trace.metadata.producer = {{"torch", "2.6"}, {"rank", "5"}};
    EXPECT_EQ(rankFromContent(trace), 5);
    trace.metadata.producer.back().second = "five";
    EXPECT_EQ(rankFromContent(trace), std::nullopt);
}

TEST(RankFromContent, IsTheOneOfAllSeries)
{
    Trace trace;
    EXPECT_EQ(rankFromContent(trace), std::nullopt);
    trace.counters.resize(2);
    trace.counters[0].rank = 1;
    EXPECT_EQ(rankFromContent(trace), std::nullopt);
    trace.counters[1].rank = 1;
    EXPECT_EQ(rankFromContent(trace), 1);
    trace.counters[1].rank = 2;
    EXPECT_EQ(rankFromContent(trace), std::nullopt);
}

} // namespace highwater
