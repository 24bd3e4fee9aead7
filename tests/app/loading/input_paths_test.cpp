#include "app/loading/input_paths.h"

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct NameAndFacts
{
    const char* path;
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> step;
};

} // namespace

class FactsFromName : public testing::TestWithParam<NameAndFacts>
{
};

TEST_P(FactsFromName, AreRankAndStep)
{
    const NameFacts facts = factsFromName(GetParam().path);
    EXPECT_EQ(facts.rank, GetParam().rank) << GetParam().path;
    EXPECT_EQ(facts.step, GetParam().step) << GetParam().path;
}

INSTANTIATE_TEST_SUITE_P(SeenInTheWild, FactsFromName,
    testing::Values(NameAndFacts{"dump_snapshot.pickle", {}, {}}, NameAndFacts{"snapshot.pickle", {}, {}},
        NameAndFacts{"oom_snapshot.pickle", {}, {}}, NameAndFacts{"my_snapshot.pickle", {}, {}},
        NameAndFacts{"snapshot_3.pickle", 3, {}}, NameAndFacts{"snapshot_oom_rank-12.pickle", 12, {}},
        NameAndFacts{"000003_step_20.pickle", 3, 20}, NameAndFacts{"oom_rank7.pickle", 7, {}},
        NameAndFacts{"memory_snapshot_48213.pickle", {}, {}},
        NameAndFacts{"iteration_5/rank2_memory_snapshot.pickle", 2, 5},
        NameAndFacts{"run/iteration_20/rank0.pickle.zst", 0, 20}));

INSTANTIATE_TEST_SUITE_P(Others, FactsFromName,
    testing::Values(NameAndFacts{"rank_4/step-9/x.pickle", {}, 9},
        NameAndFacts{"rank4/snapshot.pickle", 4, {}}, NameAndFacts{"rank4/rank5.pickle", 5, {}},
        NameAndFacts{"crank3.pickle", {}, {}}, NameAndFacts{"timestep3.pickle", {}, {}},
        NameAndFacts{"rank.pickle", {}, {}}, NameAndFacts{"", {}, {}}, NameAndFacts{"-", {}, {}},
        NameAndFacts{"rank99999999999999999999.pickle", {}, {}},
        NameAndFacts{"snapshot_3_final.pickle", {}, {}}, NameAndFacts{"snapshot_3", 3, {}}));

TEST(FactsFromName, TellThePipelineStage)
{
    EXPECT_EQ(factsFromName("pp1_rank5.pickle").stage, 1);
    EXPECT_EQ(factsFromName("stage_2/rank5.pickle").stage, 2);
    EXPECT_EQ(factsFromName("rank5_app1.pickle").stage, std::nullopt);
}

TEST(ExpandInputs, LeavesFilesAndMissingPathsAlone)
{
    EXPECT_EQ(expandInputs({"-", "no-such-file", "-"}),
        (std::vector<InputPath>{{"-", false}, {"no-such-file", false}, {"-", false}}));
}

TEST(ExpandInputs, GivesTheFilesOfADirectoryByName)
{
    const test::TemporaryFolder folder;
    const std::string b = folder.write("b", "");
    const std::string a = folder.write("a", "");
    EXPECT_EQ(expandInputs({folder.path().string()}), (std::vector<InputPath>{{a, true}, {b, true}}));
}

TEST(ExpandInputs, LeavesOutHiddenFilesAndFolders)
{
    const test::TemporaryFolder folder;
    folder.write(".hidden", "");
    folder.write("inner/file", "");
    EXPECT_TRUE(expandInputs({folder.path().string()}).empty());
}

} // namespace highwater
