#include "app/loading/run/run_inputs.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "tests/support/sample_files.h"

namespace highwater {

TEST(RunInputs, OfAFolderAreItsFilesInOrderOfRank)
{
    const test::TemporaryFolder folder;
    for (const char* name : {"rank10.pickle", "rank2.pickle", "notes.txt", "rank0.pickle"})
        folder.write(name, "1234");
    const std::vector<RunInput> inputs = runInputs({folder.path().string()});
    std::vector<std::string> names;
    for (const RunInput& input : inputs)
        names.push_back(input.member.fileName());
    EXPECT_EQ(
        names, (std::vector<std::string>{"rank0.pickle", "rank2.pickle", "rank10.pickle", "notes.txt"}));
    EXPECT_EQ(inputs[1].member.rank, 2);
    EXPECT_EQ(inputs[1].fileBytes, 4u);
    EXPECT_TRUE(inputs[1].fromFolder);
}

TEST(RunInputs, NameAFileOnce)
{
    const test::TemporaryFolder folder;
    const std::string file = folder.write("rank1.pickle", "x");
    const std::vector<RunInput> inputs = runInputs({file, folder.path().string()});
    ASSERT_EQ(inputs.size(), 1u);
    EXPECT_FALSE(inputs[0].fromFolder) << "it was asked for by name";
}

TEST(RunInputs, KeepWhatIsNotThere)
{
    const std::vector<RunInput> inputs = runInputs({"no-such-rank3"});
    ASSERT_EQ(inputs.size(), 1u);
    EXPECT_EQ(inputs[0].fileBytes, 0u);
}

TEST(RunMemberOfAFile, GoesByTheNameWhereTheContentIsSilent)
{
    const std::string path = test::samplePath("ranks/rank2_snapshot.pickle.zst");
    EXPECT_EQ(runMember(path, *loadFile(path, {})->trace).rank, 2);
}

TEST(RunMemberOfAFile, GoesByTheContentFirst)
{
    Trace trace;
    trace.metadata.producer = {{"rank", "7"}};
    EXPECT_EQ(runMember("rank2.json", trace).rank, 7);
}

TEST(MemoryBudget, LearnsWhatFilesTake)
{
    MemoryBudget budget(1000);
    EXPECT_EQ(budget.expectedBytes(100), 400u);
    budget.add(100, 250);
    EXPECT_EQ(budget.expectedBytes(100), 250u);
    budget.add(100, 300);
    EXPECT_EQ(budget.expectedBytes(100), 300u);
}

TEST(MemoryBudget, CountsWhatIsBeingLoaded)
{
    MemoryBudget budget(1000);
    budget.add(100, 300);
    EXPECT_TRUE(budget.fits(100, 100));
    EXPECT_FALSE(budget.fits(100, 200));
    budget.remove(300);
    EXPECT_TRUE(budget.fits(100, 200));
}

TEST(MemoryBudget, IsExceededAboveTheLimitOnly)
{
    MemoryBudget budget(1000);
    budget.add(100, 1000);
    EXPECT_FALSE(budget.isExceeded());
    budget.add(100, 1);
    EXPECT_TRUE(budget.isExceeded());
}

} // namespace highwater
