#include "app/rehearse/rehearsal_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/sample_files.h"

namespace highwater::rehearse {

namespace {

namespace fs = std::filesystem;

/// Creates a folder with a file, as a killed process leaves it.
fs::path leftover(const test::TemporaryFolder& parent, const std::string& name)
{
    parent.write(name + "/python/sitecustomize.py", "");
    return parent.path() / name;
}

RehearsalFolder made(const test::TemporaryFolder& parent)
{
    return RehearsalFolder::create(parent.path()).value();
}

} // namespace

TEST(RehearsalFolder, IsRemovedWithAllThatIsInIt)
{
    const test::TemporaryFolder parent;
    {
        const RehearsalFolder folder = made(parent);
        parent.write((folder.path().filename() / "python/a.py").string(), "");
        EXPECT_TRUE(folder.isLocked());
    }
    EXPECT_TRUE(fs::is_empty(parent.path()));
}

TEST(RehearsalFolder, RemovesWhatAKilledProcessLeft)
{
    const test::TemporaryFolder parent;
    const fs::path left = leftover(parent, "highwater-rehearsal-a1B2c3");
    const RehearsalFolder folder = made(parent);
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(folder.path()));
}

TEST(RehearsalFolder, KeepsThoseThatAreInUse)
{
    const test::TemporaryFolder parent;
    const RehearsalFolder first = made(parent);
    const RehearsalFolder second = made(parent);
    EXPECT_TRUE(fs::exists(first.path()));
    EXPECT_NE(first.path(), second.path());
}

TEST(RehearsalFolder, KeepsFoldersWithOtherNames)
{
    const test::TemporaryFolder parent;
    const fs::path longer = leftover(parent, "highwater-rehearsal-a1B2c3d");
    const fs::path other = leftover(parent, "highwater-rehearsal-a1-2c3");
    const RehearsalFolder folder = made(parent);
    EXPECT_TRUE(fs::exists(longer / "python"));
    EXPECT_TRUE(fs::exists(other / "python"));
}

TEST(RehearsalFolder, FollowsNoLinks)
{
    const test::TemporaryFolder parent;
    const fs::path mine = leftover(parent, "mine");
    fs::create_directory_symlink(mine, parent.path() / "highwater-rehearsal-a1B2c3");
    const RehearsalFolder folder = made(parent);
    EXPECT_TRUE(fs::exists(mine / "python"));
}

TEST(RehearsalFolder, KeepsThoseOfOtherUsers)
{
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root can give a folder to another user";
    const test::TemporaryFolder parent;
    const fs::path left = leftover(parent, "highwater-rehearsal-a1B2c3");
    ASSERT_EQ(::chown(left.c_str(), 65534, 65534), 0);
    const RehearsalFolder folder = made(parent);
    EXPECT_TRUE(fs::exists(left / "python"));
}

TEST(RehearsalFolder, CannotBeMadeWhereThereIsNoFolder)
{
    const test::TemporaryFolder parent;
    const auto folder = RehearsalFolder::create(parent.path() / "none");
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().message, "no temporary folder can be created");
}

} // namespace highwater::rehearse
