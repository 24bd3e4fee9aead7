#include "core/analysis/detectors/advice.h"

#include "core/base/units.h"
#include "tests/core/analysis/detectors/detector_test_support.h"

namespace highwater {

namespace {

Finding tooBig()
{
    Finding failure{.rule = "too-big", .grade = Grade::A, .device = 0, .bytes = kGiB, .event = 9};
    failure.remedy.action = "Free parameters";
    return failure;
}

Finding duplicate(Bytes saved)
{
    Finding finding{.rule = "duplicate-model", .grade = Grade::A, .device = 0};
    finding.remedy = {"Keep one copy", saved};
    return finding;
}

Finding factAbout(const char* rule, Bytes saved)
{
    Finding finding{.rule = rule, .grade = Grade::A, .kind = FindingKind::Fact, .device = 0};
    finding.remedy = {"Do this", saved};
    return finding;
}

/// A run with a peak of 10 GiB.
DetectorInput healthyRun()
{
    DetectorInput input;
    input.figures.peakBytes = 10 * kGiB;
    return input;
}

DetectorInput failedRun()
{
    DetectorInput input = healthyRun();
    input.figures.ooms.emplace_back();
    return input;
}

} // namespace

TEST(Advice, OfAFailureRefersToTheFaultThatMakesRoom)
{
    std::vector<Finding> findings{tooBig(), duplicate(2 * kGiB)};
    settleAdvice(failedRun(), findings);
    EXPECT_EQ(findings[0].remedy.from, "duplicate-model");
    EXPECT_EQ(findings[0].remedy.action.find("Keep one copy"), std::string::npos) << "the advice comes once";
    EXPECT_EQ(findings[1].remedy.action, "Keep one copy");
}

TEST(Advice, OfAFailureStaysWhereTheFaultIsTooSmallOrNeeded)
{
    std::vector<Finding> small{tooBig(), duplicate(kGiB / 2)};
    settleAdvice(failedRun(), small);
    EXPECT_EQ(small[0].remedy.action, "Free parameters");
    std::vector<Finding> needed{tooBig(), duplicate(2 * kGiB)};
    needed[1].kind = FindingKind::Fact;
    settleAdvice(failedRun(), needed);
    EXPECT_EQ(needed[0].remedy.action, "Free parameters");
}

TEST(Advice, OfAFailureIsThatOfTheFactThatFreesEnoughAtThatEvent)
{
    const auto settled = [](Bytes freedAtFailure) {
        std::vector<Finding> findings{tooBig(), factAbout("optimizer-state-first-step", 2 * kGiB)};
        findings[1].remedy.removed = std::make_shared<const std::vector<RemovedBytes>>(
            std::vector<RemovedBytes>{{3, 2 * kGiB}, {8, freedAtFailure}, {10, 2 * kGiB}});
        settleAdvice(failedRun(), findings);
        return findings;
    };
    const std::vector<Finding> enough = settled(kGiB);
    EXPECT_EQ(enough[0].remedy.action, "Do this: that frees 1 GiB, and 1 GiB is needed");
    EXPECT_EQ(enough[1].remedy.action, "") << "the advice comes once";
    EXPECT_EQ(enough[1].remedy.savedBytes, 0) << "a saving has an action";
    EXPECT_EQ(settled(kGiB - 1)[0].remedy.action, "Free parameters");
}

TEST(Advice, ToChangeASettingIsGivenByTheFailureAlone)
{
    Finding failure{.rule = "fragmentation", .grade = Grade::A, .device = 0};
    failure.remedy = {"Set it"};
    failure.remedy.setting = "expandable_segments:True";
    Finding advice{.rule = "settings-advice", .grade = Grade::B, .device = 0};
    advice.remedy = {"Try it"};
    advice.remedy.setting = failure.remedy.setting;
    advice.mergedInto = "fragmentation";
    std::vector<Finding> findings{failure, advice};
    findings[1].remedy.setting = "max_split_size_mb:64";
    settleAdvice(failedRun(), findings);
    EXPECT_EQ(findings.size(), 2u) << "another setting is other advice";
    findings[1].remedy.setting = failure.remedy.setting;
    settleAdvice(failedRun(), findings);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, "fragmentation");
}

TEST(Advice, ThatSavesLittleIsForRunsThatNeedIt)
{
    const auto actionIn = [](const DetectorInput& input, Bytes saved) {
        std::vector<Finding> findings{factAbout("oversized-logits", saved)};
        settleAdvice(input, findings);
        EXPECT_EQ(findings[0].remedy.savedBytes > 0, !findings[0].remedy.action.empty());
        return findings[0].remedy.action;
    };
    EXPECT_EQ(actionIn(healthyRun(), 100 * kMiB), "") << "1% of the peak";
    EXPECT_EQ(actionIn(healthyRun(), kGiB), "Do this");
    EXPECT_EQ(actionIn(failedRun(), 200 * kMiB), "Do this");
    EXPECT_EQ(actionIn(failedRun(), 4), "") << "not even a run that failed needs 4 bytes";
    DetectorInput full = healthyRun();
    full.capacity = DeviceCapacity{};
    full.capacity->bytes = 11 * kGiB;
    EXPECT_EQ(actionIn(full, 200 * kMiB), "Do this");
}

} // namespace highwater
