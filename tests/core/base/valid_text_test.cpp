#include "core/base/valid_text.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(ValidText, KeepsEveryCharacterOfUtf8)
{
    EXPECT_EQ(validText("layer 1: größe, 层, 🙂"), "layer 1: größe, 层, 🙂");
}

TEST(ValidText, PutsOneReplacementForEachByteThatIsNoCharacter)
{
    EXPECT_EQ(validText("a\xFF\xC0z"), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
}

TEST(ValidText, ReplacesACharacterThatIsCutOff)
{
    EXPECT_EQ(validText("size \xE5\xB1"), "size \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(TextWithout, PutsOneReplacementForACharacterOfSeveralBytes)
{
    EXPECT_EQ(replaceUnwanted("a层b", [](std::string_view character) { return character == "层"; }),
        "a\xEF\xBF\xBD"
        "b");
}

TEST(CharacterCount, CountsCodePoints)
{
    EXPECT_EQ(characterCount("größe, 层, 🙂"), 11U);
    EXPECT_EQ(characterCount(""), 0U);
}

TEST(CharacterStart, GoesBackToTheFirstByteOfACharacter)
{
    EXPECT_EQ(characterStart("a层b", 3), 1U);
    EXPECT_EQ(characterStart("a层b", 4), 4U);
}

TEST(CharacterStart, KeepsAnOffsetPastTheEnd)
{
    EXPECT_EQ(characterStart("层", 3), 3U);
    EXPECT_EQ(characterStart("层", 9), 9U);
}

TEST(CutText, EndsBetweenCharacters)
{
    EXPECT_EQ(cutText("größe", 3), "gr…");
    EXPECT_EQ(cutText("größe", 4), "grö…");
}

TEST(CutText, KeepsWhatFits)
{
    EXPECT_EQ(cutText("größe", 7), "größe");
}

} // namespace highwater
