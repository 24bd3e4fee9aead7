#include "app/cli/output_file.h"

#include <gtest/gtest.h>

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
    Result<OutputFile> out = OutputFile::create(path, false);
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
        Result<OutputFile> out = OutputFile::create(path, false);
        out->write("hello");
    }
    EXPECT_EQ(filesInFolder(), 0u);
}

TEST_F(OutputFileTest, ReplacesAnExistingFileOnlyWhenForced)
{
    folder.write("out", "mine");
    EXPECT_FALSE(OutputFile::create(path, false));
    Result<OutputFile> out = OutputFile::create(path, true);
    ASSERT_TRUE(out);
    out->write("new");
    EXPECT_EQ(test::readWholeFile(path), "mine");
    EXPECT_TRUE(out->commit());
    EXPECT_EQ(test::readWholeFile(path), "new");
}

TEST_F(OutputFileTest, SaysThatItsFolderIsMissing)
{
    EXPECT_FALSE(OutputFile::create((folder.path() / "none" / "out").string(), false));
}

} // namespace highwater::cli
