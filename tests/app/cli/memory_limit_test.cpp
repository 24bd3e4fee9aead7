#include <sys/resource.h>

#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

const std::string kSnapshot = test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst");

const std::vector<std::vector<std::string>> kCommands = {
    {"info", kSnapshot},
    {"peaks", kSnapshot},
    {"findings", kSnapshot},
    {"segments", kSnapshot},
    {"diff", kSnapshot, kSnapshot},
    {"what-if", kSnapshot},
    {"check", kSnapshot, "--max-peak", "1TiB"},
    {"bench", kSnapshot},
    {"figure", kSnapshot, "--kind", "timeline", "-o", "-"},
    {"export", kSnapshot, "--what", "columns", "-o", "-"},
    {"report", kSnapshot, "-o", "-", "--json"},
    {"convert", kSnapshot, "-o", "-"},
    {"budget", kSnapshot, "--config", test::samplePath("budget/r1-grpo.yaml")},
};

bool isOneLine(const std::string& text)
{
    return !text.empty() && text.find('\n') == text.size() - 1;
}

} // namespace

TEST(MaxMemory, HoldsForEveryCommandInOneSentence)
{
    for (std::vector<std::string> arguments : kCommands) {
        arguments.insert(arguments.end(), {"--max-memory", "2MiB"});
        const test::ProgramRun run = test::runHighwater(arguments);
        EXPECT_EQ(run.exitCode, 3) << arguments.front();
        EXPECT_TRUE(run.out.empty()) << arguments.front();
        EXPECT_NE(run.err.find(" memory"), std::string::npos) << arguments.front() << ": " << run.err;
        EXPECT_TRUE(arguments.front() == "diff" || isOneLine(run.err))
            << arguments.front() << ": " << run.err;
    }
}

/// Whatever the limit, from far too little to enough: an answer or one sentence.
TEST(MaxMemory, NeverEndsInAnythingButAnAnswerOrASentence)
{
    for (const std::vector<std::string>& command : kCommands)
        for (const char* limit : {"1MiB", "4MiB", "8MiB", "1GiB"}) {
            std::vector<std::string> arguments = command;
            arguments.insert(arguments.end(), {"--max-memory", limit});
            const test::ProgramRun run = test::runHighwater(arguments);
            const std::string what = command.front() + " " + limit + ": " + run.err;
            EXPECT_TRUE(run.exitCode == 0 || run.exitCode == 3) << what;
            EXPECT_EQ(run.exitCode == 0, run.err.empty()) << what;
        }
}

TEST(AddressSpace, IsNeverToldAsABrokenFile)
{
    if (test::kIsSanitized)
        GTEST_SKIP() << "no RLIMIT_AS under a sanitizer";
    for (const std::vector<std::string>& arguments : kCommands)
        for (const std::uint64_t mebibytes : {60, 90, 300}) {
            const test::ProgramRun run
                = test::runHighwater(arguments, {.limits = {{RLIMIT_AS, mebibytes << 20}}});
            const std::string what = arguments.front() + " " + std::to_string(mebibytes) + ": " + run.err;
            if (run.exitCode == 127 && mebibytes < 300) // too little for the dynamic linker
                continue;
            EXPECT_TRUE(run.exitCode == 0 || run.exitCode == 3) << what;
            EXPECT_EQ(run.err.find("not valid"), std::string::npos) << what;
        }
}

} // namespace highwater::cli
