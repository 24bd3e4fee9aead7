#include "core/analysis/steps/phases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/steps/phase_annotations.h"
#include "importers/registry/open_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

const std::string kPhaseStacks = R"(
stack forward = /x/torch/nn/modules/module.py:1 _call_impl | /work/train.py:5 main
stack backward = engine:0 torch::autograd::Engine::thread_main()
stack zero = /x/torch/optim/optimizer.py:2 zero_grad | /work/train.py:7 main
stack step = /x/torch/optim/adamw.py:3 step | /work/train.py:8 main
stack user = /work/train.py:9 main
stack none =
)";

PhaseTable phasesOf(const std::string& text)
{
    return findPhases(AllocationTable(*test::traceFromText(kPhaseStacks + text), 0));
}

using Ranges = std::vector<PhaseRange>;

std::shared_ptr<const Trace> opened(const std::string& path)
{
    return openTrace(path, {})->trace;
}

} // namespace

TEST(Phases, ComeFromTheFramesOfEachEvent)
{
    const Ranges wanted = {{0, 1, Phase::Forward, Grade::B}, {1, 2, Phase::Backward, Grade::B},
        {2, 3, Phase::Optimizer, Grade::B}};
    EXPECT_EQ(phasesOf("alloc a 8 @forward\nalloc b 8 @backward\nalloc c 8 @step\nend").ranges(), wanted);
}

TEST(Phases, ComeFromAnnotationsBeforeFrames)
{
    const Ranges wanted = {{0, 2, Phase::Forward, Grade::A}, {2, 3, Phase::Backward, Grade::B}};
    EXPECT_EQ(phasesOf("annotation forward 1 2\nalloc a 8 @user t=1\nalloc b 8 @backward t=2\nalloc c 8 "
                       "@backward t=3\nend")
                  .ranges(),
        wanted);
}

TEST(Phases, TakeTheInnermostAnnotation)
{
    const Ranges wanted = {{0, 1, Phase::Evaluation, Grade::A}, {1, 2, Phase::Generation, Grade::A},
        {2, 3, Phase::Evaluation, Grade::A}};
    EXPECT_EQ(phasesOf("annotation evaluate 1 3\nannotation generate 2 2\n"
                       "alloc a 8 t=1\nalloc b 8 t=2\nalloc c 8 t=3\nend")
                  .ranges(),
        wanted);
}

TEST(Phases, LetAClosureInsideTheOptimizersAnnotationSpeakForItself)
{
    const Ranges wanted = {{0, 1, Phase::Forward, Grade::B}, {1, 2, Phase::Optimizer, Grade::A}};
    EXPECT_EQ(
        phasesOf("annotation Optimizer.step#LBFGS.step 1 2\nalloc a 8 @forward t=1\nalloc b 8 @user t=2\nend")
            .ranges(),
        wanted);
}

TEST(Phases, GiveZeroGradToThePhaseBeforeIt)
{
    const PhaseTable phases
        = phasesOf("alloc old 8 @forward\nalloc a 8 @forward\nfree old @zero\nalloc b 8 @backward\nend");
    EXPECT_EQ(phases.at(2), Phase::Forward);
    EXPECT_EQ(phases.at(3), Phase::Forward);
    EXPECT_EQ(phases.at(4), Phase::Backward);
}

TEST(Phases, ContinueOverAnEventThatSaysNothing)
{
    const Ranges wanted = {{0, 4, Phase::Forward, Grade::B}};
    EXPECT_EQ(phasesOf("alloc a 8 @forward\nfree a @user\nalloc b 8 @forward\nend").ranges(), wanted);
}

TEST(Phases, GiveWhatIsAllocatedBehindAnOptimizerToWhatComesNext)
{
    const PhaseTable phases = phasesOf("alloc a 8 @step\nalloc b 8 @user\nalloc c 8 @forward\nend");
    EXPECT_EQ(phases.at(1), Phase::Forward);
}

TEST(Phases, StayUnknownBehindAnAnnotationWithoutStacks)
{
    std::string text = "annotation Optimizer.step#SGD.step 0 0\nannotation Optimizer.step#SGD.step 900 "
                       "900\nalloc a 8 t=0\n";
    for (int i = 1; i < 100; ++i)
        text += "alloc b" + std::to_string(i) + " 8 t=" + std::to_string(i) + "\n";
    const PhaseTable phases = phasesOf(text + "alloc c 8 t=900\nend");
    const Ranges wanted = {{0, 1, Phase::Optimizer, Grade::A}, {1, 100, Phase::Unknown, Grade::C},
        {100, 101, Phase::Optimizer, Grade::A}};
    EXPECT_EQ(phases.ranges(), wanted);
}

TEST(Phases, CallWhatHasNoPythonAfterForwardBackwardInFilesOfPythonAlone)
{
    const auto trace
        = test::traceFromText("stack forward = /x/torch/nn/modules/module.py:1 _call_impl\nstack none =\n"
                              "alloc a 8 @forward\nalloc b 8 @none\nend");
    const Ranges wanted = {{0, 1, Phase::Forward, Grade::B}, {1, 2, Phase::Backward, Grade::C}};
    EXPECT_EQ(findPhases(AllocationTable(*trace, 0)).ranges(), wanted);
}

TEST(Phases, DoNotContinueABackwardIntoTheNextStep)
{
    std::string text
        = "stack op = aten:0 aten::add\nannotation ProfilerStep#0 1 9\nannotation ProfilerStep#1 "
          "10 19\n";
    for (const auto& [blocks, time] : {std::pair("abcd", 1), std::pair("efgh", 10)}) {
        for (const char* block = blocks; *block; ++block)
            text += fmt::format("alloc {} 8 @op t={}\n", *block, time);
        text += fmt::format("alloc {0}grad 8 @backward t={1}\n", blocks, time + 1);
        for (const char* block = blocks; *block; ++block)
            text += fmt::format("free {} @backward t={}\n", *block, time + 2);
    }
    const PhaseTable phases = phasesOf(text + "end");
    EXPECT_EQ(phases.at(12), Phase::Backward) << "the last free of the first step";
    EXPECT_EQ(phases.at(13), Phase::Forward) << "a block that the second backward frees";
    EXPECT_EQ(phases.at(17), Phase::Backward);
}

TEST(Phases, TileEveryTrace)
{
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const auto trace = test::randomTrace(seed, {.consistent = seed % 2 == 0});
        std::int64_t at = 0;
        Phase before = Phase::Unknown;
        const PhaseTable phases = findPhases(AllocationTable(*trace, 0));
        for (const PhaseRange& range : phases.ranges()) {
            EXPECT_EQ(range.begin, at);
            EXPECT_LT(range.begin, range.end);
            EXPECT_TRUE(at == 0 || range.phase != before);
            at = range.end;
            before = range.phase;
        }
        EXPECT_EQ(at, trace->eventCount(0)) << seed;
    }
}

TEST(Phases, HaveNamesThatReadBack)
{
    for (const Phase phase : {Phase::Unknown, Phase::Forward, Phase::Data})
        EXPECT_EQ(phaseFromText(toText(phase)), phase);
    EXPECT_EQ(phaseFromText("lunch"), std::nullopt);
}

TEST(Phases, OfNamesAreToldByTheirWords)
{
    EXPECT_EQ(phaseOfAnnotation("## forward ##"), Phase::Forward);
    EXPECT_EQ(phaseOfAnnotation("Optimizer.step#AdamW.step"), Phase::Optimizer);
    EXPECT_EQ(phaseOfAnnotation("Optimizer.zero_grad#AdamW.zero_grad"), Phase::Unknown);
    EXPECT_EQ(phaseOfAnnotation("forward_backward"), Phase::Unknown);
    EXPECT_EQ(phaseOfAnnotation("update 3"), Phase::Unknown);
}

TEST(Phases, OfARealStepAreForwardBackwardOptimizer)
{
    const auto path = test::realFilePath("snapshots/transformer-fullstep.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const Ranges wanted = {{0, 6'367, Phase::Forward, Grade::B}, {6'367, 18'483, Phase::Backward, Grade::B},
        {18'483, 19'464, Phase::Optimizer, Grade::A}};
    EXPECT_EQ(findPhases(AllocationTable(*opened(*path), 0)).ranges(), wanted);
}

TEST(Phases, OfAFileOfPythonFramesEndInBackward)
{
    const auto path = test::realFilePath("snapshots/windows-paths.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const Ranges wanted = {{0, 1'418, Phase::Forward, Grade::B}, {1'418, 5'163, Phase::Backward, Grade::C}};
    EXPECT_EQ(findPhases(AllocationTable(*opened(*path), 0)).ranges(), wanted);
}

TEST(Phases, OfReinforcementLearningFollowEachOther)
{
    const PhaseTable phases = findPhases(
        AllocationTable(*opened(test::samplePath("pytorch-snapshot/grpo-phases.pickle.zst")), 0));
    std::vector<Phase> order;
    for (const PhaseRange& range : phases.ranges())
        order.push_back(range.phase);
    const std::vector<Phase> iteration
        = {Phase::Generation, Phase::Scoring, Phase::Forward, Phase::Backward, Phase::Optimizer};
    std::vector<Phase> wanted = {Phase::Unknown};
    for (int i = 0; i < 3; ++i)
        wanted.insert(wanted.end(), iteration.begin(), iteration.end());
    wanted.push_back(Phase::Evaluation);
    EXPECT_EQ(order, wanted);
}

TEST(Phases, CallAForwardThatMemoryRanOutInAForwardWhateverItsFunctionIsCalled)
{
    std::string text = "stack logps = /x/torch/nn/modules/module.py:1 _call_impl | /train/a.py:3 log_probs\n";
    for (const char* step : {"a", "b"}) {
        for (int i = 0; i < 4; ++i)
            text += fmt::format("alloc {}{} 8 @logps\n", step, i);
        if (*step == 'b')
            break;
        for (int i = 0; i < 4; ++i)
            text += fmt::format("free {}{} @backward\n", step, i);
        text += "alloc g 8 @backward\nalloc m 8 @step\n";
    }
    const PhaseTable phases = phasesOf(text + "oom 8 1\nend");
    EXPECT_EQ(phases.at(0), Phase::Forward);
    EXPECT_EQ(phases.at(15), Phase::Forward) << "the second, which no backward follows";
}

TEST(Phases, LeaveScoringBehindTheLastBackwardWhereTheTrainingHasOtherStacks)
{
    std::string text = "stack logps = /x/torch/nn/modules/module.py:1 _call_impl | /train/a.py:3 log_probs\n"
                       "alloc x 8 @forward\nalloc g 8 @backward\nfree x @backward\nalloc m 8 @step\n";
    for (int i = 0; i < 6; ++i)
        text += fmt::format("alloc k{} 8 @logps\n", i);
    EXPECT_EQ(phasesOf(text + "end").at(9), Phase::Scoring);
}

} // namespace highwater
