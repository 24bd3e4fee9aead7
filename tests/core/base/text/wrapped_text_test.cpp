#include "core/base/text/wrapped_text.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(WrappedText, BreaksBetweenWordsWithAHangingIndent)
{
    EXPECT_EQ(wrappedText("Next: store .item() values", 14, 2, 4), "  Next: store\n    .item()\n    values");
}

TEST(WrappedText, IsOneLineWithoutAWidth)
{
    EXPECT_EQ(wrappedText("one two three", 0, 1, 4), " one two three");
}

TEST(WrappedText, KeepsALongWordWhole)
{
    EXPECT_EQ(wrappedText("a modeling_utils.py:4130 b", 8, 0, 2), "a\n  modeling_utils.py:4130\n  b");
}

TEST(WrappedText, CountsCharactersRatherThanBytes)
{
    EXPECT_EQ(wrappedText("8 × 4 × 2", 9, 0, 0), "8 × 4 × 2");
}

} // namespace highwater
