#include "app/cli/console/output.h"

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "tests/support/program/program_commands.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

using test::kFragmentedFile;
using test::kTooBigFile;

namespace {

/// Every command that prints to standard output, with arguments for which it succeeds.
const std::vector<std::vector<std::string>> kPrinting = {
    {"info", kFragmentedFile},
    {"info", kFragmentedFile, "--json"},
    {"peaks", kFragmentedFile},
    {"peaks", kFragmentedFile, "--json"},
    {"findings", kFragmentedFile},
    {"findings", kFragmentedFile, "--json"},
    {"segments", kFragmentedFile},
    {"segments", kFragmentedFile, "--json"},
    {"diff", kFragmentedFile, kTooBigFile},
    {"diff", kFragmentedFile, kTooBigFile, "--json"},
    {"diff", kFragmentedFile, kTooBigFile, kFragmentedFile},
    {"what-if", kFragmentedFile},
    {"what-if", kFragmentedFile, "--json"},
    {"budget", "--config", test::samplePath("budget/r1-grpo.yaml")},
    {"budget", "--config", test::samplePath("budget/r1-grpo.yaml"), "--json"},
    {"check", kFragmentedFile, "--max-peak", "1TiB"},
    {"check", kFragmentedFile, "--max-peak", "1TiB", "--json"},
    {"bench", kFragmentedFile},
    {"bench", kFragmentedFile, "--json"},
    {"figure", kFragmentedFile, "--kind", "timeline", "-o", "-"},
    {"export", kFragmentedFile, "--what", "events", "-o", "-"},
    {"export", kFragmentedFile, "--what", "columns", "-o", "-"},
    {"export", kFragmentedFile, "--what", "trace", "-o", "-"},
    {"report", kFragmentedFile, "-o", "-", "--json"},
    {"convert", kFragmentedFile, "-o", "-"},
    {"ranks", kFragmentedFile, "--json"},
    {"summarize", kFragmentedFile, "-o", "-"},
    {"cut", kFragmentedFile, "-o", "-"},
    {"--help"},
    {"--version"},
};

} // namespace

TEST(Output, OfEveryCommandIsMissedOnAFullDisk)
{
    for (const std::vector<std::string>& arguments : kPrinting) {
        const test::ProgramRun run = test::runHighwater(arguments, {.outputPath = "/dev/full"});
        EXPECT_EQ(run.exitCode, 3) << test::joined(arguments);
        EXPECT_TRUE(run.err.starts_with("highwater: standard output: ")) << test::joined(arguments);
        EXPECT_TRUE(run.err.ends_with(": No space left on device\n")) << test::joined(arguments);
    }
}

TEST(Output, ToAClosedStreamIsMissed)
{
    for (const std::vector<std::string>& arguments : kPrinting) {
        const test::ProgramRun run = test::runHighwater(arguments, {.closesOutput = true});
        EXPECT_EQ(run.exitCode, 3) << test::joined(arguments);
        EXPECT_TRUE(run.err.ends_with(": Bad file descriptor\n")) << test::joined(arguments);
    }
}

TEST(Output, GoesOnWhereStandardErrorIsClosed)
{
    for (const std::vector<std::string>& arguments : kPrinting) {
        const test::ProgramRun run = test::runHighwater(arguments, {.closesError = true});
        EXPECT_EQ(run.exitCode, 0) << test::joined(arguments);
        EXPECT_FALSE(run.out.empty()) << test::joined(arguments);
    }
    const test::ProgramRun failed = test::runHighwater({"info", "no-such-file"}, {.closesError = true});
    EXPECT_EQ(failed.exitCode, 3);
}

TEST(Output, KeepsFilesApartFromClosedStreams)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "out.csv").string();
    const test::ProgramRun run = test::runHighwater({"export", kFragmentedFile, "--what", "steps", "-o", out},
        {.closesOutput = true, .closesError = true});
    EXPECT_EQ(run.exitCode, 0);
    const test::ProgramRun usual
        = test::runHighwater({"export", kFragmentedFile, "--what", "steps", "-o", "-"});
    EXPECT_EQ(test::readWholeFile(out), usual.out);
}

TEST(Output, IsTheSameWhereTheSystemGivesNoThread)
{
    if (test::kIsSanitized)
        GTEST_SKIP() << "no RLIMIT_AS under a sanitizer";
    // Threads get stacks of this size, which do not fit into the address space.
    const test::RunOptions noThreads{
        .limits = {{RLIMIT_STACK, std::uint64_t{1} << 40}, {RLIMIT_AS, std::uint64_t{4} << 30}}};
    const test::TemporaryFolder folder;
    for (const std::vector<std::string>& arguments :
        {std::vector<std::string>{"info", kFragmentedFile, "--json"},
            {"report", kFragmentedFile, "--before", kTooBigFile, "-o", "-", "--json"}}) {
        const test::ProgramRun run = test::runHighwater(arguments, noThreads);
        EXPECT_EQ(run.exitCode, 0) << run.err;
        EXPECT_FALSE(run.out.empty());
    }
}

} // namespace highwater::cli
