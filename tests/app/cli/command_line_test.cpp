// Tests of what all commands share: exit codes, output streams, common options.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/base/version.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::kTinySample;
using test::ProgramRun;
using test::runHighwater;
using test::samplePath;

namespace {

std::size_t lineCount(const std::string& text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

TEST(CommandLine, ShowsItsCommands)
{
    const ProgramRun run = runHighwater({"--help"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_NE(run.out.find("info"), std::string::npos);
    EXPECT_NE(run.out.find("peaks"), std::string::npos);
    EXPECT_EQ(run.err, "");
}

TEST(CommandLine, ShowsTheOptionsOfACommand)
{
    const ProgramRun run = runHighwater({"peaks", "--help"});
    EXPECT_EQ(run.exitCode, 0);
    for (const char* option :
        {"--json", "--quiet", "--device", "--at", "--group", "--top", "--max-memory", "--max-inflate"})
        EXPECT_NE(run.out.find(option), std::string::npos) << option;
}

TEST(CommandLine, TakesAFileWithoutACommandForFindings)
{
    const ProgramRun run = runHighwater({samplePath(kTinySample)});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.out, runHighwater({"findings", samplePath(kTinySample)}).out);
}

TEST(CommandLine, TellsItsVersion)
{
    const ProgramRun run = runHighwater({"--version"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.out, std::string("highwater ") + programVersion() + "\n");
}

class WrongUse : public testing::TestWithParam<std::vector<std::string>>
{
};

TEST_P(WrongUse, ExitsWithTwoAndOneLine)
{
    const ProgramRun run = runHighwater(GetParam());
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lineCount(run.err), 1u) << run.err;
    EXPECT_TRUE(run.err.starts_with("highwater: "));
}

INSTANTIATE_TEST_SUITE_P(Arguments, WrongUse,
    testing::Values(std::vector<std::string>{}, std::vector<std::string>{"dance"},
        std::vector<std::string>{"info"}, std::vector<std::string>{"info", "x", "--colour"},
        std::vector<std::string>{"info", "x", "--max-memory", "lots"},
        std::vector<std::string>{"info", "x", "--max-inflate", "-5"},
        std::vector<std::string>{"info", "x", "--max-inflate", "0"},
        std::vector<std::string>{"peaks", samplePath(kTinySample), "--group", "colour"},
        std::vector<std::string>{"peaks", samplePath(kTinySample), "--at", "22"},
        std::vector<std::string>{"peaks", samplePath(kTinySample), "--at", "-2"},
        std::vector<std::string>{"peaks", samplePath(kTinySample), "--at", "noon"},
        std::vector<std::string>{"peaks", samplePath(kTinySample), "--device", "7"},
        std::vector<std::string>{"peaks", samplePath(kTinySample), "--top", "-1"}));

TEST(CommandLine, ExitsWithThreeForWhatCannotBeRead)
{
    const test::TemporaryFolder folder;
    const std::string missing = (folder.path() / "missing").string();
    const ProgramRun run = runHighwater({"info", missing});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "highwater: " + missing + ": cannot be opened: No such file or directory\n");
}

TEST(CommandLine, ExitsWithThreeForARefusedFile)
{
    const std::string path = samplePath("broken/calls-os-system.pickle");
    const ProgramRun run = runHighwater({"info", path});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(test::hasParts(run.err, {path, "os.system", "(at byte 16)"}));
}

TEST(CommandLine, ExitsWithFourForATruncatedFileAndPrintsWhatWasRead)
{
    const std::string path = samplePath("broken/truncated.pickle");
    const ProgramRun run = runHighwater({"info", path});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(test::hasParts(run.err, {path, "(at byte 6,466)"}));
    EXPECT_NE(run.out.find("INCOMPLETE"), std::string::npos);
}

TEST(CommandLine, ExitsWithThreeWhereNothingStandsBeforeTheEnd)
{
    const test::TemporaryFolder folder;
    const std::string path
        = folder.write("start.pickle", test::readWholeFile(samplePath(kTinySample)).substr(0, 40));
    EXPECT_EQ(runHighwater({"info", path}).exitCode, 3);
}

TEST(CommandLine, ReadsStandardInput)
{
    test::RunOptions options;
    options.input = test::readWholeFile(samplePath("encodings/tiny.pickle.zst"));
    const ProgramRun run = runHighwater({"info", "-", "--json"}, options);
    EXPECT_EQ(run.exitCode, 0);
    const json file = parseJson(run.out)["files"][0];
    EXPECT_EQ(file["path"], "-");
    EXPECT_EQ(file["bytes"], options.input.size());
    EXPECT_EQ(file["devices"][0]["peak_bytes"], 23'069'672);
}

TEST(CommandLine, SaysThatStandardInputIsEmpty)
{
    const ProgramRun run = runHighwater({"info", "-"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_EQ(run.err, "highwater: -: is empty\n");
}

TEST(CommandLine, StopsAtMaxInflate)
{
    const std::string path = samplePath("encodings/tiny.pickle.zst");
    const ProgramRun run = runHighwater({"info", path, "--max-inflate", "4KiB"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(test::hasParts(run.err, {path, "4 KiB", "--max-inflate"}));
}

TEST(CommandLine, StopsAtMaxMemory)
{
    const ProgramRun run = runHighwater(
        {"info", samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), "--max-memory", "100KiB"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(test::hasParts(run.err, {"100 KiB", "--max-memory"}));
}

TEST(CommandLine, WritesNoColoursIntoAFile)
{
    EXPECT_EQ(runHighwater({"info", samplePath(kTinySample)}).out.find('\x1b'), std::string::npos);
    test::RunOptions options;
    options.environment = {{"NO_COLOR", "1"}};
    EXPECT_EQ(runHighwater({"info", samplePath(kTinySample)}, options).out.find('\x1b'), std::string::npos);
}

TEST(CommandLine, ShowsNoProgressInAFile)
{
    EXPECT_EQ(runHighwater({"info", samplePath("pytorch-snapshot/r1-grpo-after.pickle.zst")}).err, "");
}

TEST(CommandLine, NeverPrintsControlCharactersOfAFileName)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("a\x1b[31m\nb.pickle", "\x01\x02\x03");
    const ProgramRun run = runHighwater({"info", path});
    EXPECT_EQ(run.err.find('\x1b'), std::string::npos);
    EXPECT_EQ(lineCount(run.err), 1u);
}

TEST(CommandLine, NamesACommandThatThereIsNot)
{
    const ProgramRun run = runHighwater({"frobnicate", "file"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(test::hasParts(run.err, {"frobnicate", "highwater help"}));
}

} // namespace highwater
