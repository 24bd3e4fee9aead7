#include "core/analysis/diff/taken_file_text.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

using Texts = std::vector<std::string>;

TakenFile takenAs(const std::string& before, const std::string& after, double allocations = 0.969)
{
    return {before, after, {.functions = 2, .mostFunctions = 2, .allocations = allocations}};
}

} // namespace

TEST(TakenFileSentences, NameBothFilesAndSayWhy)
{
    EXPECT_EQ(takenFileSentences({takenAs("/w/train_old.py", "C:\\w\\train_fixed.py")}),
        Texts{"train_old.py and train_fixed.py are compared as one file: same functions, 96% of the "
              "allocations match."});
    TakenFile file = takenAs("/w/a.py", "/w/b.py", 1);
    file.likeness.mostFunctions = 3;
    EXPECT_EQ(takenFileSentences({file}),
        Texts{"a.py and b.py are compared as one file: 2 of 3 functions, 100% of the allocations match."});
}

TEST(TakenFileSentences, NameThreeFilesAndCountTheOthers)
{
    const Texts sentences = takenFileSentences(
        {takenAs("a", "b"), takenAs("c", "d"), takenAs("e", "f"), takenAs("g", "h"), takenAs("i", "j")});
    ASSERT_EQ(sentences.size(), 4u);
    EXPECT_EQ(sentences.back(), "So are 2 more pairs with different names.");
}

TEST(TakenFileSentences, AreOneForFilesThatOnlyMoved)
{
    EXPECT_EQ(takenFileSentences({{"/a/train.py", "/b/train.py", {}}}),
        Texts{"train.py is in another folder of the other run, and compared as one file."});
    EXPECT_EQ(takenFileSentences({{"/a/m.py", "/b/m.py", {}}, {"/a/n.py", "/b/n.py", {}}}),
        Texts{
            "m.py and 1 other file are each in another folder of the other run, and compared as one file."});
    EXPECT_TRUE(takenFileSentences({}).empty());
}

} // namespace highwater
