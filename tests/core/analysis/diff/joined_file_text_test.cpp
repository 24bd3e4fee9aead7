#include "core/analysis/diff/joined_file_text.h"

#include <gtest/gtest.h>

#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

using Texts = std::vector<std::string>;

JoinedFile takenAs(const std::string& before, const std::string& after, double allocations = 0.969)
{
    return {before, after, {.sharedFunctions = 2, .mostFunctions = 2, .allocationShare = allocations}};
}

/// Returns the sentence if there is only one, else nothing.
std::string onlySentence(const std::vector<JoinedFile>& joinedFiles)
{
    const Texts sentences = joinedFileSentences(joinedFiles);
    return sentences.size() == 1 ? sentences.front() : std::string();
}

} // namespace

TEST(TakenFileSentences, NameBothFilesAndSayWhy)
{
    EXPECT_TRUE(test::hasParts(onlySentence({takenAs("/w/train_old.py", "C:\\w\\train_fixed.py")}),
        {"train_old.py and train_fixed.py", "same functions", "96%"}));
    JoinedFile file = takenAs("/w/a.py", "/w/b.py", 1);
    file.likeness.mostFunctions = 3;
    EXPECT_TRUE(test::hasParts(onlySentence({file}), {"a.py and b.py", "2 of 3 functions", "100%"}));
}

TEST(TakenFileSentences, NameThreeFilesAndCountTheOthers)
{
    const Texts sentences = joinedFileSentences(
        {takenAs("a", "b"), takenAs("c", "d"), takenAs("e", "f"), takenAs("g", "h"), takenAs("i", "j")});
    ASSERT_EQ(sentences.size(), 4u);
    EXPECT_TRUE(test::hasParts(sentences.back(), {"2 more pairs"}));
}

TEST(TakenFileSentences, AreOneForFilesThatOnlyMoved)
{
    EXPECT_TRUE(test::hasParts(
        onlySentence({{"/a/train.py", "/b/train.py", {}}}), {"train.py is in another folder"}));
    EXPECT_TRUE(test::hasParts(
        onlySentence({{"/a/m.py", "/b/m.py", {}}, {"/a/n.py", "/b/n.py", {}}}), {"m.py and 1 other file"}));
    EXPECT_TRUE(joinedFileSentences({}).empty());
}

} // namespace highwater
