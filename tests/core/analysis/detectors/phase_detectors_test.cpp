// Tests of detectors that use the phases of a run.
#include <fmt/format.h>

#include "core/base/text_parts.h"
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Returns one generation with this many rounds over three stacks. Each round frees its allocations unless it
/// `keeps` them.
std::string generation(int rounds, bool keeps, int places = 3)
{
    std::string text;
    for (int place = 0; place < places; ++place)
        text += fmt::format(
            "stack place{0} = model.py:{0} forward | rollout.py:5 generate | train.py:1 main\n", place);
    text += "stack train = train.py:9 train | train.py:1 main\n";
    for (int round = 0; round < rounds; ++round)
        for (int place = 0; place < places; ++place) {
            text += fmt::format("alloc r{0}p{1} 100 @place{1}\n", round, place);
            if (!keeps)
                text += fmt::format("free r{0}p{1} @place{1}\n", round, place);
        }
    return text + "alloc rest 50 @train\nend\n";
}

std::vector<Finding> generationIn(const std::string& text)
{
    const test::DetectorCase tiny(text);
    return findGenerationWithGradients(tiny.input);
}

} // namespace

TEST(GenerationWithGradients, IsFoundWhereEveryRoundIsKept)
{
    const auto found = generationIn(generation(5, true));
    EXPECT_EQ(test::bytesOfOnly(found), 5 * 3 * 100);
    EXPECT_EQ(found[0].grade, Grade::B);
    EXPECT_EQ(
        found[0].evidence[0].sentence, "5 allocations at forward (model.py) hold 500 B when generation ends")
        << "how long the blocks live is not known from the phase";
}

TEST(GenerationWithGradients, SavesAtMostAllButOneRound)
{
    // Without the graph, a round is freed when the next one is complete.
    const auto found = generationIn(generation(5, true));
    EXPECT_EQ(found[0].remedy.savedBytes, 1550 - 300);
    EXPECT_TRUE(found[0].remedy.isUpperBound) << "a cache may outlive its phase";
}

TEST(GenerationWithGradients, IsNotThereWhereRoundsAreFreed)
{
    EXPECT_TRUE(generationIn(generation(5, false)).empty());
}

TEST(GenerationWithGradients, IsNoCacheWithScores)
{
    EXPECT_TRUE(generationIn(generation(5, true, 2)).empty());
}

TEST(GenerationWithGradients, IsNoSetOfCachesBesideMuchThatIsFreed)
{
    // Three call sites keep the allocations of every round, four do not.
    std::string text = generation(5, true);
    text.resize(text.find("alloc rest"));
    for (int place = 4; place < 8; ++place)
        text += fmt::format(
            "stack freed{0} = model.py:{0} forward | rollout.py:5 generate | train.py:1 main\n", place);
    for (int round = 0; round < 5; ++round)
        for (int place = 4; place < 8; ++place)
            text += fmt::format("alloc f{0}p{1} 100 @freed{1}\nfree f{0}p{1} @freed{1}\n", round, place);
    EXPECT_TRUE(generationIn(text + "alloc rest 50 @train\nend\n").empty());
}

TEST(GenerationWithGradients, IsFoundWhereALineKeepsOneOfSeveralBlocksOfARound)
{
    // The formula of an activation function allocates three tensors; the graph needs one.
    std::string text = generation(5, true);
    text.resize(text.find("alloc rest"));
    for (int place = 4; place < 8; ++place)
        text += fmt::format(
            "stack line{0} = model.py:{0} forward | rollout.py:5 generate | train.py:1 main\n", place);
    for (int round = 0; round < 5; ++round)
        for (int place = 4; place < 8; ++place)
            text
                += fmt::format("alloc k{0}p{1} 100 @line{1}\nalloc g{0}p{1} 100 @line{1}\nalloc h{0}p{1} 100 "
                               "@line{1}\nfree g{0}p{1} @line{1}\nfree h{0}p{1} @line{1}\n",
                    round, place);
    EXPECT_EQ(test::bytesOfOnly(generationIn(text + "alloc rest 50 @train\nend\n")), 5 * 7 * 100);
}

TEST(GenerationWithGradients, NeedsSeveralRounds)
{
    EXPECT_TRUE(generationIn(generation(3, true)).empty());
}

TEST(PeakPhase, IsSilentWhereThePhaseIsNotKnown)
{
    const test::DetectorCase tiny("alloc a 100\nend\n");
    EXPECT_TRUE(findPeakPhase(tiny.input).empty());
}

TEST(PeakPhase, GivesThePeaksOfAllPhasesAndAdvisesNothing)
{
    const test::DetectorCase tiny(R"(
annotation forward 10 19
annotation backward 20 29
alloc a 1000 t=11
alloc b 300 t=12
free b t=13
alloc c 100 t=21
free c t=22
free a t=23
end
)");
    const auto found = findPeakPhase(tiny.input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].grade, Grade::A);
    EXPECT_EQ(found[0].bytes, 1300);
    ASSERT_EQ(found[0].evidence.size(), 2u);
    EXPECT_EQ(found[0].evidence[0].sentence, "Forward peaks at 1.27 KiB");
    EXPECT_EQ(found[0].remedy.action, "");
    EXPECT_EQ(found[0].remedy.savedBytes, 0);
}

TEST(PeakPhase, SaysWhereAPhaseHasEventsInFewOfTheSteps)
{
    const test::DetectorCase tiny(R"(
annotation ProfilerStep#0 0 99
annotation forward 10 19
annotation optimizer 20 29
annotation ProfilerStep#1 100 199
annotation forward 110 119
annotation optimizer 120 129
alloc a 1000 t=11
alloc state 100 t=21
free a t=30
alloc b 2000 t=111
free b t=130
end
)");
    const auto found = findPeakPhase(tiny.input);
    ASSERT_EQ(found.size(), 1u);
    std::string evidence;
    for (const Evidence& each : found[0].evidence)
        evidence += each.sentence + '\n';
    EXPECT_TRUE(contains(evidence, "Optimizer peaks at 1.07 KiB; it has events in 1 of 2 steps\n"))
        << evidence;
    EXPECT_TRUE(contains(evidence, "Forward peaks at 2.05 KiB\n")) << evidence;
}

TEST(PeakPhase, DoesNotCountTheBytesBetweenPhasesThatPeakAlike)
{
    const test::DetectorCase tiny(R"(
annotation forward 10 19
annotation backward 20 29
alloc a 100000 t=11
alloc b 4 t=21
free b t=22
free a t=23
end
)");
    const auto found = findPeakPhase(tiny.input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].title.ends_with("; forward peaks as high")) << found[0].title;
}

TEST(OptimizerState, IsSilentWhereItIsOlderThanTheTrace)
{
    const test::DetectorCase tiny(R"(
stack step = /site-packages/torch/optim/adamw.py:9 step
annotation Optimizer.step#AdamW.step 30 39
alloc t 400 @step t=31
free t @step t=32
final m 400 @step
final v 400 @step
)");
    EXPECT_TRUE(findOptimizerState(tiny.input).empty());
}

TEST(OptimizerState, IsFoundWhereTheFirstStepMakesIt)
{
    const test::DetectorCase tiny(R"(
stack step = /site-packages/torch/optim/adamw.py:9 step
annotation Optimizer.step#AdamW.step 30 39
alloc p 400 t=1
alloc m 400 @step t=31
alloc v 400 @step t=32
alloc next 10 t=45
end
)");
    const auto found = findOptimizerState(tiny.input);
    EXPECT_EQ(test::bytesOfOnly(found), 800);
    EXPECT_EQ(found[0].remedy.savedBytes, 400);
}

TEST(OptimizerState, SaysThatMemoryRanOutBeforeAllOfItWasMade)
{
    const test::DetectorCase tiny(R"(
stack step = /site-packages/torch/optim/adamw.py:9 step
annotation Optimizer.step#AdamW.step 30
alloc p 400 t=1
alloc q 600 t=2
alloc m 400 @step t=31
alloc v 400 @step t=32
oom 600 8
end
)");
    const auto found = findOptimizerState(tiny.input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].title, {"ran out", "first optimizer step"}));
    for (const Evidence& evidence : found[0].evidence)
        EXPECT_EQ(evidence.sentence.find("events later"), std::string::npos) << evidence.sentence;
}

TEST(SteadyForecast, IsSilentWhereMemoryRanOutWithinTheOptimizer)
{
    const std::string run = R"(
stack forward = /x/torch/nn/modules/module.py:1 _call_impl
stack backward = engine:0 torch::autograd::Engine::thread_main()
stack step = /site-packages/torch/optim/adamw.py:9 step
alloc p 400
alloc a 4000 @forward
alloc g 400 @backward
free a @backward
alloc m 400 @step
alloc v 400 @step
)";
    const test::DetectorCase whole(run + "end\n");
    EXPECT_EQ(findSteadyForecast(whole.input).size(), 1u);
    const test::DetectorCase cut(run + "oom 400 8\nend\n");
    EXPECT_TRUE(findSteadyForecast(cut.input).empty());
}

namespace {

std::string stateAdviceFor(const std::string& sample)
{
    const auto imported = openTrace(test::snapshotPath(sample), {});
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findOptimizerState(DetectorInput(study));
    return found.empty() ? "no finding" : found.front().remedy.action;
}

} // namespace

TEST(OptimizerState, IsNotToBeNarrowedWhereItIsNarrow)
{
    EXPECT_EQ(stateAdviceFor("r5-flan-t5-xl-before").find("8-bit"), std::string::npos);
    EXPECT_FALSE(stateAdviceFor("r1-grpo-before").starts_with("Use bf16"));
}

TEST(OptimizerState, NeedsNoAdviceWhereTheRunFitsWithRoomToSpare)
{
    EXPECT_EQ(stateAdviceFor("r3-vocabulary-after"), "");
}

} // namespace highwater
