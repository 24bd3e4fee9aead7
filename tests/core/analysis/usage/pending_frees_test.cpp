#include "core/analysis/usage/pending_frees.h"

#include <gtest/gtest.h>

#include "core/trace/trace_builder.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

TEST(PendingFrees, LastFromTheRequestToTheCompletion)
{
    const auto trace
        = test::traceFromText("alloc a 100\nfree_requested a\nalloc b 50\nfree_completed a\nend\n");
    const AllocationTable table(*trace, 0);
    const LiveIndex live(table);
    const PendingFrees pending(*trace, live);
    EXPECT_EQ(pending.requestOf(0), 1);
    EXPECT_FALSE(pending.isPending(0, 0));
    EXPECT_TRUE(pending.isPending(0, 2));
    EXPECT_EQ(pending.requestOf(1), PendingFrees::kNotRequested);
}

TEST(PendingFrees, AreFoundAmongManyAddresses)
{
    // One address in each 2 MiB: an identity hash would put them all into a few buckets.
    constexpr std::uint32_t count = 20'000;
    TraceBuilder builder;
    const auto add = [&](Action action, std::uint32_t i) {
        const Address address = 0x7f0000000000 + (Address{i} << 21);
        builder.addEvent({action, address, 512, 0, builder.stream(0), {}, {}, {}, {}});
    };
    for (std::uint32_t i = 0; i < count; ++i)
        add(Action::Alloc, i);
    for (std::uint32_t i = 0; i < count; ++i)
        add(Action::FreeRequested, i);
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, 2 * count}});
    const auto trace = builder.finish();
    const AllocationTable table(*trace, 0);
    const LiveIndex live(table);
    const PendingFrees pending(*trace, live);
    for (std::uint32_t i = 0; i < count; ++i)
        ASSERT_EQ(pending.requestOf(i), count + i);
}

} // namespace highwater
