#include "core/analysis/detectors/overlaps.h"

#include "tests/core/analysis/detectors/detector_test_support.h"

namespace highwater {

namespace {

constexpr const char* kBlocks = "alloc a 600\nalloc b 400\nalloc c 1000\nend\n";

Finding about(std::string rule, std::vector<AllocationIndex> blocks, FindingKind kind = FindingKind::Fault)
{
    Finding finding;
    finding.rule = std::move(rule);
    finding.kind = kind;
    finding.addEvidence(AllocationsTarget{std::move(blocks)}, "these");
    return finding;
}

/// Returns the finding into which the first one is merged.
std::string explainerOfFirst(std::vector<Finding> findings)
{
    const test::DetectorCase tiny(kBlocks);
    markExplainedFindings(tiny.study, findings);
    return findings[0].mergedInto;
}

} // namespace

TEST(Overlaps, NameTheFindingThatIsNearerToTheCause)
{
    EXPECT_EQ(
        explainerOfFirst({about("growth", {0, 1}), about("retained-graph", {0, 1, 2})}), "retained-graph");
    EXPECT_EQ(explainerOfFirst({about("retained-graph", {0, 1, 2}), about("growth", {0, 1})}), "");
}

TEST(Overlaps, NeedHalfOfTheBytes)
{
    EXPECT_EQ(explainerOfFirst({about("growth", {0, 1}), about("retained-graph", {0})}), "retained-graph");
    EXPECT_EQ(explainerOfFirst({about("growth", {0, 1}), about("retained-graph", {1})}), "");
}

TEST(Overlaps, ExplainAFaultByAFaultAlone)
{
    const Finding fact = about("retained-graph", {0, 1}, FindingKind::Fact);
    EXPECT_EQ(explainerOfFirst({about("growth", {0, 1}), fact}), "");
    EXPECT_EQ(explainerOfFirst({about("growth", {0, 1}, FindingKind::Fact), fact}), "retained-graph");
}

TEST(Overlaps, PutTheAdviceBesideTheFailureThatItAnswers)
{
    EXPECT_EQ(explainerOfFirst({about("settings-advice", {}), about("fragmentation", {})}), "fragmentation");
    EXPECT_EQ(
        explainerOfFirst({about("settings-advice", {}, FindingKind::Fact), about("fragmentation", {})}), "");
}

TEST(Findings, AreReadFaultsFirstAndWhatIsExplainedLast)
{
    Finding fault = about("growth", {0});
    fault.grade = Grade::B;
    Finding explained = about("oversized-logits", {0});
    explained.mergedInto = "growth";
    explained.grade = Grade::A;
    Finding fact = about("peak-summary", {0}, FindingKind::Fact);
    fact.grade = Grade::A;
    EXPECT_TRUE(readsBefore(fault, explained));
    EXPECT_TRUE(readsBefore(explained, fact));
    EXPECT_FALSE(readsBefore(fact, fault));
}

TEST(Findings, AreReadByTheirSavingAndGuessesLater)
{
    const auto saving = [](Grade grade, Bytes bytes) {
        Finding finding = about("growth", {0});
        finding.grade = grade;
        finding.remedy.savedBytes = bytes;
        return finding;
    };
    EXPECT_TRUE(readsBefore(saving(Grade::B, 2), saving(Grade::A, 1)));
    EXPECT_TRUE(readsBefore(saving(Grade::A, 1), saving(Grade::B, 1)));
    EXPECT_TRUE(readsBefore(saving(Grade::A, 0), saving(Grade::C, 2)));
}

} // namespace highwater
