#include "app/loading/files/trace_cache.h"

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

/// A cache, and a snapshot that is large enough for it. Bytes after a pickle's end are not read, and they
/// take no disk space in a sparse file.
class TraceCacheTest : public testing::Test
{
protected:
    TraceCacheTest() { fs::resize_file(path, TraceCache::kMinFileBytes); }

    std::shared_ptr<const Trace> read(const std::string& from) const { return openTrace(from, {})->trace; }
    /// Reads the file as if it had been written long ago.
    ImportedTrace readSettled() const
    {
        ImportedTrace imported = *openTrace(path, {});
        imported.fileIsSettled = true;
        return imported;
    }
    std::optional<std::string> find(const TraceCache& in) const { return in.find(path, *identityAt(path)); }
    std::uintmax_t bytesIn(const fs::path& where) const
    {
        std::uintmax_t bytes = 0;
        std::error_code error;
        for (fs::recursive_directory_iterator at(where, error), end; !error && at != end; at.increment(error))
            bytes += at->is_regular_file() ? at->file_size() : 0;
        return bytes;
    }

    test::TemporaryFolder folder;
    fs::path cacheFolder = folder.path() / "cache";
    TraceCache cache{cacheFolder};
    std::string path
        = folder.write("a.pickle", test::readWholeFile(test::samplePath("encodings/tiny-protocol-4.pickle")));
};

} // namespace

TEST_F(TraceCacheTest, FindsNothingAtFirst)
{
    EXPECT_EQ(find(cache), std::nullopt);
}

TEST_F(TraceCacheTest, GivesBackWhatItKept)
{
    const ImportedTrace imported = readSettled();
    cache.store(path, imported);
    const std::optional<std::string> entry = find(cache);
    ASSERT_TRUE(entry);
    const std::string kept = dumpTrace(*read(*entry));
    const std::string original = dumpTrace(*imported.trace);
    EXPECT_EQ(kept.substr(kept.find(" history")), original.substr(original.find(" history")));
}

TEST_F(TraceCacheTest, LeavesOutSmallFiles)
{
    fs::resize_file(path, TraceCache::kMinFileBytes - 1);
    cache.store(path, readSettled());
    EXPECT_EQ(find(cache), std::nullopt);
    EXPECT_EQ(bytesIn(cacheFolder), 0u);
}

TEST_F(TraceCacheTest, DoesNotGiveBackWhatAChangedFileHeld)
{
    cache.store(path, readSettled());
    fs::resize_file(path, TraceCache::kMinFileBytes + 1);
    EXPECT_EQ(find(cache), std::nullopt);
}

TEST_F(TraceCacheTest, DoesNotGiveBackWhatAFileOfTheSameSizeHeldEarlier)
{
    cache.store(path, readSettled());
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
    EXPECT_EQ(find(cache), std::nullopt);
}

TEST_F(TraceCacheTest, DoesNotGiveTheTraceOfAFileToTheOneThatReplacedItMeanwhile)
{
    const ImportedTrace imported = readSettled();
    const std::string other
        = folder.write("b.pickle", test::readWholeFile(test::samplePath("encodings/tiny-protocol-2.pickle")));
    fs::resize_file(other, TraceCache::kMinFileBytes);
    fs::last_write_time(other, fs::last_write_time(path));
    fs::rename(other, path); // training replaces its last dump in this way
    cache.store(path, imported);
    EXPECT_EQ(find(cache), std::nullopt);
}

TEST_F(TraceCacheTest, KeepsNothingOfAFileThatChangedWhileItWasRead)
{
    ImportedTrace imported = readSettled();
    imported.file = std::nullopt;
    cache.store(path, imported);
    EXPECT_EQ(bytesIn(cacheFolder), 0u);
}

TEST_F(TraceCacheTest, KeepsNothingOfAFileWhoseNextChangeMightNotShow)
{
    ImportedTrace imported = readSettled();
    imported.fileIsSettled = false;
    cache.store(path, imported);
    EXPECT_EQ(bytesIn(cacheFolder), 0u);
}

TEST_F(TraceCacheTest, ForgetsEverythingWhenCleared)
{
    cache.store(path, readSettled());
    cache.clear();
    EXPECT_EQ(find(cache), std::nullopt);
    EXPECT_EQ(bytesIn(cacheFolder), 0u);
}

TEST_F(TraceCacheTest, StaysWithinItsBound)
{
    const TraceCache tiny(cacheFolder, 1);
    tiny.store(path, readSettled());
    EXPECT_LE(bytesIn(cacheFolder), 1u);
}

TEST_F(TraceCacheTest, RemovesWhatKilledWindowsHaveLeft)
{
    // a number that no process has
    const std::string name = "cache/.highwater-save-0123456789abcdef-4000000-1.part";
    const std::string left = folder.write(name, "left");
    fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(1));
    cache.store(path, readSettled());
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(TraceCacheTest, IsForItsOwnerOnly)
{
    cache.store(path, readSettled());
    EXPECT_EQ(fs::status(cacheFolder).permissions() & (fs::perms::group_all | fs::perms::others_all),
        fs::perms::none);
}

TEST_F(TraceCacheTest, IsNoErrorWhereItCannotBeWritten)
{
    const TraceCache nowhere(folder.write("file", "no folder"));
    nowhere.store(path, readSettled());
    EXPECT_EQ(find(nowhere), std::nullopt);
}

} // namespace highwater
