// Tests of the small parts of the log importer.
#include <gtest/gtest.h>

#include "importers/log/configuration_text.h"
#include "importers/log/patterns/pattern_table_reader.h"
#include "importers/log/text/line_source.h"
#include "importers/log/text/literal_reader.h"
#include "importers/log/text/literal_scanner.h"
#include "importers/log/text/log_time.h"
#include "importers/log/text/written_figures.h"
#include "importers/source/peekable_source.h"
#include "tests/support/piecewise_source.h"
#include "tests/support/program/has_parts.h"

namespace highwater::logs {

namespace {

std::vector<std::uint32_t> found(const std::vector<std::string>& literals, std::string_view text)
{
    std::vector<std::uint32_t> indices;
    LiteralScanner(literals).scan(text, [&](std::uint32_t index) { indices.push_back(index); });
    return indices;
}

/// Returns "line:text" for every piece, with "…" where it was cut, followed by the error's message.
std::vector<std::string> pieces(
    const std::string& text, std::size_t piece, const std::optional<Error>& atEnd = {})
{
    test::PiecewiseSource source(text, piece, atEnd);
    LineSource lines(source);
    std::vector<std::string> all;
    Result<std::optional<LinePiece>> next = lines.next();
    for (; next && *next; next = lines.next()) {
        std::string shown = std::to_string((*next)->line);
        shown += ':';
        shown += (*next)->text.substr(0, 20);
        shown += (*next)->cut ? "…" : "";
        all.push_back(std::move(shown));
    }
    if (!next)
        all.push_back(next.error().message);
    return all;
}

std::vector<std::string> leaves(std::string_view text)
{
    std::vector<std::string> all;
    if (!readDictionary(text, [&](const LiteralLeaf& leaf) {
            all.push_back(std::string(leaf.key) + "=" + std::string(leaf.text));
        }))
        all.push_back("broken");
    return all;
}

using Texts = std::vector<std::string>;

Nanoseconds timeIn(std::string_view line, Nanoseconds fileTime = 0)
{
    return TimeFinder(builtInPatterns().times, fileTime).find(line).value_or(LineTime{}).time;
}

std::vector<std::string> refusals(const std::string& json)
{
    std::vector<std::string> refused;
    EXPECT_TRUE(patternsWith(json, refused));
    return refused;
}

/// Returns why an entry is not used if that is so of one only, else nothing.
std::string onlyRefusal(const std::string& json)
{
    const std::vector<std::string> refused = refusals(json);
    return refused.size() == 1 ? refused.front() : std::string();
}

constexpr Nanoseconds kSecond = 1'000'000'000;

} // namespace

TEST(LiteralScanner, FindsLiteralsThatOverlapAndEndInOneAnother)
{
    EXPECT_EQ(found({"he", "she", "hers"}, "ushers"), (std::vector<std::uint32_t>{1, 0, 2}));
    EXPECT_EQ(found({"aab", ""}, "aaab"), std::vector<std::uint32_t>{0});
    EXPECT_TRUE(found({"memory:"}, "memory").empty());
}

TEST(LineSource, SplitsAtLineFeedsAndCarriageReturns)
{
    for (const std::size_t piece : {1u, 3u, 1000u})
        EXPECT_EQ(
            pieces("a\r\nbar\rbaz\n\nend", piece), (Texts{"1:a", "1:", "2:bar", "2:baz", "3:", "4:end"}))
            << piece;
}

TEST(LineSource, CutsPiecesThatAreTooLong)
{
    std::string text(5 * 1024 * 1024, 'x');
    text += "\nb";
    const Texts cut = pieces(text, 1 << 20);
    ASSERT_EQ(cut.size(), 2u);
    EXPECT_EQ(cut[0], "1:xxxxxxxxxxxxxxxxxxxx…");
    EXPECT_EQ(cut[1], "2:b");
}

TEST(LineSource, GivesWholeLinesBeforeAnError)
{
    const Error gone{ErrorCode::CannotRead, "gone", {}};
    for (const std::size_t piece : {1u, 3u, 1000u})
        EXPECT_EQ(pieces("first\nsecond\nhalf", piece, gone), (Texts{"1:first", "2:second", "gone"}))
            << piece;
}

TEST(WrittenFigures, KnowUnitsOfBothBases)
{
    EXPECT_EQ(unitOf("GiB", false)->factor, 1073741824.0);
    EXPECT_EQ(unitOf("GB", false)->factor, 1e9);
    EXPECT_EQ(unitOf("GB", true)->factor, 1073741824.0);
    EXPECT_EQ(unitOf("ms", false)->name, "s");
    EXPECT_TRUE(unitOf("GB_unknown", false)->isAmbiguous);
    EXPECT_FALSE(unitOf("parsec", false));
}

TEST(WrittenFigures, ReadNumbers)
{
    EXPECT_EQ(parseNumber(" 1,234 "), 1234);
    EXPECT_EQ(parseNumber("'2.5'"), 2.5);
    EXPECT_EQ(parseNumber("1e-06"), 1e-06);
    EXPECT_FALSE(parseNumber("2.5x"));
    EXPECT_FALSE(parseNumber(""));
    const std::string tooLong(100, '1');
    EXPECT_FALSE(parseNumber("1," + tooLong));
}

TEST(WrittenFigures, KnowHowFarASizeIsRounded)
{
    EXPECT_EQ(parseWrittenBytes("58.00 MiB", true), (WrittenBytes{60'817'408, 5'243}));
    EXPECT_EQ(parseWrittenBytes("0 bytes", true), (WrittenBytes{0, 0}));
    EXPECT_EQ(parseWrittenBytes("17179869184.00 GiB", true)->bytes, Bytes{1} << 56) << "2^64 does not fit";
}

TEST(WrittenFigures, ReadDurations)
{
    EXPECT_EQ(parseDuration("0:27:55"), 1675);
    EXPECT_EQ(parseDuration("1 day, 2:03:04"), 93'784);
    EXPECT_FALSE(parseDuration("27"));
}

TEST(LiteralReader, FlattensPythonAndJson)
{
    EXPECT_EQ(
        leaves(R"({"a": {"b": [1, 2.5]}, "c": "x\ny"} rest)"), (Texts{"a/b/0=1", "a/b/1=2.5", "c=x\ny"}));
    EXPECT_EQ(leaves("{'a': None, 'b': np.float64(2.5), 'c': (1,), 'd': tensor(3., device='cuda:0')}"),
        (Texts{"a=None", "b=2.5", "c/0=1", "d=3."}));
}

TEST(LiteralReader, JoinsTheTwoEscapesOfACharacter)
{
    EXPECT_EQ(leaves(R"({"a": "\ud83d\ude00", "b": "\u00e9"})"), (Texts{"a=\U0001F600", "b=\u00e9"}));
    EXPECT_EQ(leaves(R"({"a": "\ud83dx", "b": "\ude00"})"), (Texts{"a=\uFFFDx", "b=\uFFFD"}));
    EXPECT_EQ(leaves(R"({"a": "\u00"})").back(), "broken");
}

TEST(LiteralReader, RefusesWhatDoesNotEndOrGoesTooDeep)
{
    EXPECT_EQ(leaves("{'a': 1").back(), "broken");
    EXPECT_EQ(leaves("{" + std::string(100'000, '[')).back(), "broken");
    std::string deep = "{'a': ";
    for (int i = 0; i < 1000; ++i)
        deep += '[';
    EXPECT_EQ(leaves(deep + std::string(1000, ']') + "}").back(), "broken");
}

TEST(TimeFinder, ReadsTheShapesOfTheTable)
{
    EXPECT_EQ(timeIn("[rank0]:[titan] 2026-05-19 19:31:29,955 - root"), 1'779'219'089'955'000'000);
    EXPECT_EQ(timeIn("Wed May  1 12:00:00 2024"), 1'714'564'800 * kSecond);
    EXPECT_EQ(timeIn("2024-05-01T12:00:00.5+02:00 x"), 1'714'557'600 * kSecond + kSecond / 2);
    EXPECT_EQ(timeIn("2024-13-01 12:00:00"), 0);
    EXPECT_EQ(timeIn("took 12:34"), 0);
}

TEST(TimeFinder, LeavesATimeWithoutAYearAloneWhereTheFileHasNoTime)
{
    EXPECT_EQ(timeIn("INFO 01-14 12:36:51 model_runner.py"), 0);
    EXPECT_EQ(
        timeIn("INFO 01-14 12:36:51 model_runner.py", 1'740'000'000 * kSecond), 1'736'858'211 * kSecond);
}

TEST(ConfigurationWords, SplitAsAShellDoes)
{
    EXPECT_EQ(shellWords("a 'b c' \"d e\"f g\\ h ''"), (Texts{"a", "b c", "d ef", "g h", ""}));
    EXPECT_EQ(splitArguments("a=1, b=[1, 2], c='x, y'").size(), 3u);
    EXPECT_TRUE(isSecretName("WANDB_API_KEY"));
    EXPECT_FALSE(isSecretName("max_tokens"));
}

TEST(PatternTable, TakesEntriesOutByTheirId)
{
    std::vector<std::string> refused;
    const auto table = patternsWith(R"({"patterns": [{"id": "unsloth.peak", "disabled": true}]})", refused);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->lines.size(), builtInPatterns().lines.size() - 1);
}

TEST(PatternTable, SaysWhyAnEntryIsNotUsed)
{
    EXPECT_TRUE(test::hasParts(
        onlyRefusal(R"json({"patterns": [{"id": "a", "regex": "(?P<x>1)", "fields": {"x": "step"}}]})json"),
        {"patterns \"a\"", "\"must\" is missing"}));
    EXPECT_TRUE(test::hasParts(
        onlyRefusal(
            R"json({"patterns": [{"id": "a", "must": "m", "regex": "(?P<x>1)", "fields": {"y": "step"}}]})json"),
        {"patterns \"a\"", "no group \"y\""}));
    EXPECT_EQ(
        refusals(R"json({"patterns": [{"id": "a", "must": "m", "regex": "(", "fields": {}}]})json").size(),
        1u);
    for (const char* within : {"1e300", "2.5", "-1"})
        EXPECT_TRUE(test::hasParts(
            onlyRefusal(
                R"json({"patterns": [{"id": "a", "must": "m", "regex": "m", "fields": {}, "within": )json"
                + std::string(within) + "}]}"),
            {"patterns \"a\"", "wrong type"}));
    EXPECT_TRUE(
        test::hasParts(onlyRefusal(R"json({"patterns": [5]})json"), {"patterns entry 0", "wrong type"}));
}

TEST(PatternTable, RefusesAnExpressionThatTakesTooLong)
{
    const auto refused = refusals(R"json({"patterns": [{"id": "slow", "must": "1",
        "regex": "(?:[0-9 ]*(?:[0-9-]+ ?){50,900}x){1,2}(?P<s>\\d+)", "fields": {"s": "step"}}]})json");
    EXPECT_EQ(refused.size(), 1u);
}

TEST(PatternTable, IsNoJson)
{
    std::vector<std::string> refused;
    EXPECT_FALSE(patternsWith("nothing", refused));
}

} // namespace highwater::logs
