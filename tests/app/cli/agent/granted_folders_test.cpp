#include "app/cli/agent/granted_folders.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;

class Grants : public testing::Test
{
protected:
    Grants()
    {
        folder.write("granted/run/a.pickle", "a");
        folder.write("secret/b.pickle", "b");
        granted = GrantedFolders::of({path("granted")}).value();
    }
    std::string path(const std::string& name) const { return (folder.path() / name).string(); }
    std::string whyNot(const std::string& name) const
    {
        const Result<std::string> resolved = granted.resolve(name);
        return resolved ? "" : resolved.error().message;
    }

    test::TemporaryFolder folder;
    GrantedFolders granted;
};

} // namespace

TEST_F(Grants, GiveFilesAndFoldersBelowThem)
{
    EXPECT_EQ(granted.resolve(path("granted/run/a.pickle")), fs::canonical(path("granted/run/a.pickle")));
    EXPECT_EQ(granted.resolve("run/a.pickle"), fs::canonical(path("granted/run/a.pickle")));
    EXPECT_EQ(granted.resolve("run"), fs::canonical(path("granted/run")));
}

TEST_F(Grants, RefuseWhatLiesOutside)
{
    for (const char* outside : {"/etc/passwd", "../secret/b.pickle", "run/../../secret/b.pickle", "..", "/"})
        EXPECT_NE(whyNot(outside).find("outside"), std::string::npos) << outside;
    EXPECT_NE(whyNot(path("secret/b.pickle")).find("outside"), std::string::npos);
}

TEST_F(Grants, DoNotTellWhetherSomethingOutsideIsThere)
{
    const std::string there = whyNot(path("secret/b.pickle"));
    const std::string notThere = whyNot(path("secret/c.pickle"));
    EXPECT_EQ(there.substr(there.rfind(": ")), notThere.substr(notThere.rfind(": ")));
}

TEST_F(Grants, RefuseALinkThatLeadsOutside)
{
    fs::create_symlink(path("secret/b.pickle"), path("granted/link.pickle"));
    fs::create_directory_symlink(path("secret"), path("granted/folder"));
    EXPECT_NE(whyNot("link.pickle").find("outside"), std::string::npos);
    EXPECT_NE(whyNot("folder/b.pickle").find("outside"), std::string::npos);
}

TEST_F(Grants, RefuseAFolderOfWhichAnEntryLeadsOutside)
{
    fs::create_symlink(path("secret/b.pickle"), path("granted/run/link.pickle"));
    EXPECT_NE(whyNot("run").find("link.pickle"), std::string::npos);
    EXPECT_TRUE(granted.resolveFolder("run").has_value());
}

TEST_F(Grants, RefuseAFolderWhoseNameOnlyBeginsLikeTheirs)
{
    folder.write("granted-not/c.pickle", "c");
    EXPECT_NE(whyNot(path("granted-not/c.pickle")).find("outside"), std::string::npos);
}

TEST_F(Grants, RefuseAPathWithAByteThatEndsIt)
{
    EXPECT_NE(whyNot(std::string("run/a.pickle\0/../../../secret", 29)), "");
    EXPECT_NE(whyNot(""), "");
}

TEST_F(Grants, SayThatAFileBelowThemIsNotThere)
{
    EXPECT_NE(whyNot("run/none.pickle").find("does not exist"), std::string::npos);
}

TEST(GrantedFolders, AreFoldersThatAreThere)
{
    EXPECT_FALSE(GrantedFolders::of({"/nowhere/at/all"}).has_value());
}

} // namespace highwater::cli
