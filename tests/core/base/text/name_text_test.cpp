#include "core/base/text/name_text.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(NameText, ShowsAnOrdinaryNameWhole)
{
    const std::string name(1024, 'n');
    EXPECT_EQ(nameText(name), name);
}

TEST(NameText, ShowsTheBeginningAndTheEndOfALongerOne)
{
    const std::string text = nameText("begin" + std::string(1'000'000, 'n') + "end");
    EXPECT_LT(text.size(), 1024u);
    EXPECT_TRUE(text.starts_with("beginnnn"));
    EXPECT_TRUE(text.ends_with("nnnend"));
    EXPECT_NE(text.find("1,000,008 bytes"), std::string::npos);
}

TEST(NameText, TellsLongNamesApart)
{
    const std::string half(500'000, 'n');
    EXPECT_NE(nameText(half + "a" + half), nameText(half + "b" + half));
}

TEST(NameText, CutsBetweenCharacters)
{
    std::string name;
    for (int i = 0; i < 1000; ++i)
        name += "\u6f22"; // three bytes each
    for (int shift = 0; shift < 3; ++shift)
        EXPECT_EQ(nameText(std::string(static_cast<std::size_t>(shift), 'n') + name).find("\uFFFD"),
            std::string::npos);
}

TEST(CodePlaceText, NamesTheFunctionAndTheFileWithoutFolders)
{
    EXPECT_EQ(codePlaceText("forward", "/src/model.py", 39), "forward (model.py:39)");
    EXPECT_EQ(codePlaceText("forward", "model.py", 0), "forward (model.py)");
    EXPECT_EQ(codePlaceText("", "C:\\src\\model.py:39"), "model.py:39");
    EXPECT_EQ(codePlaceText("forward", "", 39), "forward");
}

TEST(FileAndLine, AreTakenFromTheTextOfAPlace)
{
    EXPECT_EQ(fileAndLineOf("freed by to (modeling_utils.py:3110)"), "modeling_utils.py:3110");
    EXPECT_EQ(fileAndLineOf("forward (model.py)"), "");
    EXPECT_EQ(fileAndLineOf("backward · MmBackward0"), "");
}

TEST(CallMarks, FollowFunctionsThatReadAsWords)
{
    EXPECT_EQ(
        withCallMarks("made at to (a.py:3) [convert (b.py:4)]"), "made at to() (a.py:3) [convert (b.py:4)]");
}

TEST(CallMarks, LeaveOtherNamesAndOtherBrackets)
{
    for (const char* text :
        {"update_cache (model.py:28)", "2 GiB (23%) in all", "backward (a guess)", "to() (a.py:3)"})
        EXPECT_EQ(withCallMarks(text), text);
}

} // namespace highwater
