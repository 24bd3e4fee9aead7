#include "core/study/finding_place.h"

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

RunStudy studyOfLeak()
{
    RunParts parts;
    parts.trace = openTrace(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {})->trace;
    parts.device = std::make_shared<const DeviceStudy>(*parts.trace, 0);
    return RunStudy(std::move(parts));
}

} // namespace

TEST(FindingPlace, IsTheLineThatKeepsTheMemory)
{
    const RunStudy study = studyOfLeak();
    const std::optional<FailurePlace> place = placeOf(*study.finding("growth"), study);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->file, "/workspace/grpo/trainer.py");
    EXPECT_EQ(place->line, 186);
    EXPECT_EQ(place->function, "policy_log_probs");
}

TEST(FindingPlace, IsTheAllocatingLineIfNothingKeepsTheMemory)
{
    const RunStudy study = studyOfLeak();
    const std::optional<FailurePlace> place = placeOf(*study.finding("oversized-logits"), study);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->file.rfind("/workspace/grpo/", 0), 0u) << place->file;
    EXPECT_GT(place->line, 0);
}

TEST(FindingPlace, IsUnknownForAFindingWithoutAllocations)
{
    Finding finding;
    finding.rule = "peak-summary";
    EXPECT_EQ(placeOf(finding, studyOfLeak()), std::nullopt);
}

} // namespace highwater
