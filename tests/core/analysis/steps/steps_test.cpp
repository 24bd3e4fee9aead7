#include "core/analysis/steps/steps.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/step_boundaries.h"
#include "importers/registry/open_trace.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

const std::string kStepStacks = R"(
stack forward = /x/torch/nn/modules/module.py:1 _call_impl | /work/train.py:5 main
stack backward = engine:0 torch::autograd::Engine::thread_main()
stack zero = /x/torch/optim/optimizer.py:2 zero_grad | /work/train.py:7 main
stack step = /x/torch/optim/adamw.py:3 step | /work/train.py:8 main
)";

/// A trace and the data from which its steps are found.
struct Recording
{
    explicit Recording(std::shared_ptr<const Trace> of, DeviceIndex device = 0)
        : trace(std::move(of))
        , allocations(*trace, device)
        , curve(*trace, allocations)
        , phases(findPhases(AllocationTable(*trace, device)))
    {
    }
    explicit Recording(const std::string& text)
        : Recording(test::traceFromText(kStepStacks + text))
    {
    }

    StepTable steps(const StepRequest& request = {}) const
    {
        return findSteps(*trace, allocations, curve, phases, request);
    }
    StepTable stepsFrom(StepSource source) const { return steps({source, {}, {}}); }
    std::vector<StepSource> sources() const { return usableStepSources(*trace, allocations, curve, phases); }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    UsageCurve curve;
    PhaseTable phases;
};

Recording recordingOf(const std::string& name)
{
    return Recording(openTrace(test::snapshotPath(name), {})->trace);
}

Recording realFile(const std::string& path)
{
    return Recording(openTrace(path, {})->trace);
}

using Events = std::vector<std::int64_t>;

Events endsOf(const StepTable& table)
{
    Events ends;
    for (const Step& step : table.steps)
        ends.push_back(step.end);
    return ends;
}

std::vector<std::string> stepNames(const StepTable& table)
{
    std::vector<std::string> names;
    for (const Step& step : table.steps)
        names.push_back(step.name);
    return names;
}

void expectTiled(const Recording& run, const StepTable& table)
{
    std::int64_t at = 0;
    Bytes peak = run.curve.at(-1);
    for (std::size_t i = 0; i < table.steps.size(); ++i) {
        const Step& step = table.steps[i];
        EXPECT_EQ(step.begin, at);
        EXPECT_LT(step.begin, step.end);
        EXPECT_EQ(step.startBytes, run.curve.at(step.begin - 1));
        EXPECT_EQ(step.peakBytes, run.curve.at(step.peakEvent));
        EXPECT_EQ(step.endBytes, run.curve.at(step.end - 1));
        EXPECT_EQ(table.stepOf(step.begin), i);
        EXPECT_EQ(table.stepOf(step.end - 1), i);
        at = step.end;
        peak = std::max(peak, step.peakBytes);
    }
    EXPECT_EQ(at, run.allocations.eventCount());
    EXPECT_EQ(peak, run.curve.peak().bytes);
    EXPECT_EQ(table.stepOf(at), std::nullopt);
    EXPECT_EQ(table.stepOf(-1), std::nullopt);
    EXPECT_FALSE(table.reason.empty());
}

const char* const kTwoAnnotatedSteps = R"(
annotation Optimizer.zero_grad#SGD.zero_grad 1 1
annotation Optimizer.step#SGD.step 3 4
annotation Optimizer.step#SGD.step 8 9
alloc a 100 @forward t=1
alloc b 50 @backward t=2
alloc c 10 @step t=4
alloc d 20 @forward t=6
alloc e 30 @step t=9
)";

} // namespace

TEST(Steps, EndAtTheLastEventOfTheirOptimizersAnnotation)
{
    const StepTable table = Recording(std::string(kTwoAnnotatedSteps) + "end").steps();
    EXPECT_EQ(table.source, StepSource::OptimizerAnnotation);
    EXPECT_EQ(table.grade, Grade::A);
    EXPECT_EQ(endsOf(table), (Events{3, 5}));
    EXPECT_EQ(stepNames(table), (std::vector<std::string>{"step 0", "step 1"}));
    EXPECT_TRUE(table.steps[1].isComplete);
}

TEST(Steps, InWhoseOptimizerMemoryRanOutAreIncomplete)
{
    const std::string run
        = "annotation Optimizer.step#AdamW.step 30 39\nalloc a 8 @forward t=1\nalloc g 8 @backward "
          "t=2\nfree a @backward t=3\nalloc m 8 @step t=31\n";
    EXPECT_TRUE(Recording(run + "end").steps().steps.back().isComplete);
    EXPECT_FALSE(Recording(run + "oom 8 1\nend").steps().steps.back().isComplete);
}

TEST(Steps, WithoutAnOptimizerAtTheEndAreIncomplete)
{
    const StepTable table
        = Recording(std::string(kTwoAnnotatedSteps) + "alloc f 5 @forward t=11\nend").steps();
    EXPECT_EQ(endsOf(table), (Events{3, 5, 6}));
    EXPECT_EQ(table.steps[2].name, "step 2");
    EXPECT_FALSE(table.steps[2].isComplete);
}

TEST(Steps, CallARestThatAllocatesNothingARemainder)
{
    const StepTable table = Recording(std::string(kTwoAnnotatedSteps) + "free_once a t=11\nend").steps();
    EXPECT_EQ(table.steps.back().name, "remainder");
    EXPECT_FALSE(table.steps.back().isComplete);
}

TEST(Steps, TakeOptimizersWithoutForwardBetweenThemForOne)
{
    const StepTable table
        = Recording("annotation Optimizer.step#A.step 3 3\nannotation Optimizer.step#B.step 5 5\n"
                    "alloc a 8 @forward t=1\nalloc b 8 @backward t=2\nalloc c 8 @step t=3\n"
                    "alloc d 8 @backward t=4\nalloc e 8 @step t=5\nend")
              .steps();
    EXPECT_EQ(endsOf(table), (Events{5}));
}

TEST(Steps, BeginWithEachProfilerStep)
{
    const StepTable table
        = Recording("annotation ProfilerStep#7 2 4\nannotation ProfilerStep#8 5 6\n"
                    "alloc a 8 t=1\nalloc b 8 t=2\nalloc c 8 t=4\nalloc d 8 t=5\nalloc e 8 t=7\nend")
              .steps();
    EXPECT_EQ(table.source, StepSource::ProfilerStep);
    EXPECT_EQ(stepNames(table), (std::vector<std::string>{"warm-up", "ProfilerStep#7", "ProfilerStep#8"}));
    EXPECT_EQ(endsOf(table), (Events{1, 3, 5}));
}

TEST(Steps, HaveNoWarmUpThatAllocatesNothing)
{
    const StepTable table
        = Recording("annotation ProfilerStep#7 2 4\nsegment_alloc s 100 t=1\nalloc b 8 t=2\nend").steps();
    EXPECT_EQ(stepNames(table), std::vector<std::string>{"ProfilerStep#7"});
    EXPECT_EQ(table.steps[0].begin, 0);
}

/// Returns ranges with these names, each with four training events.
std::string rangesNamed(const std::vector<std::string>& names)
{
    std::string text;
    std::string events;
    int time = 1;
    for (std::size_t i = 0; i < names.size(); ++i, time += 10) {
        text += "annotation " + names[i] + " " + std::to_string(time) + " " + std::to_string(time + 9) + "\n";
        const std::string n = std::to_string(i);
        events += "alloc a" + n + " 800 @forward t=" + std::to_string(time + 1) + "\nalloc g" + n
            + " 80 @backward t=" + std::to_string(time + 3) + "\nfree a" + n + " @backward t="
            + std::to_string(time + 4) + "\nfree g" + n + " t=" + std::to_string(time + 6) + "\n";
    }
    return text + events + "end";
}

TEST(Steps, ComeFromRangesWhoseNamesCountUp)
{
    const StepTable table = Recording(rangesNamed({"round-1", "round-2", "round-3"})).steps();
    EXPECT_EQ(table.source, StepSource::Ranges);
    EXPECT_EQ(stepNames(table), (std::vector<std::string>{"round-1", "round-2", "round-3"}));
}

TEST(Steps, AreNoRangesThatBeginAgainNorEpochs)
{
    EXPECT_NE(Recording(rangesNamed({"block-1", "block-2", "block-1", "block-2"})).steps().source,
        StepSource::Ranges);
    EXPECT_NE(Recording(rangesNamed({"epoch-1", "epoch-2", "epoch-3"})).steps().source, StepSource::Ranges);
    EXPECT_EQ(Recording(rangesNamed({"epoch-1-part-1", "epoch-1-part-2", "epoch-2-part-1"})).steps().source,
        StepSource::Ranges);
}

TEST(Steps, AreNoneWhereMemoryRanOutInTheFirstBackward)
{
    std::string text;
    for (int round = 0; round < 6; ++round)
        for (int i = 0; i < 10; ++i)
            text += "alloc r" + std::to_string(round) + "x" + std::to_string(i) + " "
                + std::to_string(100 + i) + " @forward\nfree r" + std::to_string(round) + "x"
                + std::to_string(i) + "\n";
    const std::string died = text + "alloc a 800 @forward\nalloc g 80 @backward\noom 4096 0\nend";
    EXPECT_EQ(Recording(died).steps().source, StepSource::Whole);
    EXPECT_NE(Recording(text + "end").steps().source, StepSource::Whole) << "rounds that run a model alone";
}

TEST(Steps, ComeFromRangesThatTheUserCallsSteps)
{
    const StepTable table
        = Recording("annotation step_12 1 2\nannotation epoch_3 1 4\nannotation step_13 3 4\n"
                    "alloc a 8 t=1\nalloc b 8 t=2\nalloc c 8 t=3\nend")
              .steps();
    EXPECT_EQ(table.source, StepSource::Ranges);
    EXPECT_EQ(toText(table.source), "nvtx");
    EXPECT_EQ(stepNames(table), (std::vector<std::string>{"step_12", "step_13"}));
    EXPECT_EQ(endsOf(table), (Events{2, 3}));
}

TEST(Steps, BeginWithMarksThatAreCalledSteps)
{
    const StepTable table
        = Recording("annotation step 2 2\nannotation step 4 4\nalloc a 8 t=1\nalloc b 8 t=2\n"
                    "alloc c 8 t=3\nalloc d 8 t=5\nend")
              .steps();
    EXPECT_EQ(table.source, StepSource::Ranges);
    EXPECT_EQ(table.grade, Grade::B);
    EXPECT_TRUE(test::hasParts(table.reason, {"2 marks like \"step\" at the beginning of each step"}));
    EXPECT_EQ(stepNames(table), (std::vector<std::string>{"warm-up", "step 0", "step 1"}));
    EXPECT_EQ(endsOf(table), (Events{1, 3, 4}));
}

TEST(Steps, EndWithMarksThatAreCalledEndsOfSteps)
{
    const StepTable table
        = Recording("annotation end-of-step 2 2\nannotation end-of-step 4 4\nalloc a 8 t=1\nalloc b 8 t=3\n"
                    "alloc c 8 t=5\nend")
              .steps();
    EXPECT_EQ(stepNames(table), (std::vector<std::string>{"step 0", "step 1", "step 2"}));
    EXPECT_EQ(endsOf(table), (Events{1, 2, 3}));
    EXPECT_TRUE(table.steps[1].isComplete);
    EXPECT_FALSE(table.steps[2].isComplete);
}

TEST(Steps, PreferRangesToMarks)
{
    const StepTable table
        = Recording("annotation step_1 1 2\nannotation step_2 3 4\nannotation end-of-step 2 2\n"
                    "annotation end-of-step 4 4\nalloc a 8 t=1\nalloc b 8 t=3\nend")
              .steps();
    EXPECT_EQ(stepNames(table), (std::vector<std::string>{"step_1", "step_2"}));
}

TEST(Steps, EndWithRangesThatAProgramWroteAroundItsOptimizer)
{
    const StepTable table = Recording(
        "annotation forward 1 2\nannotation optimizer 3 4\nannotation forward 5 6\n"
        "annotation optimizer 7 8\nalloc a 8 t=1\nalloc b 8 t=3\nalloc c 8 t=5\nalloc d 8 t=7\nend")
                                .steps();
    EXPECT_EQ(table.source, StepSource::Ranges);
    EXPECT_TRUE(test::hasParts(table.reason, {"2 annotations like \"optimizer\""}));
    EXPECT_EQ(endsOf(table), (Events{2, 4}));
}

TEST(Steps, ComeFromRangesThatMatchAPattern)
{
    const Recording run("annotation epoch_3 1 2\nannotation epoch_4 3 4\nalloc a 8 t=1\nalloc c 8 t=3\nend");
    EXPECT_EQ(endsOf(run.steps({std::nullopt, "^epoch_\\d+$", {}})), (Events{1, 2}));
    const StepTable none = run.steps({std::nullopt, "lap", {}});
    EXPECT_EQ(none.source, StepSource::Whole);
    EXPECT_EQ(none.reason, "no annotation matches \"lap\"");
    EXPECT_TRUE(stepPatternProblem("(").has_value());
    EXPECT_FALSE(stepPatternProblem("step [0-9]+").has_value());
}

TEST(Steps, ComeFromMarkersSetByHand)
{
    const Recording run("alloc a 8\nalloc b 8\nalloc c 8\nend");
    const StepTable table = run.steps({StepSource::Manual, {}, {0, 2, 99}});
    EXPECT_EQ(table.source, StepSource::Manual);
    EXPECT_EQ(endsOf(table), (Events{2, 3}));
}

TEST(Steps, ComeFromOptimizerFramesWhereNothingIsAnnotated)
{
    const StepTable table
        = Recording("alloc a 8 @forward\nalloc b 8 @backward\nalloc c 8 @step\nfree_once a @zero\n"
                    "alloc d 8 @forward\nalloc e 8 @backward\nalloc f 8 @step\nend")
              .steps();
    EXPECT_EQ(table.source, StepSource::Frames);
    EXPECT_EQ(table.grade, Grade::B);
    EXPECT_EQ(endsOf(table), (Events{3, 7}));
}

TEST(Steps, DoNotTrustOptimizersThatAllocateInTheFirstStepAlone)
{
    std::string text = "alloc s 8 @step\n";
    for (int i = 0; i < 3; ++i)
        text += "alloc f" + std::to_string(i) + " 8 @forward\nalloc b" + std::to_string(i) + " 8 @backward\n";
    const StepTable table = Recording(text + "end").steps();
    EXPECT_EQ(table.grade, Grade::C);
    EXPECT_EQ(table.reasonText(), table.reason + " (guess)");
    EXPECT_EQ(endsOf(table), (Events{3, 5, 7}));
}

TEST(Steps, AreOneWithAReasonWhereNothingTellsThemApart)
{
    const StepTable table = Recording("alloc a 8\nalloc b 16\nend").steps();
    EXPECT_EQ(table.source, StepSource::Whole);
    EXPECT_EQ(table.countText(), "no steps");
    EXPECT_EQ(table.foundText(), "no steps, " + table.reason);
    EXPECT_EQ(endsOf(table), (Events{2}));
    EXPECT_TRUE(test::hasParts(table.reason, {"no annotations", "no optimizer frames", "no repeating"}));
}

TEST(Steps, HaveTheirPeakBeforeThemselvesWhereTheyOnlyFree)
{
    const StepTable table = Recording(
        "annotation ProfilerStep#1 1 1\nannotation ProfilerStep#2 2 9\nalloc a 100 t=1\nfree_once a t=2\nend")
                                .steps();
    EXPECT_EQ(table.steps[1].startBytes, 100);
    EXPECT_EQ(table.steps[1].peakBytes, 100);
    EXPECT_EQ(table.steps[1].peakEvent, 0);
    EXPECT_EQ(table.steps[1].retainedBytes(), -100);
}

TEST(Steps, OfADeviceWithoutEventsAreNone)
{
    EXPECT_TRUE(Recording("final a 8").steps().steps.empty());
}

TEST(Steps, NeverOfferALogForATraceAlone)
{
    const std::vector<StepSource> sources = recordingOf("training-6-steps-annotated").sources();
    EXPECT_EQ(sources,
        (std::vector<StepSource>{
            StepSource::OptimizerAnnotation, StepSource::Frames, StepSource::Periodicity}));
}

TEST(Steps, HaveNamesOfSourcesThatReadBack)
{
    for (const StepSource source : {StepSource::ProfilerStep, StepSource::Ranges, StepSource::Whole})
        EXPECT_EQ(stepSourceFromText(toText(source)), source);
    EXPECT_EQ(stepSourceFromText("guess"), std::nullopt);
}

TEST(Steps, TileWhateverTheSource)
{
    std::vector<Recording> runs;
    for (std::uint32_t seed = 0; seed < 20; ++seed)
        runs.emplace_back(test::randomTrace(seed, {.consistent = seed % 2 == 0}));
    for (const char* name : {"training-6-steps-annotated", "training-6-steps-no-frames",
             "user-annotated-phases", "grpo-phases", "ring-buffer-overflow", "r1-grpo-before"})
        runs.push_back(recordingOf(name));
    for (const Recording& run : runs) {
        expectTiled(run, run.steps());
        expectTiled(run, run.steps({StepSource::Manual, {}, {run.allocations.eventCount() / 2}}));
        for (const StepSource source : run.sources())
            expectTiled(run, run.stepsFrom(source));
    }
}

// Tests on the samples.

TEST(Steps, OfSixAreTheSameFromAnnotationsAndFromFrames)
{
    const Events wanted = {651, 1'210, 1'768, 2'326, 2'884, 3'442};
    const StepTable annotated = recordingOf("training-6-steps-annotated").steps();
    EXPECT_EQ(annotated.source, StepSource::OptimizerAnnotation);
    EXPECT_EQ(endsOf(annotated), wanted);
    const StepTable bare = recordingOf("training-6-steps-bare").steps();
    EXPECT_EQ(bare.source, StepSource::Frames);
    EXPECT_EQ(bare.grade, Grade::B);
    EXPECT_EQ(endsOf(bare), wanted);
    EXPECT_EQ(bare.steps[1].peakBytes, 403'605'508);
}

TEST(Steps, OfSixRepeatThemselvesWhereThereAreNoStacks)
{
    const StepTable table = recordingOf("training-6-steps-no-frames").steps();
    EXPECT_EQ(table.source, StepSource::Periodicity);
    EXPECT_EQ(table.grade, Grade::B);
    EXPECT_TRUE(test::hasParts(table.reason, {"every 186 allocations"}));
    EXPECT_EQ(endsOf(table), (Events{755, 1'314, 1'872, 2'430, 2'988, 3'442}));
    for (std::size_t i = 1; i < 6; ++i)
        EXPECT_EQ(table.steps[i].peakBytes, 403'605'508);
}

TEST(Steps, OfChangingLengthRepeatTheirStacks)
{
    const StepTable table = recordingOf("expandable-segments").stepsFrom(StepSource::Periodicity);
    EXPECT_EQ(table.grade, Grade::C);
    EXPECT_EQ(table.steps.size(), 5u);
}

TEST(Steps, WithAccumulationHoldTheirMicroSteps)
{
    const StepTable table = recordingOf("gradient-accumulation").steps();
    EXPECT_EQ(endsOf(table), (Events{894, 1'704, 2'508}));
    for (const Step& step : table.steps) {
        ASSERT_EQ(step.microSteps.size(), 2u);
        EXPECT_EQ(step.microSteps[0].begin, step.begin);
        EXPECT_EQ(step.microSteps[0].end, step.microSteps[1].begin);
        EXPECT_EQ(step.microSteps[1].end, step.end);
        EXPECT_EQ(std::max(step.microSteps[0].peakBytes, step.microSteps[1].peakBytes), step.peakBytes);
    }
}

TEST(Steps, OfReinforcementLearningEndWithTheirOptimizer)
{
    const StepTable table = recordingOf("grpo-phases").steps();
    EXPECT_EQ(table.source, StepSource::Frames);
    EXPECT_EQ(endsOf(table), (Events{794, 1'433, 2'085, 2'230}));
    EXPECT_EQ(table.steps[0].peakPhase, Phase::Backward);
    EXPECT_FALSE(table.steps[3].isComplete);
}

TEST(Steps, WhoseOptimizersAllocateNothingAreToldByTheirAnnotations)
{
    EXPECT_EQ(recordingOf("r1-grpo-before").steps().steps.size(), 15u);
    EXPECT_EQ(recordingOf("r1-grpo-after").steps().steps.size(), 21u);
}

TEST(Steps, CutOffByTheRingBufferAreThoseThatAreLeft)
{
    EXPECT_EQ(endsOf(recordingOf("ring-buffer-overflow").steps()), (Events{442, 1'000}));
}

TEST(Steps, OfTheProfilerAreCutAtBothEdges)
{
    const StepTable table = recordingOf("user-annotated-phases").steps();
    EXPECT_EQ(stepNames(table),
        (std::vector<std::string>{"ProfilerStep#3", "ProfilerStep#4", "ProfilerStep#5", "ProfilerStep#6"}));
    EXPECT_EQ(endsOf(table), (Events{516, 1'077, 1'639, 1'669}));
    EXPECT_FALSE(table.steps[3].isComplete);
}

// Tests on real recordings.

TEST(Steps, OfARealTrainingIsOneFromItsAnnotation)
{
    const auto path = test::realFilePath("snapshots/gpt-medium-ctx1024-training.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const StepTable table = realFile(*path).steps();
    EXPECT_EQ(table.source, StepSource::OptimizerAnnotation);
    EXPECT_EQ(endsOf(table), (Events{22'331}));
    EXPECT_EQ(table.steps[0].peakEvent, 3'737);
}

TEST(Steps, OfARealStepPeakInForwardAndAreNotSplitByZeroGrad)
{
    const auto path = test::realFilePath("snapshots/transformer-fullstep.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const Recording run = realFile(*path);
    const StepTable table = run.steps();
    EXPECT_EQ(endsOf(table), (Events{19'464}));
    EXPECT_EQ(table.steps[0].peakEvent, 5'701);
    EXPECT_EQ(table.steps[0].peakPhase, Phase::Forward);
    EXPECT_TRUE(table.steps[0].microSteps.empty());
    EXPECT_EQ(endsOf(run.stepsFrom(StepSource::Frames)), (Events{19'464}));
}

TEST(Steps, OfARealBackwardWithoutOptimizerAreOneAndNotItsLayers)
{
    for (const char* name : {"windows-paths", "gpt-medium-ctx128-inference", "transformer-forward-fp32"}) {
        const auto path = test::realFilePath(std::string("snapshots/") + name + ".pickle");
        SKIP_WITHOUT_REAL_FILE(path);
        const StepTable table = realFile(*path).steps();
        EXPECT_EQ(table.source, StepSource::Whole) << name;
        EXPECT_EQ(table.steps.size(), 1u) << name;
    }
}

TEST(Steps, OfARealInferenceLoopRepeatThemselves)
{
    const auto path = test::realFilePath("snapshots/small-model-with-segments.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const StepTable table = realFile(*path).steps();
    EXPECT_EQ(table.source, StepSource::Periodicity);
    EXPECT_EQ(endsOf(table), (Events{1'942, 3'874, 5'806, 7'738, 9'670}));
}

} // namespace highwater
