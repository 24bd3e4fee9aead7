#include "core/base/text/sentence_text.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(FullSentence, StartsWithACapitalAndEndsWithAFullStop)
{
    EXPECT_EQ(fullSentence("saves 3 MiB"), "Saves 3 MiB.");
    EXPECT_EQ(fullSentence("full: 48 MiB requested"), "Full: 48 MiB requested.");
    EXPECT_EQ(fullSentence("is it needed?"), "Is it needed?");
}

TEST(FullSentence, KeepsTheCaseOfCode)
{
    EXPECT_EQ(fullSentence("zero_grad() runs too late"), "zero_grad() runs too late.");
    EXPECT_EQ(upperFirst("max_split_size_mb:64 helps"), "max_split_size_mb:64 helps");
    EXPECT_EQ(upperFirst("train.py fails"), "train.py fails");
    EXPECT_EQ(upperFirst("to (model.py:39) allocates 2 GiB"), "to (model.py:39) allocates 2 GiB");
    EXPECT_EQ(lowerFirst("Block (model.py:39) keeps 2 GiB"), "Block (model.py:39) keeps 2 GiB");
    EXPECT_EQ(upperFirst("memory (2 GiB) leaks"), "Memory (2 GiB) leaks");
}

} // namespace highwater
