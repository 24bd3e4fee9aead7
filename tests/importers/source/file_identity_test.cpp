#include "importers/source/file_identity.h"

#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

/// Writes until the identity changes, which may take one tick of the file system's clock.
void writeInPlace(const std::string& path, const std::string& text)
{
    const std::optional<FileIdentity> before = identityAt(path);
    const fs::file_time_type time = fs::last_write_time(path);
    do {
        const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        ASSERT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
        ::close(file);
        fs::last_write_time(path, time);
    } while (identityAt(path)->changedNs == before->changedNs);
}

} // namespace

TEST(FileIdentity, IsTheSameByPathAndByDescriptor)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("a", "some bytes");
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(identityOf(file), identityAt(path));
    ::close(file);
    ASSERT_TRUE(identityAt(path));
    EXPECT_EQ(identityAt(path)->bytes, 10u);
}

TEST(FileIdentity, ChangesWithTheContentAlsoAtTheSameSizeAndModificationTime)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("a", "some bytes");
    const FileIdentity before = *identityAt(path);
    writeInPlace(path, "same bytes");
    const FileIdentity after = *identityAt(path);
    EXPECT_EQ(after.bytes, before.bytes);
    EXPECT_EQ(after.modifiedNs, before.modifiedNs);
    EXPECT_NE(after, before);
}

TEST(FileIdentity, IsAnotherForAFileThatReplacesIt)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("a", "some bytes");
    const std::string other = folder.write("b", "same bytes");
    const FileIdentity before = *identityAt(path);
    fs::last_write_time(other, fs::last_write_time(path));
    fs::rename(other, path);
    EXPECT_NE(identityAt(path), before);
}

TEST(FileIdentity, IsOfRegularFilesAlone)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(identityAt(folder.path().string()), std::nullopt);
    EXPECT_EQ(identityAt("/dev/null"), std::nullopt);
    EXPECT_EQ(identityAt((folder.path() / "missing").string()), std::nullopt);
}

TEST(FileIdentity, IsSettledOnceTheClockHasGoneOn)
{
    FileIdentity file;
    file.changedNs = 1'000'000'000'500'000'000; // in 2001
    EXPECT_TRUE(isSettled(file));
}

TEST(FileIdentity, IsNotSettledWhileItsTimeIsInTheFuture)
{
    FileIdentity file;
    file.changedNs = 4'000'000'000'500'000'000; // in 2096
    EXPECT_FALSE(isSettled(file));
}

} // namespace highwater
