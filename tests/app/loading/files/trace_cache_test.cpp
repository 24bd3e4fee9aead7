#include "app/loading/files/trace_cache.h"

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

/// A cache, and a snapshot that is large enough for it: bytes after a pickle's end are not read and, in a
/// sparse file, take no disk space.
class TraceCacheTest : public testing::Test
{
protected:
    TraceCacheTest() { fs::resize_file(path, TraceCache::kMinFileBytes); }

    std::shared_ptr<const Trace> read(const std::string& from) const { return openTrace(from, {})->trace; }
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
    EXPECT_EQ(cache.find(path), std::nullopt);
}

TEST_F(TraceCacheTest, GivesBackWhatItKept)
{
    const auto trace = read(path);
    cache.store(path, *trace);
    const std::optional<std::string> entry = cache.find(path);
    ASSERT_TRUE(entry);
    const std::string kept = dumpTrace(*read(*entry));
    const std::string original = dumpTrace(*trace);
    EXPECT_EQ(kept.substr(kept.find(" history")), original.substr(original.find(" history")));
}

TEST_F(TraceCacheTest, LeavesOutSmallFiles)
{
    fs::resize_file(path, TraceCache::kMinFileBytes - 1);
    cache.store(path, *read(path));
    EXPECT_EQ(cache.find(path), std::nullopt);
    EXPECT_EQ(bytesIn(cacheFolder), 0u);
}

TEST_F(TraceCacheTest, DoesNotGiveBackWhatAChangedFileHeld)
{
    cache.store(path, *read(path));
    fs::resize_file(path, TraceCache::kMinFileBytes + 1);
    EXPECT_EQ(cache.find(path), std::nullopt);
}

TEST_F(TraceCacheTest, DoesNotGiveBackWhatAFileOfTheSameSizeHeldEarlier)
{
    cache.store(path, *read(path));
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
    EXPECT_EQ(cache.find(path), std::nullopt);
}

TEST_F(TraceCacheTest, ForgetsEverythingWhenCleared)
{
    cache.store(path, *read(path));
    cache.clear();
    EXPECT_EQ(cache.find(path), std::nullopt);
    EXPECT_EQ(bytesIn(cacheFolder), 0u);
}

TEST_F(TraceCacheTest, StaysWithinItsBound)
{
    const TraceCache tiny(cacheFolder, 1);
    tiny.store(path, *read(path));
    EXPECT_LE(bytesIn(cacheFolder), 1u);
}

TEST_F(TraceCacheTest, IsForItsOwnerOnly)
{
    cache.store(path, *read(path));
    EXPECT_EQ(fs::status(cacheFolder).permissions() & (fs::perms::group_all | fs::perms::others_all),
        fs::perms::none);
}

TEST_F(TraceCacheTest, IsNoErrorWhereItCannotBeWritten)
{
    const TraceCache nowhere(folder.write("file", "no folder"));
    nowhere.store(path, *read(path));
    EXPECT_EQ(nowhere.find(path), std::nullopt);
}

} // namespace highwater
