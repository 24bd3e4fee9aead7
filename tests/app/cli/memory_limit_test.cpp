#include <filesystem>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "tests/support/pickle_writer.h"
#include "tests/support/program/program_commands.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

using test::kFragmentedFile;
using test::kGrpoFile;

namespace {

const std::vector<std::vector<std::string>> kCommandsOfOneFile = {
    {"info", kGrpoFile},
    {"peaks", kGrpoFile},
    {"findings", kGrpoFile},
    {"segments", kGrpoFile},
    {"diff", kGrpoFile, kGrpoFile},
    {"what-if", kGrpoFile},
    {"check", kGrpoFile, "--max-peak", "1TiB"},
    {"bench", kGrpoFile},
    {"figure", kGrpoFile, "--kind", "timeline", "-o", "-"},
    {"export", kGrpoFile, "--what", "columns", "-o", "-"},
    {"report", kGrpoFile, "-o", "-", "--json"},
    {"convert", kGrpoFile, "-o", "-"},
    {"summarize", kGrpoFile, "-o", "-"},
    {"cut", kGrpoFile, "-o", "-"},
    {"budget", kGrpoFile, "--config", test::samplePath("budget/r1-grpo.yaml")},
};

/// Returns a snapshot with this many events, of which few are alive at the same time.
std::string manyEvents(int count)
{
    test::PickleWriter writer;
    writer.proto(4).emptyDict().mark().text("segments").emptyList();
    writer.text("device_traces").emptyList().emptyList().mark();
    for (int i = 0; i < count; ++i)
        writer.event(i % 2 == 1 ? "free_completed" : "alloc", 4096 * (i / 2), 512);
    return writer.appends().append().setItems().stop();
}

} // namespace

TEST(MaxMemory, HoldsForEveryCommandInOneSentence)
{
    for (std::vector<std::string> arguments : kCommandsOfOneFile) {
        arguments.insert(arguments.end(), {"--max-memory", "2MiB"});
        const test::ProgramRun run = test::runHighwater(arguments);
        EXPECT_EQ(run.exitCode, 3) << arguments.front();
        EXPECT_TRUE(run.out.empty()) << arguments.front();
        EXPECT_NE(run.err.find(" memory"), std::string::npos) << arguments.front() << ": " << run.err;
        EXPECT_TRUE(arguments.front() == "diff" || test::isOneLine(run.err))
            << arguments.front() << ": " << run.err;
    }
}

/// Tries limits from far too little to enough. Each gives an answer or one sentence.
TEST(MaxMemory, NeverEndsInAnythingButAnAnswerOrASentence)
{
    for (const std::vector<std::string>& command : kCommandsOfOneFile)
        for (const char* limit : {"1KiB", "1MiB", "4MiB", "8MiB", "1GiB"}) {
            std::vector<std::string> arguments = command;
            arguments.insert(arguments.end(), {"--max-memory", limit});
            const test::ProgramRun run = test::runHighwater(arguments);
            const std::string what = command.front() + " " + limit + ": " + run.err;
            EXPECT_TRUE(run.exitCode == 0 || run.exitCode == 3) << what;
            EXPECT_EQ(run.exitCode == 0, run.err.empty()) << what;
        }
}

class AddressSpace : public testing::TestWithParam<test::ProgramCommand>
{
};

/// No thread, destructor or error handler may end the program when memory runs out.
TEST_P(AddressSpace, EndsInAnAnswerOrASentence)
{
    if (test::kIsSanitized)
        GTEST_SKIP() << "no RLIMIT_AS under a sanitizer";
    const test::TemporaryFolder folder;
    const std::string many = folder.write("many.pickle", manyEvents(20'000));
    for (const std::string& file : {kFragmentedFile, many})
        for (const std::uint64_t mebibytes : {60u, 80u, 100u, 200u}) {
            const test::ProgramRun run
                = test::runHighwater(test::wordsOf(GetParam(), file, {}, (folder.path() / "out").string()),
                    {.limits = {{RLIMIT_AS, mebibytes << 20}, {RLIMIT_CORE, 0}}});
            const std::string what = std::to_string(mebibytes) + " MiB: " + run.err;
            if (run.exitCode == 127 && mebibytes < 100) // not enough for the dynamic linker
                continue;
            EXPECT_TRUE(run.exitCode == 0 || run.exitCode == 3) << run.exitCode << ' ' << what;
            EXPECT_EQ(run.exitCode == 0, run.err.empty()) << what;
            EXPECT_TRUE(run.err.empty() || run.err.find("memory than the system has") != std::string::npos)
                << what;
            std::error_code none;
            std::filesystem::remove(folder.path() / ("out" + GetParam().ending), none);
            std::filesystem::remove_all(folder.path() / "out-figures");
            EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << what;
        }
}

/// Two threads read two files. Which of them runs out of memory, and where, varies.
TEST(ReportOfTwo, EndsInASentenceWhereverItsThreadsRunOutOfMemory)
{
    if (test::kIsSanitized)
        GTEST_SKIP() << "no RLIMIT_AS under a sanitizer";
    const test::TemporaryFolder folder;
    for (int i = 0; i < 20; ++i) {
        const test::ProgramRun run
            = test::runHighwater({"report", kFragmentedFile, "--before", kFragmentedFile, "--force", "-o",
                                     (folder.path() / "out.html").string()},
                {.limits = {{RLIMIT_AS, 60u << 20}, {RLIMIT_CORE, 0}}});
        EXPECT_TRUE(run.exitCode == 0 || run.exitCode == 3 || run.exitCode == 127)
            << run.exitCode << ' ' << run.err;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, AddressSpace, testing::ValuesIn(test::allCommands()), test::nameOfCommand);

} // namespace highwater::cli
