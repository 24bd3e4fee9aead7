#include "core/analysis/steps/stack_roles.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Returns the role of a stack in the notation of traceFromText, innermost frame first.
StackRole roleOf(const std::string& frames)
{
    const auto trace = test::traceFromText("stack s = " + frames + "\nalloc a 8 @s\nend");
    return StackRoles(*trace).roleOf(trace->events.stack[0]);
}

Phase phaseOfStack(const std::string& frames)
{
    return roleOf(frames).phase;
}

const std::string kMain = " | /work/train.py:9 main";
const std::string kModule = "/x/torch/nn/modules/module.py:1 _call_impl";
const std::string kEngine = "x:0 torch::autograd::Engine::thread_main(std::shared_ptr<GraphTask>)";

} // namespace

TEST(StackRoles, KnowTheForwardOfAModule)
{
    EXPECT_EQ(phaseOfStack("/work/model.py:5 attend | " + kModule + kMain), Phase::Forward);
    EXPECT_EQ(phaseOfStack("/work/loss.py:5 cross_entropy" + kMain), Phase::Forward);
    EXPECT_EQ(phaseOfStack("/work/train.py:5 prepare" + kMain), Phase::Unknown);
}

TEST(StackRoles, KnowAnOptimizerInTorchAndByHand)
{
    EXPECT_EQ(phaseOfStack("/x/torch/optim/adamw.py:1 _multi_tensor_adamw" + kMain), Phase::Optimizer);
    EXPECT_EQ(phaseOfStack("/work/own.py:903 step | /x/torch/optim/optimizer.py:1 wrapper" + kMain),
        Phase::Optimizer);
    EXPECT_EQ(phaseOfStack("/x/bitsandbytes/optim/optimizer.py:1 step" + kMain), Phase::Optimizer);
    EXPECT_EQ(phaseOfStack("/x/torch/optim/lr_scheduler.py:1 step" + kMain), Phase::Unknown);
}

TEST(StackRoles, TakeZeroGradForNoOptimizer)
{
    const StackRole role
        = roleOf("/x/torch/optim/optimizer.py:975 zero_grad | /x/torch/_compile.py:32 inner" + kMain);
    EXPECT_TRUE(role.zeroGrad);
    EXPECT_EQ(role.phase, Phase::Unknown);
}

TEST(StackRoles, CallRecomputationBackward)
{
    EXPECT_EQ(phaseOfStack(kModule + " | /x/torch/utils/checkpoint.py:1 backward" + kMain), Phase::Backward);
    EXPECT_EQ(phaseOfStack(kModule + " | /x/torch/utils/checkpoint.py:1 recompute_fn | " + kEngine),
        Phase::Backward);
}

TEST(StackRoles, KnowNodesOfAutogradByTheirNames)
{
    EXPECT_EQ(phaseOfStack("x:0 NllLossBackward"), Phase::Backward);
    EXPECT_EQ(phaseOfStack("x:0 aten::mm | x:0 MmBackward0"), Phase::Backward);
    EXPECT_EQ(phaseOfStack("x:0 torch::autograd::AccumulateGrad"), Phase::Backward);
    EXPECT_EQ(phaseOfStack("x:0 aten::nll_loss_backward"), Phase::Unknown);
    EXPECT_EQ(phaseOfStack("x:0 at::native::Backward(int)"), Phase::Unknown);
}

TEST(StackRoles, CallTheEngineBackwardUnlessAnOptimizerRunsInIt)
{
    EXPECT_EQ(phaseOfStack(kEngine), Phase::Backward);
    EXPECT_EQ(phaseOfStack("/x/torch/optim/sgd.py:1 step | " + kEngine), Phase::Optimizer);
}

TEST(StackRoles, LeaveAClosureOfTheOptimizerItsPhases)
{
    const std::string step = " | /x/torch/optim/lbfgs.py:1 step" + kMain;
    EXPECT_EQ(phaseOfStack(kModule + " | /work/train.py:5 closure" + step), Phase::Forward);
    EXPECT_EQ(
        phaseOfStack("/x/torch/_tensor.py:1 backward | /work/train.py:6 closure" + step), Phase::Backward);
}

TEST(StackRoles, TellGenerationScoringAndEvaluationFromForward)
{
    EXPECT_EQ(phaseOfStack(kModule + " | /x/transformers/utils.py:1 generate" + kMain), Phase::Generation);
    EXPECT_EQ(phaseOfStack(kModule + " | /x/vllm/worker.py:1 execute_model" + kMain), Phase::Generation);
    EXPECT_EQ(phaseOfStack(kModule + " | /x/trl/grpo.py:1 _get_per_token_logps" + kMain), Phase::Scoring);
    EXPECT_EQ(phaseOfStack(kModule + " | /x/trainer.py:1 evaluation_loop" + kMain), Phase::Evaluation);
}

TEST(StackRoles, TakeLogProbabilitiesOfTheLossForForward)
{
    const std::string loss = " | /x/trl/grpo.py:2 compute_loss" + kMain;
    EXPECT_EQ(phaseOfStack(kModule + " | /x/trl/grpo.py:1 _get_per_token_logps" + loss), Phase::Forward);
    EXPECT_EQ(phaseOfStack(kModule + " | /x/trl/dpo.py:1 compute_ref_log_probs" + loss), Phase::Scoring);
    EXPECT_EQ(phaseOfStack(kModule + " | /work/t.py:1 policy_log_probs" + kMain), Phase::Forward);
}

TEST(StackRoles, KnowTheBatchThatIsMade)
{
    EXPECT_EQ(phaseOfStack("/x/torch/utils/data/dataloader.py:1 __next__" + kMain), Phase::Data);
    EXPECT_EQ(phaseOfStack("/work/data.py:1 collate_batch" + kMain), Phase::Data);
}

TEST(StackRoles, ReadPathsOfWindows)
{
    EXPECT_EQ(phaseOfPythonFrame("_call_impl", "C:\\env\\Lib\\site-packages\\torch\\nn\\modules\\module.py"),
        Phase::Forward);
}

} // namespace highwater
