#include "core/analysis/detectors/failure_advice.h"

#include <gtest/gtest.h>

#include "core/base/units.h"

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

} // namespace

TEST(FailureAdvice, NamesTheDuplicateThatWouldMakeRoom)
{
    std::vector<Finding> findings{tooBig(), duplicate(2 * kGiB)};
    adviseByCause(findings);
    EXPECT_EQ(findings[0].remedy.action, "Free 2 GiB first (duplicate-model). Keep one copy");
}

TEST(FailureAdvice, StaysWhereTheDuplicateIsTooSmallOrNeeded)
{
    std::vector<Finding> small{tooBig(), duplicate(kGiB / 2)};
    adviseByCause(small);
    EXPECT_EQ(small[0].remedy.action, "Free parameters");
    std::vector<Finding> needed{tooBig(), duplicate(2 * kGiB)};
    needed[1].kind = FindingKind::Fact;
    adviseByCause(needed);
    EXPECT_EQ(needed[0].remedy.action, "Free parameters");
}

} // namespace highwater
