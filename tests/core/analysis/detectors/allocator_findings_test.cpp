// Tests of findings about the allocator: flushes, pools, waiting frees, rounding, settings.
#include "core/analysis/detectors/worth_reporting.h"
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/import_bytes.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

using test::bytesOfOnly;
using test::DetectorCase;

/// Returns `times` steps, after each of which this stack empties the cache.
std::string flushed(int times, const std::string& stack)
{
    std::string text = "stack empty = torch/cuda/memory.py:224 empty_cache\n"
                       "stack other = train.py:9 step\n";
    for (int i = 0; i < times; ++i)
        text += "segment_alloc a 20MiB @other\nalloc a 16MiB @other\nfree a @other\nsegment_free a 20MiB @"
            + stack + "\nalloc b 4MiB\nfree b\n";
    return text + "cached b 20MiB\n";
}

std::vector<Finding> flushesIn(const std::string& text)
{
    const DetectorCase tiny(text);
    return findCacheFlushChurn(tiny.input);
}

} // namespace

TEST(CacheFlushChurn, IsWhatIsReservedAgainAfterEachFlush)
{
    const auto found = flushesIn(flushed(5, "empty"));
    ASSERT_EQ(bytesOfOnly(found), 20 * kMiB);
    EXPECT_EQ(found[0].grade, Grade::A);
    EXPECT_TRUE(test::hasParts(found[0].title, {"4 times", "20 MiB"}));
}

TEST(CacheFlushChurn, IsLessCertainWhereNoFrameSaysEmptyCache)
{
    const auto found = flushesIn(flushed(5, "other"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].grade, Grade::B);
}

TEST(CacheFlushChurn, TakesThreeFlushes)
{
    EXPECT_TRUE(flushesIn(flushed(3, "empty")).empty()); // nothing is reserved after the last flush
    EXPECT_EQ(flushesIn(flushed(4, "empty")).size(), 1u);
}

TEST(CrossStreamDelay, IsWhatWaitsAtThePeak)
{
    const DetectorCase tiny(R"(
alloc a 100
free_requested a
alloc b 50
free_completed a
alloc c 10
free c
free b
)");
    const auto found = findCrossStreamDelay(tiny.input);
    ASSERT_EQ(bytesOfOnly(found), 100);
    EXPECT_EQ(found[0].event, 2);
    EXPECT_EQ(found[0].remedy.savedBytes, 50); // 100 of 150 remain: those of `a` alone
}

TEST(CrossStreamDelay, IsSilentWhereFreesAreCompletedAtOnce)
{
    const DetectorCase tiny("alloc a 100\nfree a\nalloc b 150\nfree b\n");
    EXPECT_TRUE(findCrossStreamDelay(tiny.input).empty());
}

TEST(CrossStreamDelay, IsSilentWhereNothingWaitsAtThePeak)
{
    const DetectorCase tiny(
        "alloc a 100\nfree_requested a\nalloc b 1\nfree b\nfree_completed a\nalloc c 500\n");
    EXPECT_TRUE(findCrossStreamDelay(tiny.input).empty());
}

TEST(PrivatePools, AreCountedWithWhatIsIdleInThem)
{
    const DetectorCase tiny(R"(
final graph 512 pool=1,0
cached idle 1024 pool=1,0
final weights 2048 pool=0,0
)");
    const auto found = findPrivatePools(tiny.input);
    ASSERT_EQ(bytesOfOnly(found), 1536);
    EXPECT_EQ(found[0].kind, FindingKind::Fact);
    EXPECT_TRUE(test::hasParts(
        found[0].title, {"1 private pool", "1.5 KiB of 3.5 KiB", "512 B in use", "1 KiB idle"}));
    EXPECT_TRUE(std::holds_alternative<AllocationsTarget>(found[0].evidence[0].target));
}

TEST(PrivatePools, AreNoMatterWhereAllIsInTheDefaultPool)
{
    const DetectorCase tiny("final weights 2048 pool=0,0\ncached rest 4096 pool=0,0\n");
    EXPECT_TRUE(findPrivatePools(tiny.input).empty());
}

TEST(RoundingWaste, IsWhatBlocksHaveBeyondTheRequest)
{
    const DetectorCase tiny("final a 100\nfinal b 1000\n");
    const auto found = findRoundingWaste(tiny.input);
    ASSERT_EQ(bytesOfOnly(found), 412 + 24);
    EXPECT_EQ(found[0].kind, FindingKind::Fact);
}

TEST(RoundingWaste, IsSilentBelowAFiftiethOfTheBlocks)
{
    const DetectorCase tiny("final a 51200\nfinal b 1000\n");
    EXPECT_TRUE(findRoundingWaste(tiny.input).empty());
}

TEST(RoundingWaste, IsAFaultOfTheSettingThatMakesIt)
{
    const auto imported = openTrace(test::samplePath("pytorch-snapshot/fault-rounding.pickle.zst"), {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findRoundingWaste(DetectorInput(study));
    ASSERT_EQ(bytesOfOnly(found), 8'519'680);
    EXPECT_EQ(found[0].kind, FindingKind::Fault);
    EXPECT_EQ(found[0].remedy.savedBytes, 8'519'680);
}

TEST(SettingsAdviceFinding, IsAFaultWhereTheRequestThatFailedFits)
{
    const auto imported = openTrace(test::samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst"), {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findSettingsAdvice(DetectorInput(study));
    ASSERT_EQ(bytesOfOnly(found), 900 * kMiB);
    EXPECT_EQ(found[0].kind, FindingKind::Fault);
    EXPECT_EQ(found[0].grade, Grade::B);
    EXPECT_TRUE(test::hasParts(found[0].title, {"With expandable_segments:True"}));
}

TEST(SettingsAdviceFinding, NamesASettingThatIsBetterLeftOut)
{
    const auto imported = openTrace(test::samplePath("pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst"), {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findSettingsAdvice(DetectorInput(study));
    ASSERT_EQ(bytesOfOnly(found), 7'361'003'520);
    EXPECT_TRUE(
        test::hasParts(found[0].title, {"Without max_split_size_mb", "falls from 30.69 GiB to 23.83 GiB"}));
}

TEST(SettingsAdviceFinding, IsSilentWhereNoSettingMakesEnoughRoom)
{
    const auto imported = openTrace(test::samplePath("pytorch-snapshot/oom-too-big.pickle.zst"), {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    EXPECT_TRUE(findSettingsAdvice(DetectorInput(study)).empty());
}

TEST(WorthSaying, IsAHundredthOfThePeakOr64MiB)
{
    const DetectorCase small("final a 10000\n");
    EXPECT_TRUE(isWorthReporting(small.input, 100));
    EXPECT_FALSE(isWorthReporting(small.input, 99));
    const DetectorCase large("final a 100GiB\n");
    EXPECT_TRUE(isWorthReporting(large.input, 64 * kMiB));
    EXPECT_FALSE(isWorthReporting(large.input, 64 * kMiB - 1));
    EXPECT_FALSE(isWorthReporting(small.input, 0));
}

namespace {

/// Returns the findings for a rehearsed recording together with a log that begins with this line.
std::vector<Finding> besideLog(const std::string& sample, const std::string& line)
{
    const auto imported = openTrace(test::samplePath("rehearsed/" + sample + ".pickle.zst"), {});
    const auto log = test::importBytes(line + "\n" + "+ python train.py\n");
    const DeviceStudy study(*imported->trace, 0);
    DetectorInput input(study);
    input.auxiliaryFiles.push_back({"run.log", log->trace});
    return findIneffectiveSettings(input);
}

} // namespace

TEST(IneffectiveSettings, AreThoseThatALogSetsAndTheSnapshotHasNot)
{
    const std::string line = "+ export PYTORCH_ALLOC_CONF=expandable_segments:True";
    const auto found = besideLog("fragments", line);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, "settings-not-effective");
    EXPECT_TRUE(test::hasParts(found[0].title, {"without expandable_segments:True"}));
    EXPECT_TRUE(besideLog("gpt-expandable", line).empty()) << "it was effective";
    EXPECT_TRUE(besideLog("fragments", "+ export PYTORCH_ALLOC_CONF=expandable_segments:False").empty());
    const auto reuse = besideLog("fragments", "+ export PYTORCH_ALLOC_CONF=pinned_num_register_threads:8");
    ASSERT_EQ(reuse.size(), 1u);
    EXPECT_TRUE(test::hasParts(reuse[0].title, {"without pinned_num_register_threads:8"}));
}

} // namespace highwater
