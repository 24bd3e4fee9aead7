#include "app/cli/console/output.h"

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

const std::string kSnapshot = test::samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst");
const std::string kOther = test::samplePath("pytorch-snapshot/oom-too-big.pickle.zst");

/// Every command that prints to standard output, with arguments that make it succeed.
const std::vector<std::vector<std::string>> kPrinting = {
    {"info", kSnapshot},
    {"info", kSnapshot, "--json"},
    {"peaks", kSnapshot},
    {"peaks", kSnapshot, "--json"},
    {"findings", kSnapshot},
    {"findings", kSnapshot, "--json"},
    {"segments", kSnapshot},
    {"segments", kSnapshot, "--json"},
    {"diff", kSnapshot, kOther},
    {"diff", kSnapshot, kOther, "--json"},
    {"diff", kSnapshot, kOther, kSnapshot},
    {"what-if", kSnapshot},
    {"what-if", kSnapshot, "--json"},
    {"budget", "--config", test::samplePath("budget/r1-grpo.yaml")},
    {"budget", "--config", test::samplePath("budget/r1-grpo.yaml"), "--json"},
    {"check", kSnapshot, "--max-peak", "1TiB"},
    {"check", kSnapshot, "--max-peak", "1TiB", "--json"},
    {"bench", kSnapshot},
    {"bench", kSnapshot, "--json"},
    {"figure", kSnapshot, "--kind", "timeline", "-o", "-"},
    {"export", kSnapshot, "--what", "events", "-o", "-"},
    {"export", kSnapshot, "--what", "columns", "-o", "-"},
    {"export", kSnapshot, "--what", "trace", "-o", "-"},
    {"report", kSnapshot, "-o", "-", "--json"},
    {"convert", kSnapshot, "-o", "-"},
    {"ranks", kSnapshot, "--json"},
    {"summarize", kSnapshot, "-o", "-"},
    {"cut", kSnapshot, "-o", "-"},
    {"--help"},
    {"--version"},
};

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += word + ' ';
    return text;
}

} // namespace

TEST(Output, OfEveryCommandIsMissedOnAFullDisk)
{
    for (const std::vector<std::string>& arguments : kPrinting) {
        const test::ProgramRun run = test::runHighwater(arguments, {.outputPath = "/dev/full"});
        EXPECT_EQ(run.exitCode, 3) << joined(arguments);
        EXPECT_EQ(run.err, "highwater: standard output: cannot be written: No space left on device\n")
            << joined(arguments);
    }
}

TEST(Output, ToAClosedStreamIsMissed)
{
    for (const std::vector<std::string>& arguments : kPrinting) {
        const test::ProgramRun run = test::runHighwater(arguments, {.closesOutput = true});
        EXPECT_EQ(run.exitCode, 3) << joined(arguments);
        EXPECT_EQ(run.err, "highwater: standard output: cannot be written: Bad file descriptor\n")
            << joined(arguments);
    }
}

TEST(Output, GoesOnWhereStandardErrorIsClosed)
{
    for (const std::vector<std::string>& arguments : kPrinting) {
        const test::ProgramRun run = test::runHighwater(arguments, {.closesError = true});
        EXPECT_EQ(run.exitCode, 0) << joined(arguments);
        EXPECT_FALSE(run.out.empty()) << joined(arguments);
    }
    const test::ProgramRun failed = test::runHighwater({"info", "no-such-file"}, {.closesError = true});
    EXPECT_EQ(failed.exitCode, 3);
}

TEST(Output, KeepsFilesApartFromClosedStreams)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "out.csv").string();
    const test::ProgramRun run = test::runHighwater(
        {"export", kSnapshot, "--what", "steps", "-o", out}, {.closesOutput = true, .closesError = true});
    EXPECT_EQ(run.exitCode, 0);
    const test::ProgramRun usual = test::runHighwater({"export", kSnapshot, "--what", "steps", "-o", "-"});
    EXPECT_EQ(test::readWholeFile(out), usual.out);
}

TEST(Output, IsTheSameWhereTheSystemGivesNoThread)
{
    if (test::kIsSanitized)
        GTEST_SKIP() << "no RLIMIT_AS under a sanitizer";
    // Threads get stacks of this size, which do not fit.
    const test::RunOptions noThreads{
        .limits = {{RLIMIT_STACK, std::uint64_t{1} << 40}, {RLIMIT_AS, std::uint64_t{4} << 30}}};
    const test::TemporaryFolder folder;
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", kSnapshot, "--json"},
             {"report", kSnapshot, "--before", kOther, "-o", "-", "--json"}}) {
        const test::ProgramRun run = test::runHighwater(arguments, noThreads);
        EXPECT_EQ(run.exitCode, 0) << run.err;
        EXPECT_FALSE(run.out.empty());
    }
}

} // namespace highwater::cli
