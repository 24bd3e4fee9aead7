#include "core/analysis/detectors/failures/logged_gpu.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/budget/observed_outcome.h"
#include "core/analysis/detectors/rules.h"
#include "core/base/text_format.h"
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/detectors/failures/log_case.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// A recording with a log beside it.
struct RecordingAndLog
{
    RecordingAndLog(const std::string& recording, const std::string& log)
        : trace(openTrace(test::samplePath("runs/" + recording), {})->trace)
        , study(*trace, 0)
        , files{{log, openTrace(test::samplePath("runs/" + log), {})->trace}}
    {
    }
    LoggedGpu logged() const { return loggedGpu(study, files); }

    std::shared_ptr<const Trace> trace;
    DeviceStudy study;
    std::vector<AuxiliaryFile> files;
};

const char* const kFailed = "two-ranks-oom/mem_snapshot_r1.pickle.zst";
const char* const kItsLog = "two-ranks-oom/torchrun.err";
const char* const kOtherLog = "stale-ranks/train-2gpu.log";

} // namespace

TEST(LoggedGpu, IsThatOfTheMessageWithTheSameRequestAndFreeMemory)
{
    const RecordingAndLog pair(kFailed, kItsLog);
    const LoggedGpu logged = pair.logged();
    ASSERT_TRUE(logged.failure);
    EXPECT_EQ(pair.files[0].trace->logEvents[logged.failure->event].line, 16u);
    EXPECT_EQ(logged.processLimit, kGiB);
    ASSERT_TRUE(logged.capacity);
    EXPECT_EQ(formatBytes(*logged.capacity), "139.8 GiB");
}

TEST(LoggedGpu, IsNotThatOfAnotherFailure)
{
    const LoggedGpu logged = RecordingAndLog(kFailed, kOtherLog).logged();
    EXPECT_FALSE(logged.failure);
    EXPECT_FALSE(logged.processLimit);
    EXPECT_FALSE(logged.capacity);
}

TEST(LoggedGpu, HasTheCapacityButNoLimitWhereAnotherRankFailed)
{
    const LoggedGpu logged = RecordingAndLog("two-ranks-oom/mem_snapshot_r0.pickle.zst", kItsLog).logged();
    EXPECT_TRUE(logged.capacity);
    EXPECT_FALSE(logged.processLimit);
}

TEST(LoggedGpu, HasNoCapacityOfAGpuWithAnotherNumber)
{
    RecordingAndLog pair("two-ranks-oom/mem_snapshot_r0.pickle.zst", kItsLog);
    const auto other = std::make_shared<Trace>();
    other->logEvents = pair.files[0].trace->logEvents;
    for (LogEvent& event : other->logEvents)
        if (event.figures)
            event.figures->device = 1;
    pair.files[0].trace = other;
    EXPECT_FALSE(pair.logged().capacity);
}

TEST(LoggedGpu, GivesTheFailureItsEvidence)
{
    const RecordingAndLog pair(kFailed, kItsLog);
    DetectorInput input(pair.study);
    input.auxiliaryFiles = pair.files;
    const std::vector<Finding> found = findOutOfMemory(input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].remedy.action.find("Look in the script"), std::string::npos) << "the limit is known";
    EXPECT_TRUE(std::ranges::any_of(found[0].evidence, [](const Evidence& evidence) {
        return evidence.sentence.find("1.39 GiB in use by process 594") != std::string::npos;
    }));
}

TEST(LoggedGpu, IsNotTooSmallForARunThatReachedALimitOfItsOwn)
{
    const RecordingAndLog pair(kFailed, kItsLog);
    const GpuModel gpu = chooseGpus({"H200"})->front();
    const NeededMemory needed = neededMemory(pair.study);
    LoggedGpu logged = pair.logged();
    const ObservedOutcome limited = observedOutcome(pair.study, {}, logged);
    EXPECT_EQ(fitRun(needed, gpu, limited, {}, true).doubt, FitDoubt::AtLeast);
    logged.processLimit.reset();
    const ObservedOutcome unlimited = observedOutcome(pair.study, {}, logged);
    EXPECT_EQ(fitRun(needed, gpu, unlimited, {}, true).doubt, FitDoubt::RanOut);
}

} // namespace highwater
