#include "core/analysis/composition/site_totals.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Two sites: f allocates 2048 bytes through one stack and 512 twice through another, g 4096 bytes.
constexpr const char* kSitesAndStacks = "stack near = /app/a.py:10 f | /app/train.py:1 main\n"
                                        "stack far = /app/a.py:10 f | /app/train.py:2 main\n"
                                        "stack other = /app/a.py:20 g\n"
                                        "alloc a 2048 @far\nalloc b 512 @near\nalloc c 512 @near\n"
                                        "alloc d 4096 @other\nend\n";

class SiteStacks : public testing::Test
{
protected:
    std::vector<SiteStack> of(const std::vector<AllocationIndex>& given) const
    {
        return siteStacks(m_allocations, m_sites, given);
    }

    std::shared_ptr<const Trace> m_trace = test::traceFromText(kSitesAndStacks);
    AllocationTable m_allocations{*m_trace, 0};
    CallSites m_sites{*m_trace, m_allocations};
};

} // namespace

TEST_F(SiteStacks, ComeWithTheLargestSiteFirstAndSumToTheAllocations)
{
    const std::vector<SiteStack> found = of({0, 1, 2, 3});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(m_sites.site(found[0].total.site).label, "g (a.py:20)");
    EXPECT_EQ(found[0].total.bytes, 4096);
    EXPECT_EQ(found[1].total.bytes, 3072);
}

TEST_F(SiteStacks, NameTheCommonestStackAndNotTheLargest)
{
    const SiteStack site = of({0, 1, 2}).front();
    EXPECT_EQ(m_allocations.stack(site.example), m_allocations.stack(1));
    EXPECT_EQ(site.sameStack, 2);
    EXPECT_EQ(site.total.count, 3);
}

TEST_F(SiteStacks, LeaveOutSitesWithoutAnAllocation)
{
    EXPECT_EQ(of({3}).size(), 1u);
    EXPECT_TRUE(of({}).empty());
}

} // namespace highwater
