#include "core/base/characters.h"

#include <string>

#include <gtest/gtest.h>

namespace highwater {

namespace {

/// Returns the bytes for which the function is true, from −1 (the end of a stream) to 255.
template <typename Kind>
std::string bytesThat(Kind kind)
{
    std::string bytes;
    for (int c = -1; c < 256; ++c)
        if (kind(c))
            bytes += static_cast<char>(c);
    return bytes;
}

} // namespace

TEST(Characters, TellsTheDigits)
{
    EXPECT_EQ(bytesThat(isDigit), "0123456789");
}

TEST(Characters, TellsTheLettersOfAscii)
{
    EXPECT_EQ(bytesThat(isLetter), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
}

TEST(Characters, TellsBlanks)
{
    EXPECT_EQ(bytesThat(isBlank), "\t\n\r ");
}

TEST(Characters, BytesOfUtf8AreOfNoKind)
{
    for (const char c : std::string("é−\u00A0"))
        EXPECT_FALSE(isDigit(c) || isLetter(c) || isBlank(c));
}

} // namespace highwater
