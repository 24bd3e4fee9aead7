// Tests of the help of commands, which is made from the parser's facts.
#include <gtest/gtest.h>

#include "tests/support/run_program.h"

namespace highwater::cli {

namespace {

std::string helpOf(const std::string& command, const std::string& form = "--help")
{
    return test::runHighwater({command, form}).out;
}

bool contains(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST(CommandHelp, NamesBothEndsOfARange)
{
    EXPECT_TRUE(contains(helpOf("cut"), "--events A:B "));
    EXPECT_TRUE(contains(helpOf("rehearse"), "--find NAME=FROM:TO "));
    EXPECT_TRUE(contains(helpOf("peaks"), "--top N "));
}

TEST(CommandHelp, ListsTheOwnOptionsBeforeThoseOfAllCommands)
{
    const std::string help = helpOf("findings");
    EXPECT_LT(help.find("\nOptions:\n"), help.find("  --brief"));
    EXPECT_LT(help.find("  --sarif"), help.find("\nOptions of all commands:\n"));
    EXPECT_LT(help.find("\nOptions of all commands:\n"), help.find("  --max-inflate"));
}

TEST(CommandHelp, GivesTheValuesBeforeTheDefault)
{
    EXPECT_TRUE(contains(helpOf("peaks"), "How steps are detected [profiler-step, "));
    EXPECT_TRUE(contains(helpOf("figure"), "[step, phase, time, event] (default: step)"));
}

TEST(CommandHelp, DescribesShortAndWholeHelpInARowEach)
{
    for (const std::string& help : {helpOf("findings"), test::runHighwater({"--help"}).out}) {
        EXPECT_TRUE(contains(help, "\n  -h                        Print a short help\n")) << help;
        EXPECT_TRUE(contains(help, "\n  --help                    Print the whole help\n")) << help;
    }
}

TEST(CommandHelp, GivesEachExitCodeALine)
{
    EXPECT_TRUE(contains(helpOf("check"), "\n  1  a limit is exceeded\n"));
    EXPECT_TRUE(contains(helpOf("rehearse"), "\n  0  fits\n  1  does not fit, "));
    EXPECT_TRUE(contains(helpOf("report"), "\n  0  done\n  2  wrong usage\n"));
}

TEST(CommandHelp, ListsValuesOnce)
{
    EXPECT_FALSE(contains(helpOf("export"), "[events, "));
    EXPECT_FALSE(contains(helpOf("figure"), "[timeline, "));
}

TEST(ShortHelp, LeavesOutTheOptionsOfAllCommandsAndTheNotes)
{
    const std::string help = helpOf("findings", "-h");
    EXPECT_TRUE(contains(help, "--brief"));
    EXPECT_FALSE(contains(help, "--max-inflate"));
    EXPECT_FALSE(contains(help, "Grades:"));
    EXPECT_TRUE(help.ends_with("highwater findings --help prints all.\n"));
}

} // namespace highwater::cli
