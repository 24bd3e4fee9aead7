#include <regex>

#include "tests/core/analysis/detectors/detector_test_support.h"

namespace highwater {

namespace {

/// Returns two steps. The second begins with the first one's gradients `w`, which `early` and `late` free.
std::string twoSteps(const char* early, const char* late)
{
    return std::string(R"(
stack forward = model.py:3 forward
stack zero = /site-packages/torch/optim/optimizer.py:9 zero_grad
stack step = /site-packages/torch/optim/adamw.py:9 step
stack backward = autograd.cpp:0 torch::autograd::Engine::evaluate_function
alloc p 400 @forward t=1
annotation forward 10 19
annotation backward 20 29
annotation Optimizer.step#AdamW.step 30 39
annotation forward 50 59
annotation backward 70 79
annotation Optimizer.step#AdamW.step 80 89
alloc x 1000 @forward t=11
alloc w 400 @backward t=21
free x @backward t=22
alloc m 400 @step t=31
alloc v 400 @step t=32
)") + early
        + R"(
alloc y 1000 @forward t=51
alloc z 500 @forward t=52
free z @forward t=53
)" + late
        + R"(
alloc g 400 @backward t=71
free y @backward t=72
free g @zero t=95
end
)";
}

/// Returns one step of a model whose parameters and gradients were allocated before recording began; `after`
/// follows it.
std::string olderGradients(const char* after)
{
    return std::string(R"(
stack forward = model.py:3 forward
stack zero = /site-packages/torch/optim/optimizer.py:9 zero_grad
stack step = /site-packages/torch/optim/adamw.py:9 step
stack backward = autograd.cpp:0 torch::autograd::Engine::evaluate_function
annotation forward 10 19
annotation backward 20 29
annotation Optimizer.step#AdamW.step 30 39
alloc x 1000 @forward t=11
alloc a 4000 @backward t=21
free a @backward t=22
alloc b 7000 @backward t=23
free b @backward t=24
free x @backward t=25
alloc temporary 9000 @step t=31
free temporary @step t=32
)") + after
        + R"(
final p 4000
final q 7000
final g 4000
final h 7000
)";
}

std::vector<Finding> staleOf(const std::string& text)
{
    const test::DetectorCase tiny(text);
    return findStaleGradients(tiny.input);
}

} // namespace

TEST(StaleGradients, AreFoundWhereZeroGradComesAfterForward)
{
    const auto found = staleOf(twoSteps("", "free w @zero t=60"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].grade, Grade::A);
    EXPECT_EQ(found[0].bytes, 400);
    EXPECT_EQ(found[0].step, 1u);
}

TEST(StaleGradients, AreNotThereWhereZeroGradComesBefore)
{
    EXPECT_TRUE(staleOf(twoSteps("free w @zero t=45", "")).empty());
}

TEST(StaleGradients, ThatNothingFreesAreSaidWithLessCertainty)
{
    const auto found = staleOf(twoSteps("", ""));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].grade, Grade::B);
}

TEST(StaleGradients, OlderThanTheRecordingThatOutliveTheOptimizerAreAFactWhereThePeakIsTheSame)
{
    const auto found = staleOf(olderGradients(""));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, FindingKind::Fact);
    EXPECT_EQ(found[0].grade, Grade::C);
    EXPECT_EQ(found[0].bytes, 11'000);
}

TEST(StaleGradients, OlderThanTheRecordingThatTheOptimizerHasNotUsedYetAreNone)
{
    const std::string text
        = std::regex_replace(olderGradients(""), std::regex("annotation Opt.*\n|.*@step.*\n"), "");
    EXPECT_TRUE(staleOf(text).empty());
}

} // namespace highwater
