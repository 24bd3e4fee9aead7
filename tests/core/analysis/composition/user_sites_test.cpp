#include "core/analysis/composition/user_sites.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

constexpr const char* kPackages = "/env/lib/python3.12/site-packages";

std::vector<std::string> keysAt(const std::string& text, std::int64_t event)
{
    const auto trace = test::traceFromText(text);
    const AllocationTable allocations(*trace, 0);
    std::vector<std::string> keys;
    for (const CompositionGroup& group :
        userSitesAt(*trace, allocations, CallSites(*trace, allocations), event).groups)
        keys.push_back(group.key);
    return keys;
}

using SiteKeys = std::vector<std::string>;

} // namespace

TEST(UserSites, NameTheUsersFrameAndWhatItCalledOfTorch)
{
    const std::string torch = std::string(kPackages) + "/torch/nn/modules/linear.py";
    EXPECT_EQ(keysAt("stack f = " + torch + ":125 forward | /app/model.py:39 forward | /app/train.py:5 main\n"
                      + "alloc a 100 @f\nend\n",
                  0),
        (SiteKeys{"forward (/app/model.py:39) [forward (" + torch + ":125)]"}));
}

TEST(UserSites, NameThePackagesPlaceRatherThanTorchs)
{
    const std::string torch = std::string(kPackages) + "/torch/nn/modules/linear.py";
    const std::string llama = std::string(kPackages) + "/transformers/modeling_llama.py";
    EXPECT_EQ(keysAt("stack f = " + torch + ":125 forward | " + llama
                      + ":210 forward | /app/train.py:5 main\n" + "alloc a 100 @f\nend\n",
                  0),
        (SiteKeys{"main (/app/train.py:5) [forward (" + llama + ":210)]"}));
}

TEST(UserSites, LeaveBracketsOutWhereTheUsersLineAllocates)
{
    EXPECT_EQ(keysAt("stack f = ??:0 at::empty | /app/a.py:10 f\nalloc a 100 @f\nend\n", 0),
        (SiteKeys{"f (/app/a.py:10)"}));
}

TEST(UserSites, AreTheCallSiteWhereNoFrameIsTheUsers)
{
    const std::string llama = std::string(kPackages) + "/transformers/modeling_llama.py";
    const SiteKeys keys = keysAt("stack f = " + llama + ":210 forward\nalloc a 100 @f\nalloc b 50\nend\n", 1);
    ASSERT_EQ(keys.size(), 2u);
    EXPECT_EQ(keys[0], "forward (" + llama + ":210)");
    EXPECT_TRUE(keys[1].starts_with("(no stack: ")) << keys[1];
}

TEST(UserSites, HaveLabelsWithoutFolders)
{
    const std::string llama = std::string(kPackages) + "/transformers/modeling_llama.py";
    const auto trace = test::traceFromText(
        "stack f = " + llama + ":210 forward | /app/train.py:5 main\nalloc a 100 @f\nend\n");
    const AllocationTable allocations(*trace, 0);
    EXPECT_EQ(findUserSite(*trace, allocations, CallSites(*trace, allocations), 0).label,
        "main (train.py:5) [forward (modeling_llama.py:210)]");
}

TEST(UserSites, SumToTheTotalOfEveryMoment)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const auto trace = test::randomTrace(seed);
        const AllocationTable allocations(*trace, 0);
        const CallSites sites(*trace, allocations);
        for (std::int64_t event = -1; event < allocations.eventCount(); event += 7) {
            const Composition composition = userSitesAt(*trace, allocations, sites, event);
            Bytes bytes = 0;
            std::int64_t blocks = 0;
            for (const CompositionGroup& group : composition.groups) {
                bytes += group.bytes;
                blocks += group.count;
            }
            EXPECT_EQ(bytes, compositionAt(*trace, allocations, sites, event, GroupKey::Site).bytes) << seed;
            EXPECT_EQ(bytes, composition.bytes) << seed;
            EXPECT_EQ(blocks, composition.count) << seed;
        }
    }
}

} // namespace highwater
