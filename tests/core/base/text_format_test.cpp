#include "core/base/text_format.h"

#include <limits>

#include <gtest/gtest.h>

namespace highwater {

namespace {

constexpr Bytes kMaxBytes = std::numeric_limits<Bytes>::max();
constexpr Bytes kLeastBytes = std::numeric_limits<Bytes>::min();

} // namespace

TEST(FormatAbout, KeepsTheZerosOfWholeNumbers)
{
    EXPECT_EQ(formatAbout(20 * kGiB), "about 20 GiB");
    EXPECT_EQ(formatAbout(100 * kMiB), "about 100 MiB");
    EXPECT_EQ(formatAbout(2 * kGiB), "about 2 GiB");
}

TEST(FormatPair, ShowsBothInTheUnitOfTheLarger)
{
    const PairText text = formatPair(1'152'000'000, 1'034'800'000);
    EXPECT_EQ(text.before, "1.07 GiB");
    EXPECT_EQ(text.after, "0.96 GiB");
}

TEST(FormatPair, LeavesAMuchSmallerSizeInItsOwnUnit)
{
    const PairText text = formatPair(4 * kGiB, 48 * kMiB);
    EXPECT_EQ(text.before, "4 GiB");
    EXPECT_EQ(text.after, "48 MiB");
}

TEST(FormatPair, ShowsBytesAsBytes)
{
    EXPECT_EQ(formatPair(0, 2 * kGiB).before, "0 B");
    EXPECT_EQ(formatPair(1000, 2048).before, "1000 B");
}

TEST(FormatChange, ShowsBothTotalsInOneUnit)
{
    const ChangeText text = formatChange(512 * kMiB, 2 * kGiB);
    EXPECT_EQ(text.before, "0.5 GiB");
    EXPECT_EQ(text.after, "2 GiB");
    EXPECT_EQ(text.delta, "+1.5 GiB");
}

TEST(FormatChange, AddsUpAsShown)
{
    const ChangeText text = formatChange(32'826'093'568, 25'411'850'240);
    EXPECT_EQ(text.before, "30.572 GiB");
    EXPECT_EQ(text.after, "23.667 GiB");
    EXPECT_EQ(text.delta, "−6.905 GiB");
    EXPECT_EQ(text.size, "6.905 GiB");
}

TEST(FormatChange, HasTwoDecimalsWhereTheyAddUp)
{
    const ChangeText text = formatChange(24 * kGiB, 20 * kGiB + 512 * kMiB);
    EXPECT_EQ(text.before, "24 GiB");
    EXPECT_EQ(text.after, "20.5 GiB");
    EXPECT_EQ(text.delta, "−3.5 GiB");
}

TEST(FormatChange, KeepsTwoDecimalsInUnequalUnits)
{
    const ChangeText text = formatChange(24'287'511'136, 24'322'085'344);
    EXPECT_EQ(text.before, "22.62 GiB");
    EXPECT_EQ(text.after, "22.65 GiB");
    EXPECT_EQ(text.delta, "+32.97 MiB");
}

TEST(FormatBytes, ShowsWholeBytesBelowOneKiB)
{
    EXPECT_EQ(formatBytes(0), "0 B");
    EXPECT_EQ(formatBytes(1023), "1023 B");
    EXPECT_EQ(formatBytes(1024), "1 KiB");
}

TEST(FormatBytes, UsesBase1024)
{
    EXPECT_EQ(formatBytes(1536), "1.5 KiB");
    EXPECT_EQ(formatBytes(23'069'672), "22 MiB");
    EXPECT_EQ(formatBytes(24'287'511'136), "22.62 GiB");
    EXPECT_EQ(formatBytes(kTiB), "1 TiB");
}

TEST(FormatBytes, GoesToTheNextUnitRatherThanPrintFourDigits)
{
    EXPECT_EQ(formatBytes(999 * kMiB), "999 MiB");
    EXPECT_EQ(formatBytes(1008 * kMiB), "0.98 GiB");
    EXPECT_EQ(formatBytes(kMiB - 1), "1 MiB");
    EXPECT_EQ(formatBytes(kGiB - 1), "1 GiB");
    EXPECT_EQ(formatBytes(kTiB - 1), "1 TiB");
}

TEST(FormatBytes, WritesNegativeNumbersWithAMinusSign)
{
    EXPECT_EQ(formatBytes(-512), "−512 B");
    EXPECT_EQ(formatBytes(-kMiB), "−1 MiB");
}

TEST(FormatBytes, TakesTheLimits)
{
    EXPECT_EQ(formatBytes(kMaxBytes), "8 EiB");
    EXPECT_EQ(formatBytes(kLeastBytes), "−8 EiB");
}

TEST(FormatBytesDelta, AlwaysHasASign)
{
    EXPECT_EQ(formatBytesDelta(0), "0 B");
    EXPECT_EQ(formatBytesDelta(2 * kGiB), "+2 GiB");
    EXPECT_EQ(formatBytesDelta(-1), "−1 B");
}

TEST(FormatBytesLike, UsesTheUnitOfOtherBytes)
{
    EXPECT_EQ(formatBytesLike(480 * kMiB, 3 * kGiB), "0.47 GiB");
    EXPECT_EQ(formatBytesLike(-2 * kGiB, -3 * kGiB), "−2 GiB");
    EXPECT_EQ(formatBytesLike(4 * kKiB, 3 * kGiB), "4 KiB");
    EXPECT_EQ(formatBytesLike(0, 3 * kGiB), "0 B");
}

TEST(WithThousands, SeparatesThoseOfEachNumber)
{
    EXPECT_EQ(withThousands("8 × 174 × 50257 × 2"), "8 × 174 × 50,257 × 2");
    EXPECT_EQ(withThousands("124439808"), "124,439,808");
    EXPECT_EQ(withThousands(""), "");
}

TEST(FormatCount, SeparatesThousands)
{
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatCount(1000), "1,000");
    EXPECT_EQ(formatCount(67'108'864), "67,108,864");
    EXPECT_EQ(formatCount(-1234), "−1,234");
    EXPECT_EQ(formatCount(kLeastBytes), "−9,223,372,036,854,775,808");
}

TEST(FormatExactBytes, SaysTheUnit)
{
    EXPECT_EQ(formatExactBytes(67'108'864), "67,108,864 B");
}

TEST(FormatDuration, ChoosesTheUnit)
{
    EXPECT_EQ(formatDuration(0), "0 ns");
    EXPECT_EQ(formatDuration(999), "999 ns");
    EXPECT_EQ(formatDuration(1'500), "1.5 µs");
    EXPECT_EQ(formatDuration(31'200'000), "31.2 ms");
    EXPECT_EQ(formatDuration(4'500'000'000), "4.5 s");
    EXPECT_EQ(formatDuration(123'000'000'000), "2 min 3 s");
    EXPECT_EQ(formatDuration(7'380'000'000'000), "2 h 3 min");
}

TEST(FormatDuration, NeverFallsIntoScientificNotation)
{
    for (Nanoseconds duration = 1; duration < 4'000'000'000'000; duration += 1 + duration / 1000)
        ASSERT_EQ(formatDuration(duration).find("e+"), std::string::npos)
            << duration << " ns gives " << formatDuration(duration);
}

TEST(FormatDuration, WritesNegativeOnesWithAMinusSign)
{
    EXPECT_EQ(formatDuration(-1'500), "−1.5 µs");
    EXPECT_TRUE(formatDuration(kLeastBytes).starts_with("−"));
}

TEST(FormatTimestamp, IsUtcWithMicroseconds)
{
    EXPECT_EQ(formatTimestamp(0), "1970-01-01 00:00:00.000000 UTC");
    EXPECT_EQ(formatTimestamp(1'754'641'328'380'304'000), "2025-08-08 08:22:08.380304 UTC");
    EXPECT_EQ(formatTimestamp(-1'000), "1969-12-31 23:59:59.999999 UTC");
}

TEST(FormatAddress, IsHexadecimal)
{
    EXPECT_EQ(formatAddress(0x7f064c000000), "0x7f064c000000");
    EXPECT_EQ(formatAddress(~Address{0}), "0xffffffffffffffff");
}

TEST(FormatShare, HasOneDigitAndNoShareOfNothing)
{
    EXPECT_EQ(formatShare(172, 1000), "17%");
    EXPECT_EQ(formatShare(5, 0), "–");
}

TEST(FormatRelativeDelta, HasASignAndOneDigit)
{
    EXPECT_EQ(formatRelativeDelta(1000, 774), "−23%");
    EXPECT_EQ(formatRelativeDelta(1000, 1001), "+0.1%");
    EXPECT_EQ(formatRelativeDelta(1000, 1000), "0%");
    EXPECT_EQ(formatRelativeDelta(0, 5), "–");
}

TEST(ParseSize, TakesBytesAndUnits)
{
    EXPECT_EQ(parseSize("0"), 0);
    EXPECT_EQ(parseSize("1234567"), 1234567);
    EXPECT_EQ(parseSize("7B"), 7);
    EXPECT_EQ(parseSize("4KiB"), 4096);
    EXPECT_EQ(parseSize("1.5 MiB"), 1572864);
    EXPECT_EQ(parseSize("2GiB"), 2 * kGiB);
    EXPECT_EQ(parseSize("1TiB"), kTiB);
}

TEST(ParseSize, TakesDecimalUnitsWithABAndBinaryOnesWithout)
{
    EXPECT_EQ(parseSize("10GB"), 10'000'000'000);
    EXPECT_EQ(parseSize("10G"), 10 * kGiB);
    EXPECT_EQ(parseSize("10GiB"), 10 * kGiB);
    EXPECT_EQ(parseSize("10Gi"), 10 * kGiB);
    EXPECT_EQ(parseSize("1.5M"), 1572864);
    EXPECT_EQ(parseSize("1.5MB"), 1'500'000);
}

TEST(ParseSize, TakesEitherCase)
{
    EXPECT_EQ(parseSize("1kib"), 1024);
    EXPECT_EQ(parseSize("1KB"), 1000);
    EXPECT_EQ(parseSize("24gb"), 24'000'000'000);
    EXPECT_EQ(parseSize(" 2 gib "), 2 * kGiB);
}

TEST(ParseSize, TakesThousandsSeparators)
{
    EXPECT_EQ(parseSize("1,073,741,824"), kGiB);
    EXPECT_EQ(parseSize("24_576 MiB"), 24 * kGiB);
    EXPECT_EQ(parseSize("1,024.5KiB"), 1'049'088);
}

class ParseSizeRefuses : public testing::TestWithParam<const char*>
{
};

TEST_P(ParseSizeRefuses, WhatIsNoSize)
{
    EXPECT_EQ(parseSize(GetParam()), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Texts, ParseSizeRefuses,
    testing::Values("", "KiB", "-1", "-1KiB", "1.5", "12 apples", "1XB", "1KiBs", "1bi", "1,2", "1,0000",
        ",100", "1e3", "nan", "inf", "0x10", "9000000TiB", "1KiB2", "99999999999999999999"));

TEST(SanitizedText, LeavesTextAlone)
{
    EXPECT_EQ(sanitizedText("plain, Grüße, 日本, 😀"), "plain, Grüße, 日本, 😀");
}

TEST(SanitizedText, ShowsControlCharactersAsReplacements)
{
    EXPECT_EQ(sanitizedText("a\nb"), "a\uFFFDb");
    EXPECT_EQ(sanitizedText("\x1b[31mred"), "\uFFFD[31mred");
    EXPECT_EQ(sanitizedText("\x7f"), "\uFFFD");
    EXPECT_EQ(sanitizedText("\xC2\x9B"
                            "31m"),
        "\uFFFD31m"); // CSI as one C1 character
    EXPECT_EQ(sanitizedText(std::string_view("\0", 1)), "\uFFFD");
}

TEST(SanitizedText, ShowsWhatTurnsOrBreaksTheLineAsReplacements)
{
    EXPECT_EQ(sanitizedText("\u202Egnp.exe"), "\uFFFDgnp.exe"); // would read "exe.png"
    EXPECT_EQ(sanitizedText("a\u2028b\u2066c\u2069d"), "a\uFFFDb\uFFFDc\uFFFDd");
    // neighbours of the replaced characters
    EXPECT_EQ(sanitizedText("\u2027\u202F\u2065\u206A"), "\u2027\u202F\u2065\u206A");
    EXPECT_EQ(sanitizedText("… – ↔"), "… – ↔");
}

TEST(SanitizedText, ShowsEachBadByteAsAReplacement)
{
    EXPECT_EQ(sanitizedText("\xff\xfe"), "\uFFFD\uFFFD");
    EXPECT_EQ(sanitizedText("\xC3"), "\uFFFD"); // cut off
    EXPECT_EQ(sanitizedText("\xC0\xAF"), "\uFFFD\uFFFD"); // overlong
    EXPECT_EQ(sanitizedText("\xE0\x80\x80"), "\uFFFD\uFFFD\uFFFD"); // overlong
    EXPECT_EQ(sanitizedText("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD"); // a surrogate
    EXPECT_EQ(sanitizedText("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD"); // beyond U+10FFFF
    EXPECT_EQ(sanitizedText("\xE2\x82"
                            "a"),
        "\uFFFD\uFFFD"
        "a");
}

TEST(Counted, SaysOneOrMany)
{
    EXPECT_EQ(counted(1, "matrix", "matrices"), "1 matrix");
    EXPECT_EQ(counted(0, "step", "steps"), "0 steps");
    EXPECT_EQ(counted(5'701, "step", "steps"), "5,701 steps");
}

TEST(FormatMoment, CountsEventsOrStandsBeforeThem)
{
    EXPECT_EQ(formatMoment(-1), "before the first event");
    EXPECT_EQ(formatMoment(0), "after event 0");
    EXPECT_EQ(formatMoment(5'701), "after event 5,701");
}

TEST(FormatMoment, TakesAnotherWordOrNone)
{
    EXPECT_EQ(formatMoment(5'701, "at"), "at event 5,701");
    EXPECT_EQ(formatMoment(5'701, ""), "event 5,701");
    EXPECT_EQ(formatMoment(-1, "at"), "before the first event");
}

} // namespace highwater
