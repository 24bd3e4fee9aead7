// Checks what a machine can see of the style of comments and of texts for people.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/house/plain_words.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

namespace files = std::filesystem;
using test::commentBreaches;
using test::wordBreaches;

std::vector<files::path> filesBelow(const std::string& top, std::initializer_list<const char*> endings)
{
    std::vector<files::path> found;
    for (const auto& entry : files::recursive_directory_iterator(files::path(HIGHWATER_SOURCE_DIR) / top))
        for (const char* ending : endings)
            if (entry.path().extension() == ending)
                found.push_back(entry.path());
    return found;
}

std::string shownName(const files::path& path)
{
    return files::relative(path, HIGHWATER_SOURCE_DIR).generic_string();
}

} // namespace

class PlainComments : public testing::TestWithParam<const char*>
{
};

TEST_P(PlainComments, BeginWithTheirSubject)
{
    const auto sources = filesBelow(GetParam(), {".cpp", ".h", ".c"});
    EXPECT_GT(sources.size(), 10u);
    for (const files::path& path : sources)
        if (!path.filename().string().starts_with("plain_words"))
            for (const std::string& breach : commentBreaches(shownName(path), test::readWholeFile(path)))
                ADD_FAILURE() << breach;
}

INSTANTIATE_TEST_SUITE_P(Folders, PlainComments, testing::Values("core", "importers", "app", "tests"));

TEST(PlainWords, AreInTheManualAndTheReadme)
{
    std::vector<files::path> pages = filesBelow("resources/manual", {".md"});
    pages.push_back(files::path(HIGHWATER_SOURCE_DIR) / "README.md");
    EXPECT_GT(pages.size(), 40u);
    for (const files::path& page : pages)
        for (const std::string& breach : wordBreaches(test::readWholeFile(page)))
            ADD_FAILURE() << shownName(page) << ": " << breach;
}

TEST(PlainWords, AreInWhatTheCommandPrints)
{
    for (const char* sample : {"r1-grpo-before", "r5-flan-t5-xl-before", "oom-fragmentation", "two-devices"})
        for (const char* command : {"findings", "peaks", "segments", "info"}) {
            const test::ProgramRun run = test::runHighwater(
                {command, test::samplePath("pytorch-snapshot/" + std::string(sample) + ".pickle.zst")});
            for (const std::string& breach : wordBreaches(run.out))
                ADD_FAILURE() << command << ' ' << sample << ": " << breach;
        }
}

TEST(HelpText, IsAtMostAHundredCharactersWide)
{
    std::vector<std::vector<std::string>> invocations{{"--help"}, {"-h"}};
    for (const char* command : {"findings", "info", "peaks", "segments", "what-if", "diff", "ranks", "check",
             "budget", "record", "rehearse", "report", "figure", "export", "open", "mcp", "cut", "summarize",
             "convert", "help", "completions", "man", "bench"})
        invocations.push_back({command, "--help"});
    for (const auto& invocation : invocations) {
        std::istringstream lines(test::runHighwater(invocation).out);
        for (std::string line; std::getline(lines, line);) {
            const auto characters = std::count_if(line.begin(), line.end(),
                [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
            EXPECT_LE(characters, 100) << invocation.front() << ": " << line;
        }
    }
}

TEST(PlainWordsCheck, FindsTheHabits)
{
    EXPECT_EQ(
        commentBreaches("a.h", "/// Of a table the rows\n/// What is held\nint a; ///< Whether b\n").size(),
        3u);
    EXPECT_EQ(commentBreaches("a.h", "/// As above, for a file.\nint a; ///< Those of the run\n").size(), 2u);
    EXPECT_EQ(commentBreaches("a.h", "std::string path; ///< null: it has none\n").size(), 1u);
    EXPECT_EQ(commentBreaches("a.h", "/// Returns the rows, null if there are none.\n").size(), 0u);
    EXPECT_EQ(wordBreaches("48.00 MiB\n27.5 % of it\nwould be wrong if: x\n±0 B\n").size(), 4u);
    EXPECT_EQ(wordBreaches("48.25 MiB, 27% of it\nWrong if x\n").size(), 0u);
}

} // namespace highwater
