#include "core/analysis/stacks/folded_stack.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {
namespace {

TEST(FoldedStack, NamesAFrameAsEveryPlaceInCode)
{
    const auto trace = test::traceFromText("stack s = /src/model.py:54 forward\nalloc a 4MiB @s\nend\n");
    const StackId stack = trace->events.stack[0];
    const std::vector<StackLine> lines = foldedStack(*trace, stack);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].text, "forward (model.py:54)");
    EXPECT_EQ(plainStack(*trace, stack), "forward (/src/model.py:54)\n");
}

} // namespace
} // namespace highwater
