// Tests the output of `highwater completions` in the shells themselves: always in bash, in zsh and fish if
// they are installed.
#include <filesystem>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

using Offers = std::set<std::string>;

std::string scriptFor(const std::string& shell)
{
    const test::ProgramRun run = test::runHighwater({"completions", shell});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return run.out;
}

Offers offersIn(const std::string& text)
{
    Offers lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.insert(line.substr(0, line.find('\t')));
    return lines;
}

std::string quotedForShell(const std::string& word)
{
    return "'" + word + "'";
}

/// Returns bash's completions for the last of these words, in the samples' folder.
Offers offeredByBash(const std::vector<std::string>& words)
{
    static const test::TemporaryFolder folder;
    static const std::string script = folder.write("completions.bash", scriptFor("bash"));
    std::string line = "source " + script + "; COMP_WORDS=(highwater";
    for (const std::string& word : words)
        line += " " + quotedForShell(word);
    line += "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _highwater; printf '%s\\n' \"${COMPREPLY[@]}\"";
    test::RunOptions options;
    options.program = "/bin/bash";
    options.folder = test::samplePath("");
    const test::ProgramRun run = test::runHighwater({"--norc", "-c", line}, options);
    EXPECT_EQ(run.err, "");
    Offers offered = offersIn(run.out);
    offered.erase("");
    return offered;
}

bool isInstalled(const std::string& shell)
{
    return std::filesystem::exists("/usr/bin/" + shell);
}

/// Returns the commands that the help lists in groups, from "Look:" to "Options:".
std::vector<std::string> listedCommands()
{
    const std::string help = test::runHighwater({"--help"}).out;
    const std::size_t begin = help.find("\nLook:");
    std::istringstream lines(help.substr(begin, help.find("\nOptions:", begin) - begin));
    std::vector<std::string> commands;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
            commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    return commands;
}

test::ProgramRun runShell(const std::string& shell, const std::vector<std::string>& arguments)
{
    test::RunOptions options;
    options.program = "/usr/bin/" + shell;
    options.folder = test::samplePath("");
    return test::runHighwater(arguments, options);
}

} // namespace

TEST(BashCompletion, OffersCommands)
{
    EXPECT_EQ(offeredByBash({"pe"}), Offers{"peaks"});
    EXPECT_TRUE(offeredByBash({""}).contains("what-if"));
}

TEST(BashCompletion, OffersTheOptionsOfTheCommand)
{
    EXPECT_EQ(offeredByBash({"findings", "--br"}), Offers{"--brief"});
    EXPECT_TRUE(offeredByBash({"peaks", "-"}).contains("--group"));
    EXPECT_FALSE(offeredByBash({"info", "-"}).contains("--group"));
}

TEST(BashCompletion, OffersTheValuesOfAnOption)
{
    EXPECT_EQ(offeredByBash({"peaks", "--group", "us"}), Offers{"user-site"});
    EXPECT_EQ(offeredByBash({"peaks", "--group", "=", "us"}), Offers{"user-site"});
    EXPECT_EQ(offeredByBash({"findings", "--only", "grow"}), Offers{"growth"});
}

TEST(BashCompletion, QuotesBlanksInValues)
{
    EXPECT_EQ(offeredByBash({"budget", "--gpu", "V100"}), (Offers{"V100\\ 16", "V100\\ 32"}));
}

TEST(BashCompletion, OffersFilesWhereAFileGoes)
{
    EXPECT_EQ(offeredByBash({"peaks", "rank"}), Offers{"ranks"});
    EXPECT_EQ(offeredByBash({"peaks", "--rules", "budg"}), Offers{"budget"});
    EXPECT_EQ(offeredByBash({"rehearse", "--gpu", "L4", "--", "rank"}), Offers{"ranks"});
}

TEST(BashCompletion, OffersNothingWhereNobodyCanGuess)
{
    EXPECT_EQ(offeredByBash({"peaks", "--at", ""}), Offers{});
}

class ShellCompletion : public testing::TestWithParam<const char*>
{
};

/// Checks everything that the parser knows: all commands and all their long options.
TEST_P(ShellCompletion, NamesEveryCommandAndOption)
{
    const std::string script = scriptFor(GetParam());
    const std::vector<std::string> commands = listedCommands();
    EXPECT_GT(commands.size(), 15u);
    for (const std::string& command : commands) {
        EXPECT_NE(script.find(command), std::string::npos) << command;
        std::istringstream options(test::runHighwater({command, "--help"}).out);
        for (std::string option; std::getline(options, option);)
            if (const std::size_t at = option.find("--"); option.starts_with("  -") && at < 8) {
                const std::string name = option.substr(at + 2, option.find_first_of(" ,=", at) - at - 2);
                EXPECT_NE(script.find(name), std::string::npos) << command << " --" << name;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Shells, ShellCompletion, testing::Values("bash", "zsh", "fish"));

TEST(ZshCompletion, IsUnderstoodByZsh)
{
    if (!isInstalled("zsh"))
        GTEST_SKIP() << "skipped: zsh is not installed";
    const test::TemporaryFolder folder;
    const test::ProgramRun run = runShell("zsh", {"-n", folder.write("_highwater", scriptFor("zsh"))});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.err, "");
}

TEST(FishCompletion, OffersCommandsOptionsAndValues)
{
    if (!isInstalled("fish"))
        GTEST_SKIP() << "skipped: fish is not installed";
    const test::TemporaryFolder folder;
    const std::string script = folder.write("highwater.fish", scriptFor("fish"));
    const auto offered = [&](const std::string& line) {
        const test::ProgramRun run
            = runShell("fish", {"--no-config", "-c", "source " + script + "; complete -C '" + line + "'"});
        EXPECT_EQ(run.err, "");
        return offersIn(run.out);
    };
    EXPECT_EQ(offered("highwater pe"), Offers{"peaks"});
    EXPECT_EQ(offered("highwater findings --br"), Offers{"--brief"});
    EXPECT_TRUE(offered("highwater peaks --group us").contains("user-site"));
    EXPECT_TRUE(offered("highwater budget --gpu H1").contains("H100 80"));
}

TEST(ManPages, HaveEveryOptionOfEveryCommand)
{
    const test::TemporaryFolder folder;
    const test::ProgramRun written = test::runHighwater({"man", "-o", folder.path().string()});
    ASSERT_EQ(written.exitCode, 0) << written.err;
    int options = 0;
    for (const std::string& command : listedCommands()) {
        const std::string page = test::readWholeFile(folder.path() / ("highwater-" + command + ".1"));
        EXPECT_NE(page.find(".SH EXIT STATUS"), std::string::npos) << command;
        std::istringstream lines(test::runHighwater({command, "--help"}).out);
        for (std::string option; std::getline(lines, option);) {
            const std::size_t at = option.find("--");
            if (!option.starts_with("  -") || at > 8)
                continue;
            std::string name; // roff escapes dashes
            for (const char c : option.substr(at, option.find_first_of(" ,=", at) - at))
                name += c == '-' ? std::string("\\-") : std::string(1, c);
            EXPECT_NE(page.find("\\fB" + name + "\\fR"), std::string::npos) << command << ' ' << name;
            ++options;
        }
    }
    EXPECT_GT(options, 100);
    EXPECT_NE(
        test::readWholeFile(folder.path() / "highwater.1").find("highwater\\-peaks"), std::string::npos);
}

TEST(ManPages, AreRoffThatNoTextBreaks)
{
    const test::ProgramRun run = test::runHighwater({"man", "what-if"});
    EXPECT_TRUE(run.out.starts_with(".TH highwater\\-what\\-if 1") || run.out.starts_with(".TH HIGHWATER"))
        << run.out.substr(0, 40);
    std::istringstream lines(run.out);
    const std::set<std::string> requests{".TH", ".SH", ".TP", ".PP", ".B", ".BR", ".nf", ".fi"};
    for (std::string line; std::getline(lines, line);)
        EXPECT_TRUE(!line.starts_with('.') || requests.contains(line.substr(0, line.find(' ')))) << line;
}

TEST(Help, PrintsCommandsOptionsAndFindings)
{
    EXPECT_EQ(test::runHighwater({"help"}).out, test::runHighwater({"--help"}).out);
    EXPECT_EQ(test::runHighwater({"help", "peaks"}).out, test::runHighwater({"peaks", "--help"}).out);
    EXPECT_TRUE(test::runHighwater({"help", "growth"}).out.starts_with("# growth\n"));
}

TEST(Help, TellsTheVersionInShort)
{
    EXPECT_EQ(test::runHighwater({"-V"}).out, test::runHighwater({"--version"}).out);
}

} // namespace highwater::cli
