#include "app/loading/source_code/find_source.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

TEST(FindSource, CountsTheCommonFoldersFromTheEnd)
{
    EXPECT_EQ(commonTail("/workspace/grpo/model.py", "/home/me/grpo/model.py"), 2u);
    EXPECT_EQ(commonTail("/a/b.py", "/a/b.py"), 2u);
    EXPECT_EQ(commonTail("model.py", "/x/model.py"), 1u);
    EXPECT_EQ(commonTail("/x/my_model.py", "/x/model.py"), 0u);
    EXPECT_EQ(commonTail("", "/x/model.py"), 0u);
}

TEST(FindSource, TakesTheLongestMatchingTail)
{
    const test::TemporaryFolder folder;
    folder.write("old/model.py", "");
    const std::string wanted = folder.write("src/grpo/model.py", "");
    folder.write("model.py", "");
    EXPECT_EQ(findSourceBelow(folder.path().string(), "/workspace/grpo/model.py"), wanted);
    EXPECT_EQ(findSourceBelow(folder.path().string(), "C:\\workspace\\grpo\\model.py"), wanted);
}

TEST(FindSource, CountsTheNameOfTheChosenFolder)
{
    const test::TemporaryFolder folder;
    const std::string wanted = folder.write("grpo/model.py", "");
    folder.write("grpo/old/model.py", "");
    EXPECT_EQ(findSourceBelow((folder.path() / "grpo").string(), "/workspace/grpo/model.py"), wanted);
}

TEST(FindSource, PrefersTheOuterOfTwoEqualTails)
{
    const test::TemporaryFolder folder;
    folder.write("backup/train.py", "");
    const std::string wanted = folder.write("train.py", "");
    EXPECT_EQ(findSourceBelow(folder.path().string(), "/workspace/train.py"), wanted);
}

TEST(FindSource, DoesNotGuessBetweenEqualFiles)
{
    const test::TemporaryFolder folder;
    folder.write("a/train.py", "");
    folder.write("b/train.py", "");
    EXPECT_EQ(findSourceBelow(folder.path().string(), "/workspace/train.py"), std::nullopt);
}

TEST(FindSource, DoesNotTakeOwnCodeForThatOfAPackage)
{
    const test::TemporaryFolder folder;
    folder.write("trainer.py", "");
    EXPECT_EQ(
        findSourceBelow(folder.path().string(), "/venv/site-packages/transformers/trainer.py"), std::nullopt);
}

TEST(FindSource, PrefersTheRecordedPath)
{
    const test::TemporaryFolder folder;
    const std::string recorded = folder.write("here/model.py", "");
    folder.write("there/here/model.py", "");
    EXPECT_EQ(findSourceFile(recorded, (folder.path() / "there").string()), recorded);
}

TEST(FindSource, TakesOnlyRegularFiles)
{
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "model.py");
    EXPECT_EQ(findSourceFile("/work/model.py", folder.path().string()), std::nullopt);
    EXPECT_EQ(findSourceFile("/dev/zero", ""), std::nullopt);
    EXPECT_EQ(findSourceFile("/proc/self/maps", ""), std::nullopt);
}

TEST(FindSource, AsksNoOtherMachine)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(findSourceFile("/" + folder.write("model.py", ""), ""), std::nullopt);
}

} // namespace highwater
