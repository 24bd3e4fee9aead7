// Whatever a trace holds, findings keep to what can be.
#include <gtest/gtest.h>

#include "core/analysis/detectors/detectors.h"
#include "tests/support/random_trace.h"

namespace highwater {

namespace {

class RandomFindings : public testing::TestWithParam<std::uint32_t>
{
};

void expectWithin(const Finding& finding, const DeviceStudy& study)
{
    const Bytes peak = study.curve.peak().bytes;
    EXPECT_GT(finding.bytes, 0) << finding.title;
    EXPECT_GE(finding.remedy.savedBytes, 0) << finding.title;
    EXPECT_LE(finding.remedy.savedBytes, std::max(peak, finding.bytes)) << finding.title;
    EXPECT_GE(finding.event, -1) << finding.title;
    EXPECT_LT(finding.event, study.curve.eventCount()) << finding.title;
    if (finding.step) {
        EXPECT_LT(*finding.step, study.steps.steps.size()) << finding.title;
    }
    for (const Evidence& evidence : finding.evidence)
        if (const auto* target = std::get_if<AllocationsTarget>(&evidence.target)) {
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
    for (const Finding& finding : findFindings(DetectorInput(study)))
        expectWithin(finding, study);
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

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFindings, testing::Range(1u, 101u));

} // namespace highwater
