#include "core/study/run_study.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/detectors/rank_outlier.h"
#include "core/analysis/ranks/rank_figures.h"
#include "core/base/interruption.h"
#include "core/study/gpu_answer.h"
#include "importers/registry/open_trace.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

RunParts partsOf(std::shared_ptr<const Trace> trace)
{
    RunParts parts;
    parts.name = "run.pickle";
    parts.trace = trace;
    if (!trace->devices.empty())
        parts.device = std::make_shared<const DeviceStudy>(*trace, 0);
    return parts;
}

RunParts sampleParts(const std::string& name)
{
    return partsOf(openTrace(test::samplePath(name), {})->trace);
}

DeviceCapacity chosen(Bytes bytes)
{
    return {bytes, CapacitySource::Chosen, "", -1};
}

const char* const kSnapshot = "pytorch-snapshot/r1-grpo-before.pickle.zst";

} // namespace

TEST(RunStudy, OrdersFindingsByGradeThenByBytes)
{
    const RunStudy run(sampleParts(kSnapshot));
    EXPECT_GT(run.findings().size(), 3u);
    EXPECT_TRUE(std::ranges::is_sorted(run.findings(), comesBefore));
}

TEST(RunStudy, ComputesFindingsOnce)
{
    const RunStudy run(sampleParts(kSnapshot));
    EXPECT_EQ(&run.findings(), &run.findings());
    EXPECT_EQ(run.finding("growth"), &*std::ranges::find(run.findings(), "growth", &Finding::rule));
}

TEST(RunStudy, TellsEachFindingOnceWhileOthersAreLookedFor)
{
    const RunStudy run(sampleParts(kSnapshot));
    std::vector<std::string> told;
    const auto tell = [&told](const Finding& finding) { told.push_back(finding.rule); };
    std::vector<std::string> all;
    for (const Finding& finding : run.findings(tell))
        all.push_back(finding.rule);
    std::ranges::sort(all);
    std::ranges::sort(told);
    EXPECT_EQ(told, all);
    run.findings(tell);
    EXPECT_EQ(told.size(), all.size()) << "they are known by then";
}

/// For example, another file is opened while the first one is still searched for findings.
TEST(RunStudy, LooksForNoFurtherFindingsAfterItWasStopped)
{
    const RunStudy run(sampleParts(kSnapshot));
    StopToken stop;
    int told = 0;
    {
        const InterruptibleScope scope(stop);
        EXPECT_THROW(run.findings([&](const Finding&) {
            ++told;
            stop.requestStop();
        }),
            WorkCancelled);
    }
    EXPECT_EQ(told, 1);
    EXPECT_GT(run.findings().size(), 3u) << "the next one who asks gets them all";
}

TEST(RunStudy, BelievesAChosenCapacityUnlessMoreWasReserved)
{
    RunParts parts = sampleParts(kSnapshot);
    parts.capacity = chosen(48 * kGiB);
    const RunStudy run(parts);
    EXPECT_EQ(run.capacity(), parts.capacity);
    EXPECT_NE(run.withCapacity(chosen(kGiB))->capacity(), chosen(kGiB)) << "22.81 GiB were reserved";
}

TEST(RunStudy, TakesTheCapacityFromALogUnlessTheRecordingShowsMore)
{
    RunParts parts = sampleParts(kSnapshot);
    const std::optional<DeviceCapacity> recorded = RunStudy(parts).capacity();
    ASSERT_TRUE(recorded && recorded->isLowerBound());
    const auto withLog = [&parts](Bytes bytes) {
        const auto log = std::make_shared<Trace>();
        CounterSeries& series = log->counters.emplace_back();
        series.metric = "device_total";
        series.unit = "bytes";
        series.value = {static_cast<double>(bytes)};
        RunParts both = parts;
        both.auxiliaryFiles = {{"train.log", log}};
        return RunStudy(both).capacity();
    };
    EXPECT_EQ(withLog(24 * kGiB), (DeviceCapacity{24 * kGiB, CapacitySource::Log, {}, -1}));
    EXPECT_EQ(withLog(recorded->bytes - 1), recorded);
    parts.capacity = chosen(48 * kGiB);
    EXPECT_EQ(withLog(24 * kGiB), parts.capacity) << "the user knows best";
}

TEST(RunStudy, DoesNotGiveHostMemoryTheCapacityOfAGpu)
{
    const std::shared_ptr<const Trace> trace
        = openTrace(test::samplePath("pytorch-snapshot/host-pinned.pickle.zst"), {})->trace;
    const auto host = std::ranges::find(trace->devices, DeviceKind::HostPinned, &Device::kind);
    ASSERT_NE(host, trace->devices.end());
    RunParts parts = partsOf(trace);
    parts.device = std::make_shared<const DeviceStudy>(
        *trace, static_cast<DeviceIndex>(host - trace->devices.begin()));
    parts.capacity = chosen(24 * kGiB);
    EXPECT_FALSE(RunStudy(parts).capacity());
}

TEST(RunStudy, JudgesTheChosenGpuInItsBudgetAsInItsAnswer)
{
    RunParts parts = sampleParts(kSnapshot);
    parts.shape.emplace();
    parts.shape->parameters = 124'439'808;
    const RunStudy run(parts);
    ASSERT_TRUE(run.budget()) << run.budgetTrouble();
    EXPECT_FALSE(run.budget()->hasNamedGpus);
    for (const char* name : {"L4", "24 GB", "12GiB"}) {
        const std::shared_ptr<const RunStudy> other = run.withCapacity(*capacityFromText(name));
        const BudgetStudy& budget = *other->budget();
        ASSERT_EQ(budget.fits.size(), 1u);
        EXPECT_TRUE(budget.singlesOut(budget.fits.front().gpu)) << "among the common ones";
        EXPECT_EQ(toText(budget.fits.front().verdict), answerForGpu(*other)->verdict) << name;
    }
}

/// Returns three similar ranks and one that peaks far above them.
std::vector<std::shared_ptr<const RankFile>> unequalRanks()
{
    std::vector<std::shared_ptr<const RankFile>> ranks;
    for (const char* const size : {"100MiB", "100MiB", "100MiB", "160MiB"}) {
        const auto trace = test::traceFromText(std::string("alloc x ") + size + "\nfree x\nend\n");
        const auto number = static_cast<std::int64_t>(ranks.size());
        ranks.push_back(std::make_shared<const RankFile>(
            rankFile({"rank" + std::to_string(number), number, {}, {}}, *trace, false)));
    }
    return ranks;
}

TEST(RunStudy, FindsTheRankThatStandsOut)
{
    RunParts parts = sampleParts(kSnapshot);
    parts.ranks = unequalRanks();
    const RunStudy run(parts);
    ASSERT_TRUE(run.finding("rank-outlier"));
    EXPECT_TRUE(isRankOutlier(*run.finding("rank-outlier")));
    EXPECT_TRUE(std::ranges::is_sorted(run.findings(), comesBefore));
}

TEST(RunStudy, OfOtherRanksRunsNoDetectorAgain)
{
    const RunStudy run(sampleParts(kSnapshot));
    const std::vector<Finding>& alone = run.findings();
    const std::shared_ptr<const RunStudy> other = run.withRanks(unequalRanks());
    EXPECT_EQ(other->findings().size(), alone.size() + 1);
    EXPECT_EQ(&other->withRanks({})->findings(), &alone);
}

TEST(RunStudy, ComparesTheRunWithAllGpusWithoutAShape)
{
    const RunStudy run(sampleParts(kSnapshot));
    ASSERT_TRUE(run.gpuFits());
    EXPECT_FALSE(run.gpuFits()->isOfConfiguration);
    EXPECT_EQ(run.gpuFits()->fits.size(), commonGpus().size());
}

TEST(RunStudy, ComparesOnlyGpuMemoryWithGpus)
{
    EXPECT_FALSE(RunStudy(sampleParts("logs/r5-flan-t5-xl.log")).gpuFits());
    const RunStudy host(sampleParts("memory-timeline/tiny-host-rows.raw.json"));
    ASSERT_TRUE(host.device());
    EXPECT_FALSE(host.gpuFits());
    EXPECT_EQ(host.budgetTrouble(), "");
}

TEST(RunStudy, HasNoBudgetWithoutAShape)
{
    const RunStudy run(sampleParts(kSnapshot));
    EXPECT_FALSE(run.budget());
    EXPECT_TRUE(run.budgetTrouble().empty());
}

TEST(RunStudy, OfALogHasItsMessagesAndNoFigures)
{
    const RunStudy run(sampleParts("logs/r4-verl-before.err"));
    EXPECT_FALSE(run.figures());
    EXPECT_FALSE(run.capacity());
    ASSERT_EQ(run.logs().size(), 1u);
    EXPECT_FALSE(run.findings().empty());
}

TEST(RunStudy, SaysOnceWhereACutOffFileEnds)
{
    const std::string bytes = test::readDecompressed(test::samplePath(kSnapshot));
    const Result<ImportedTrace> cut = test::importBytes(bytes.substr(0, bytes.size() * 7 / 10));
    ASSERT_TRUE(cut);
    RunParts parts = partsOf(cut->trace);
    parts.cutOff = toText(*cut->incomplete);
    const RunStudy run(parts);
    const Finding* quality = run.finding("capture-quality");
    ASSERT_TRUE(quality);
    EXPECT_TRUE(run.diagnosis().sentence.starts_with("The file is cut off at byte "));
    EXPECT_TRUE(quality->title.starts_with("Totals may lack")) << quality->title;
}

} // namespace highwater
