// Tests which rank wrote a file, according to its path, in the layouts of various launchers.
#include "app/loading/rank_identity.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

std::string howOf(const RankIdentity& identity, std::string_view what)
{
    for (const auto& [name, how] : identity.found)
        if (name == what)
            return how;
    return {};
}

} // namespace

TEST(RankIdentity, IsFoundInTheFoldersOfTorchtitan)
{
    const RankIdentity identity
        = identityFromPath("/run/memory_snapshot/iteration_10_exit/rank31_memory_snapshot.pickle");
    EXPECT_EQ(identity.rank, 31);
    EXPECT_EQ(identity.step, 10);
    EXPECT_EQ(howOf(identity, "rank"), "file name");
    EXPECT_EQ(howOf(identity, "step"), "folder");
    EXPECT_EQ(identityFromPath("000003_step_20.pickle").rank, 3);
    EXPECT_EQ(identityFromPath("000003_step_20.pickle").step, 20);
}

TEST(RankIdentity, IsFoundInTheNamesOfMegatron)
{
    EXPECT_EQ(identityFromPath("oom_rank-17_snapshot.pickle").rank, 17);
    EXPECT_EQ(identityFromPath("out/snapshot_5.pickle").rank, 5);
    const RankIdentity parallel = identityFromPath("ckpt/mp_rank_01_002/snapshot.pickle");
    EXPECT_EQ(parallel.tp, 1);
    EXPECT_EQ(parallel.pp, 2);
    EXPECT_FALSE(parallel.rank) << "of a model-parallel group, not of the run";
}

TEST(RankIdentity, IsFoundInTheNamesOfVerl)
{
    EXPECT_EQ(identityFromPath("global_step_5/mem_2025_rank_12.pickle").rank, 12);
    EXPECT_EQ(identityFromPath("global_step_5/mem_2025_rank_12.pickle").step, 5);
}

TEST(RankIdentity, IsFoundInTheNamesOfLightning)
{
    EXPECT_EQ(identityFromPath("lightning_logs/version_0/epoch=1-step=200-rank=3.pickle").step, 200);
    EXPECT_EQ(identityFromPath("lightning_logs/version_0/epoch=1-step=200-rank=3.pickle").rank, 3);
}

TEST(RankIdentity, IsFoundInTheFoldersOfTorchrun)
{
    const RankIdentity torchrun = identityFromPath("logs/none_abc/attempt_0/6/snapshot.pickle");
    EXPECT_EQ(torchrun.rank, 6);
    EXPECT_EQ(howOf(torchrun, "rank"), "torchrun's folder");
}

TEST(RankIdentity, TellsEveryKindOfParallelism)
{
    const RankIdentity identity = identityFromPath("node017/rank9_tp1_pp2_dp3_ep4.pickle");
    EXPECT_EQ(identity.rank, 9);
    EXPECT_EQ(identity.tp, 1);
    EXPECT_EQ(identity.pp, 2);
    EXPECT_EQ(identity.dp, 3);
    EXPECT_EQ(identity.ep, 4);
    EXPECT_EQ(identity.host, "node017");
    EXPECT_EQ(identityFromPath("gpu-4.cluster_Nov_22_10_15_33.pickle").host, "gpu-4.cluster");
}

TEST(RankIdentity, IsNotMadeOfWordsThatOnlyLookLikeIt)
{
    EXPECT_FALSE(identityFromPath("frank3.pickle").rank);
    EXPECT_FALSE(identityFromPath("local_rank_3.pickle").rank);
    EXPECT_FALSE(identityFromPath("tp_rank_3.pickle").rank);
    EXPECT_FALSE(identityFromPath("rank99999999999999999999.pickle").rank) << "no number holds it";
    EXPECT_FALSE(identityFromPath("").rank);
    EXPECT_TRUE(identityFromPath("mystep/steps.pickle").found.empty());
}

TEST(RankIdentity, IsWhatTheUserSays)
{
    RankIdentity identity = identityFromPath("rank3.pickle");
    ASSERT_TRUE(setIdentity(identity, "rank=4,pp=1,host=node7", "option"));
    EXPECT_EQ(identity.rank, 4);
    EXPECT_EQ(identity.pp, 1);
    EXPECT_EQ(identity.host, "node7");
    EXPECT_EQ(howOf(identity, "rank"), "option");
    EXPECT_FALSE(setIdentity(identity, "rank=x", "option"));
    EXPECT_FALSE(setIdentity(identity, "nonsense=3", "option"));
}

TEST(RankIdentity, IsNotTheLocalRankOfANodesFolder)
{
    EXPECT_FALSE(identityFromPath("node1/none_abc/attempt_0/6/snapshot.pickle").rank);
    EXPECT_EQ(identityFromPath("node1/none_abc/attempt_0/6/rank14.pickle").rank, 14);
}

} // namespace highwater
