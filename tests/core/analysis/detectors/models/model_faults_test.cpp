#include <fmt/format.h>

#include "tests/core/analysis/detectors/detector_test_support.h"

/// Tests of faults in the parts of a model: gradients, optimizers, caches.
namespace highwater {

namespace {

const char* const kTraining = R"(
    stack load = /x/torch/nn/modules/module.py:9 convert | /app/train.py:2 main
    stack forward = /app/model.py:5 forward | /x/torch/nn/modules/module.py:9 _call_impl | /app/train.py:3 main
    stack cache = /x/transformers/cache_utils.py:136 update | /x/torch/nn/modules/module.py:9 _call_impl | /app/train.py:3 main
    stack backward = ??:0 torch::autograd::generated::MmBackward0::apply() | ??:0 torch::autograd::Engine::thread_main()
    stack step = /x/torch/optim/adamw.py:7 step | /x/torch/optim/optimizer.py:8 wrapper | /app/train.py:5 main
    stack second = /x/torch/optim/adamw.py:7 step | /x/torch/optim/optimizer.py:8 wrapper | /app/train.py:8 main
    stack zero = /x/torch/optim/optimizer.py:9 zero_grad | /app/train.py:6 main
)";

std::string weights()
{
    return "alloc w0 40960 @load\nalloc w1 81920 @load\nalloc w2 20480 @load\n";
}

/// Returns a step that keeps `kept`, allocated in forward, until the next step. It also allocates the
/// gradients of the trained weights, and the state that `optimizer` creates.
std::string trainingStep(
    int number, const std::string& optimizer, bool makesState, const std::string& kept = {})
{
    std::string text = fmt::format("alloc a{0} 50000 @forward\n{1}alloc g{0} 40960 @backward\n"
                                   "alloc h{0} 81920 @backward\nfree a{0} @backward\n",
        number, kept);
    if (makesState)
        for (const char* moment : {"m", "v"})
            text += fmt::format(
                "alloc {0}0{1} 40960 @{2}\nalloc {0}1{1} 81920 @{2}\n", moment, number, optimizer);
    else
        text += fmt::format("alloc t{0} 512 @{1}\nfree t{0} @{1}\n", number, optimizer);
    return text + fmt::format("free g{0} @zero\nfree h{0} @zero\n", number);
}

std::string training(const std::string& steps)
{
    return kTraining + weights() + steps + "end\n";
}

} // namespace

TEST(UnusedGradients, AreThoseOfWeightsThatNoOptimizerWorksOn)
{
    const test::DetectorCase kept(training(trainingStep(0, "step", true, "alloc frozen 20480 @backward\n")
        + trainingStep(1, "step", false) + trainingStep(2, "step", false)));
    const auto found = findUnusedGradients(kept.input);
    EXPECT_EQ(test::bytesOfOnly(found), 20480);
}

TEST(UnusedGradients, AreNoneWhereAllAreFreed)
{
    const test::DetectorCase tiny(training(trainingStep(0, "step", true) + trainingStep(1, "step", false)));
    EXPECT_TRUE(findUnusedGradients(tiny.input).empty());
}

TEST(SecondOptimizer, IsTheOneWhoseStateStandsBesideTheFirsts)
{
    const test::DetectorCase tiny(training(trainingStep(0, "step", true) + trainingStep(1, "step", false)
        + trainingStep(2, "second", true) + trainingStep(3, "second", false)));
    const auto found = findSecondOptimizer(tiny.input);
    EXPECT_EQ(test::bytesOfOnly(found), 2 * (40960 + 81920));
}

TEST(SecondOptimizer, IsNoneWhereThereIsASecondModel)
{
    const test::DetectorCase tiny(training("alloc x0 40960 @load\nalloc x1 81920 @load\n"
        + trainingStep(0, "step", true) + trainingStep(1, "step", false) + trainingStep(2, "second", true)
        + trainingStep(3, "second", false)));
    EXPECT_TRUE(findSecondOptimizer(tiny.input).empty());
}

TEST(KvCacheInTraining, IsWhatAForwardThatABackwardFollowsFills)
{
    const test::DetectorCase tiny(training(trainingStep(0, "step", true, "alloc k 30000 @cache\n")
        + trainingStep(1, "step", false, "free k @forward\nalloc l 30000 @cache\n")
        + trainingStep(2, "step", false)));
    EXPECT_EQ(test::bytesOfOnly(findKvCacheInTraining(tiny.input)), 30000);
    const test::DetectorCase without(
        training(trainingStep(0, "step", true) + trainingStep(1, "step", false)));
    EXPECT_TRUE(findKvCacheInTraining(without.input).empty());
}

} // namespace highwater
