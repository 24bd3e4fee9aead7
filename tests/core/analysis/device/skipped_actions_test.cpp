#include "core/analysis/device/skipped_actions.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

std::vector<Action> skippedIn(const std::string& text)
{
    return skippedActions(*test::traceFromText(text), 0);
}

} // namespace

TEST(SkippedActions, AreThoseThatTheirOtherHalfIsThereWithout)
{
    EXPECT_EQ(skippedIn("alloc a 8\nfree_completed a\nend"), std::vector<Action>{Action::FreeRequested});
    EXPECT_EQ(skippedIn("alloc a 8\nfree_requested a\nend"), std::vector<Action>{Action::FreeCompleted});
}

TEST(SkippedActions, AreNoneWhereNothingShowsIt)
{
    EXPECT_TRUE(skippedIn("alloc a 8\nfree a\nend").empty());
    EXPECT_TRUE(skippedIn("alloc a 8\nalloc b 8\nend").empty());
    EXPECT_TRUE(skippedIn("alloc a 8\nfree_once a\nend").empty()) << "an older form, complete in itself";
}

} // namespace highwater
