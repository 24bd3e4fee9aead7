// Checks that findings are plausible for any trace.
#include <gtest/gtest.h>

#include "core/analysis/detectors/detectors.h"
#include "importers/registry/open_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

class RandomFindings : public testing::TestWithParam<std::uint32_t>
{
};

/// Number of times that each optional check ran.
struct Checked
{
    int steps = 0;
    int allocations = 0;
};

void expectWithin(const Finding& finding, const DeviceStudy& study, Checked& checked)
{
    const Bytes peak = study.curve.peak().bytes;
    EXPECT_GT(finding.bytes, 0) << finding.title;
    EXPECT_GE(finding.remedy.savedBytes, 0) << finding.title;
    EXPECT_LE(finding.remedy.savedBytes, std::max(peak, finding.bytes)) << finding.title;
    EXPECT_GE(finding.event, -1) << finding.title;
    EXPECT_LT(finding.event, study.curve.eventCount()) << finding.title;
    if (finding.step) {
        ++checked.steps;
        EXPECT_LT(*finding.step, study.steps.steps.size()) << finding.title;
    }
    for (const Evidence& evidence : finding.evidence)
        if (const auto* target = std::get_if<AllocationsTarget>(&evidence.target)) {
            ++checked.allocations;
            ASSERT_FALSE(target->allocations.empty()) << evidence.sentence;
            EXPECT_TRUE(std::ranges::is_sorted(target->allocations)) << evidence.sentence;
            EXPECT_LT(target->allocations.back(), study.allocations.size()) << evidence.sentence;
        }
}

void expectFindingsWithin(std::uint32_t seed, bool consistent)
{
    test::RandomTraceOptions options;
    options.consistent = consistent;
    const auto trace = test::randomTrace(seed, options);
    const DeviceStudy study(*trace, 0);
    const std::vector<Finding> findings = findFindings(DetectorInput(study));
    EXPECT_FALSE(findings.empty());
    Checked checked;
    for (const Finding& finding : findings)
        expectWithin(finding, study, checked);
}

} // namespace

TEST_P(RandomFindings, StayWithinTheTrace)
{
    expectFindingsWithin(GetParam(), true);
}

TEST_P(RandomFindings, StayWithinATraceThatContradictsItself)
{
    expectFindingsWithin(GetParam(), false);
}

TEST(FindingsOfFaults, StayWithinTheTraceInStepsAndAllocations)
{
    // Random traces have no steps, so other traces are needed for findings that name one.
    Checked checked;
    for (const char* name : {"fault-growth", "fault-retained-graph", "fault-logits", "r1-grpo-before"}) {
        const auto imported
            = openTrace(test::samplePath(std::string("pytorch-snapshot/") + name + ".pickle.zst"), {});
        ASSERT_TRUE(imported) << name;
        const DeviceStudy study(*imported->trace, 0);
        for (const Finding& finding : findFindings(DetectorInput(study)))
            expectWithin(finding, study, checked);
    }
    EXPECT_GT(checked.steps, 0);
    EXPECT_GT(checked.allocations, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFindings, testing::Range(1u, 101u));

} // namespace highwater
