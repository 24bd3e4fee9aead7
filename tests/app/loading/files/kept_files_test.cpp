#include "app/loading/files/kept_files.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

class KeptFilesTest : public testing::Test
{
protected:
    /// Reads the file as if it had been written long ago.
    ImportedTrace readSettled() const
    {
        ImportedTrace imported = *openTrace(path, {});
        imported.fileIsSettled = true;
        return imported;
    }
    std::string sample(const std::string& name) const
    {
        return test::readWholeFile(test::samplePath("encodings/" + name));
    }

    test::TemporaryFolder folder;
    std::string path = folder.write("a.pickle", sample("tiny-protocol-4.pickle"));
    KeptFiles kept;
};

} // namespace

TEST_F(KeptFilesTest, GivesWhatItKept)
{
    const ImportedTrace imported = readSettled();
    kept.keep(path, imported);
    ASSERT_TRUE(kept.find(path));
    EXPECT_EQ(kept.find(path)->trace, imported.trace);
}

TEST_F(KeptFilesTest, DoesNotGiveTheTraceOfAFileToTheOneThatReplacedItMeanwhile)
{
    const ImportedTrace imported = readSettled();
    fs::rename(folder.write("b.pickle", sample("tiny-protocol-2.pickle")), path);
    kept.keep(path, imported);
    EXPECT_FALSE(kept.find(path));
}

TEST_F(KeptFilesTest, DoesNotGiveWhatAFileOfTheSameSizeAndTimeHeldEarlier)
{
    const ImportedTrace imported = readSettled();
    kept.keep(path, imported);
    const fs::file_time_type time = fs::last_write_time(path);
    do {
        folder.write("a.pickle", sample("tiny-protocol-4.pickle"));
        fs::last_write_time(path, time);
    } while (identityAt(path)->changedNs == imported.file->changedNs); // until the file system's clock ticks
    EXPECT_FALSE(kept.find(path));
}

TEST_F(KeptFilesTest, KeepsNothingOfAFileWhoseNextChangeMightNotShow)
{
    ImportedTrace imported = readSettled();
    imported.fileIsSettled = false;
    kept.keep(path, imported);
    EXPECT_FALSE(kept.find(path));
}

TEST_F(KeptFilesTest, ForgetsTheEarlierTraceOfAFileThatCannotBeKeptAnyMore)
{
    ImportedTrace imported = readSettled();
    kept.keep(path, imported);
    imported.file = std::nullopt;
    kept.keep(path, imported);
    EXPECT_FALSE(kept.find(path));
}

TEST_F(KeptFilesTest, NamesTheLatestTraceOfAFileThatWasReadTwice)
{
    kept.keep(path, readSettled());
    folder.write("a.pickle", sample("tiny-protocol-2.pickle"));
    const ImportedTrace again = readSettled();
    kept.keep(path, again);
    const auto used = kept.takeUsed();
    ASSERT_EQ(used.size(), 1u);
    EXPECT_EQ(used[0].second, again.trace);
}

} // namespace highwater
