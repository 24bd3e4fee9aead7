#include "app/cli/output/table_database.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater::cli {

TEST(TableDatabase, HasNoNameInItsFolderThatAKilledProgramWouldLeave)
{
    const test::TemporaryFolder folder;
    TableDatabase database(folder.path().string());
    database.execute("CREATE TABLE one (a)");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_TRUE(database.finish());
}

TEST(TableDatabase, PassesOnAllItsBytes)
{
    const test::TemporaryFolder folder;
    TableDatabase database(folder.path().string());
    database.execute("CREATE TABLE one (a); INSERT INTO one VALUES (zeroblob(3000000))");
    ASSERT_TRUE(database.finish());
    std::string bytes;
    EXPECT_TRUE(database.copyTo([&](std::string_view piece) {
        bytes += piece;
        return true;
    }));
    EXPECT_TRUE(bytes.starts_with("SQLite format 3"));
    EXPECT_GT(bytes.size(), 3'000'000u);
}

TEST(TableDatabase, SaysWhyItCannotBeMade)
{
    const test::TemporaryFolder folder;
    TableDatabase database((folder.path() / "missing").string());
    const Result<void> done = database.finish();
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("folder"), std::string::npos) << done.error().message;
}

} // namespace highwater::cli
