#include <gtest/gtest.h>

#include "importers/nsys/nvtx_name.h"

namespace highwater::nsys {

TEST(NvtxName, LosesWhatEmitNvtxAdds)
{
    EXPECT_EQ(nvtxName("aten::mm, seq = 34, op_id = 12").text, "aten::mm");
    EXPECT_EQ(nvtxName("aten::mm, op_id = 12, sizes = [[2, 3], [3, 4]]").text, "aten::mm");
    EXPECT_EQ(nvtxName("forward, part 2").text, "forward, part 2");
}

TEST(NvtxName, IsAnOperatorsWithANamespaceOrASequenceNumber)
{
    EXPECT_TRUE(nvtxName("aten::mm, op_id = 12").isOperator);
    EXPECT_TRUE(nvtxName("autograd::engine::evaluate_function: MmBackward0").isOperator);
    EXPECT_TRUE(nvtxName("MulBackward0, seq = 3, op_id = 4").isOperator);
    EXPECT_TRUE(nvtxName("nccl:all_to_all, seq = 1").isOperator);
}

TEST(NvtxName, OfTheUserOrOfFsdpIsNoOperators)
{
    EXPECT_FALSE(nvtxName("forward").isOperator);
    EXPECT_FALSE(nvtxName("my range, op_id = 3").isOperator);
    EXPECT_FALSE(nvtxName("FSDP::pre_forward (blocks.8), op_id = 9").isOperator);
    EXPECT_FALSE(nvtxName("::odd").isOperator);
}

TEST(NvtxName, OfAStepAloneTakesThePayloadAsItsNumber)
{
    EXPECT_EQ(nvtxName("train_step", 7).text, "train_step 7");
    EXPECT_EQ(nvtxName("Iteration", 0).text, "Iteration 0");
    EXPECT_EQ(nvtxName("step_3", 7).text, "step_3");
    EXPECT_EQ(nvtxName("optimizer", 7).text, "optimizer");
}

TEST(NvtxStepName, IsAStepWordWithAtMostANumberBehindIt)
{
    for (const char* name : {"step", "step_12", "Step 3", "iteration-4", "iter#5", "train_step",
             "training/batch:6", "global_step=9", "ProfilerStep#3", "step12"})
        EXPECT_TRUE(isStepName(name)) << name;
}

TEST(NvtxStepName, IsNoOtherName)
{
    for (const char* name : {"", "forward", "optimizer_step", "steps", "iterations 3", "step_12_forward",
             "end-of-step", "batchnorm", "train"})
        EXPECT_FALSE(isStepName(name)) << name;
}

} // namespace highwater::nsys
