#include "importers/source/file_source.h"

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"
#include "tests/support/sample_files.h"

namespace highwater {

TEST(FileSource, GivesTheBytesOfAFile)
{
    const test::TemporaryFolder folder;
    auto source = openFile(folder.write("a", "some bytes"));
    ASSERT_TRUE(source);
    EXPECT_EQ((*source)->position().total, 10u);
    EXPECT_EQ(test::readAll(**source, 3).value(), "some bytes");
    EXPECT_EQ((*source)->position().consumed, 10u);
}

TEST(FileSource, SaysWhyAMissingFileCannotBeOpened)
{
    const test::TemporaryFolder folder;
    const auto source = openFile((folder.path() / "missing").string());
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().code, ErrorCode::CannotRead);
    EXPECT_EQ(source.error().message, "cannot be opened: No such file or directory");
}

TEST(FileSource, RefusesADirectory)
{
    const test::TemporaryFolder folder;
    const auto source = openFile(folder.path().string());
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().message, "is a directory");
}

} // namespace highwater
