#include "app/cli/console/output_file.h"

#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

class OutputFileTest : public testing::Test
{
protected:
    std::size_t filesInFolder() const
    {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(folder.path()), {}));
    }
    test::TemporaryFolder folder;
    std::string path = (folder.path() / "out").string();
};

} // namespace

TEST_F(OutputFileTest, AppearsWhenItIsCommitted)
{
    Result<OutputFile> out = OutputFile::create(path, false, {});
    ASSERT_TRUE(out);
    EXPECT_TRUE(out->write("hello"));
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(out->commit());
    EXPECT_EQ(test::readWholeFile(path), "hello");
    EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(OutputFileTest, LeavesNothingWhenItIsGivenUp)
{
    {
        Result<OutputFile> out = OutputFile::create(path, false, {});
        out->write("hello");
    }
    EXPECT_EQ(filesInFolder(), 0u);
}

TEST_F(OutputFileTest, ReplacesAnExistingFileOnlyWhenForced)
{
    folder.write("out", "mine");
    EXPECT_FALSE(OutputFile::create(path, false, {}));
    Result<OutputFile> out = OutputFile::create(path, true, {});
    ASSERT_TRUE(out);
    out->write("new");
    EXPECT_EQ(test::readWholeFile(path), "mine");
    EXPECT_TRUE(out->commit());
    EXPECT_EQ(test::readWholeFile(path), "new");
}

TEST_F(OutputFileTest, SaysThatItsFolderIsMissing)
{
    EXPECT_FALSE(OutputFile::create((folder.path() / "none" / "out").string(), false, {}));
}

TEST_F(OutputFileTest, IsNoInputByAnyName)
{
    namespace fs = std::filesystem;
    const std::string input = folder.write("snapshot.pickle", "mine");
    fs::create_symlink("snapshot.pickle", folder.path() / "symbolic");
    fs::create_hard_link(input, folder.path() / "hard");
    fs::create_directory(folder.path() / "sub");
    for (const char* name : {"snapshot.pickle", "./sub/../snapshot.pickle", "symbolic", "hard"})
        for (const bool force : {false, true}) {
            const auto out = OutputFile::create((folder.path() / name).string(), force, {"none", input});
            ASSERT_FALSE(out) << name;
            EXPECT_EQ(out.error().code, ErrorCode::BadRequest);
        }
    // The links may also lead to the inputs.
    EXPECT_FALSE(OutputFile::create(input, true, {(folder.path() / "symbolic").string()}));
    EXPECT_EQ(test::readWholeFile(input), "mine");
    EXPECT_TRUE(OutputFile::create(path, true, {input}));
}

TEST(EveryCommandWithOutput, KeepsTheFilesThatItReads)
{
    const test::TemporaryFolder folder;
    const std::string snapshot
        // recognized by its content
        = test::readWholeFile(test::samplePath("encodings/tiny-protocol-4.pickle"));
    const std::string run = folder.write("run.json", snapshot);
    const std::string other = folder.write("other/run.json", snapshot);
    const std::string config = folder.write("config.json", "{\"batch\": 4}\n");
    const std::string notes = folder.write("notes.json", "[]\n");
    const std::string rules = folder.write("rules.json", "[]\n");
    const std::vector<std::vector<std::string>> commands{
        {"convert", run, "-o", run},
        {"export", run, "--what", "curve", "-o", run},
        {"export", run, "--what", "events", "--rules", rules, "-o", rules},
        {"export", run, "--what", "curve", "--with", other, "-o", other},
        {"figure", run, "--kind", "timeline", "-o", run},
        {"figure", run, "--kind", "timeline", "--notes", notes, "-o", notes},
        {"figure", other, run, "--kind", "waterfall", "-o", other},
        {"report", run, "-o", run},
        {"report", run, "--before", other, "-o", other},
        {"report", (folder.path() / "other").string(), "-o", other},
        {"report", run, "--config", config, "-o", config},
        {"report", run, "--notes", notes, "-o", notes},
    };
    for (std::vector<std::string> command : commands) {
        command.emplace_back("--force");
        const std::string out = command[command.size() - 2];
        const std::string before = test::readWholeFile(out);
        const test::ProgramRun done = test::runHighwater(command);
        EXPECT_EQ(done.exitCode, 2) << command[0] << ' ' << out << ' ' << done.err;
        EXPECT_NE(done.err.find(out + ": is one of the input files"), std::string::npos) << done.err;
        EXPECT_TRUE(test::readWholeFile(out) == before) << command[0] << ' ' << out;
    }
}

} // namespace highwater::cli
