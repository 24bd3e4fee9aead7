// Checks that the headline of a finding, its bytes, and the allocations that it highlights are one thing.
#include <set>

#include <gtest/gtest.h>

#include "core/analysis/detectors/rule_table.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Runs the detectors that do not replay the allocator; those that do list no allocations.
std::vector<Finding> quickFindings(const DetectorInput& input)
{
    std::vector<Finding> findings;
    std::set<Detector> ran;
    for (const Rule& rule : rules())
        if (rule.find && !rule.is(Rule::Slow) && !rule.is(Rule::FromLogs)
            && (input.hasHistory() || !rule.is(Rule::NeedsHistory)) && ran.insert(rule.find).second)
            std::ranges::move(rule.find(input), std::back_inserter(findings));
    return findings;
}

Bytes listedBytesAlive(const Finding& finding, const DeviceStudy& study)
{
    std::vector<AllocationIndex> listed = allocationsOf(finding);
    std::erase_if(listed, [&](AllocationIndex i) { return !study.allocations.isLiveAt(i, finding.event); });
    return bytesOf(study.allocations, listed);
}

void expectBytesAreThoseListed(const Finding& finding, const DeviceStudy& study)
{
    if (allocationsOf(finding).empty() || ruleNamed(finding.rule)->is(Rule::PartOfAllocations))
        return;
    EXPECT_EQ(listedBytesAlive(finding, study), finding.bytes) << finding.rule << ": " << finding.title;
}

class BytesOfFindings : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(BytesOfFindings, AreThoseOfTheAllocationsThatTheEvidenceLists)
{
    const auto imported = openTrace(test::samplePath(GetParam()), {});
    ASSERT_TRUE(imported);
    for (DeviceIndex device = 0; device < imported->trace->devices.size(); ++device) {
        const DeviceStudy study(*imported->trace, device);
        for (const Finding& finding : quickFindings(DetectorInput(study)))
            expectBytesAreThoseListed(finding, study);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Samples, BytesOfFindings, testing::ValuesIn(test::sampleNames("pytorch-snapshot")), test::nameOfFile);

TEST(BytesOfALeak, AreTheBytesOfItsKeptBlocksAtOneMoment)
{
    const auto imported = openTrace(test::samplePath(test::kGrpoSample), {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    const std::vector<Finding> found = findGrowth(DetectorInput(study));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(bytesOf(study.allocations, allocationsOf(found[0])), found[0].bytes)
        << "all of them are in use at the moment";
    EXPECT_TRUE(test::hasParts(found[0].title, {", mostly from policy_log_probs (trainer.py:186): "}));
    EXPECT_TRUE(test::hasParts(found[0].remedy.action,
        {"the tensors from training_step (trainer.py:148)", "mostly those from policy_log_probs"}))
        << "all of what the saving counts has a place";
}

} // namespace highwater
