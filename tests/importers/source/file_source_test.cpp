#include "importers/source/file_source.h"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/piecewise_source.h"
#include "tests/support/program/has_parts.h"
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
    EXPECT_TRUE(test::hasParts(source.error().message, {"No such file or directory"}));
}

TEST(FileSource, RefusesADirectory)
{
    const test::TemporaryFolder folder;
    const auto source = openFile(folder.path().string());
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().message, "is a directory");
}

TEST(FileSource, WaitsForThePipesWriterUntilItIsStopped)
{
    const test::TemporaryFolder folder;
    const std::string pipe = (folder.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const StopToken stop;
    const auto source = openFile(pipe, stop);
    ASSERT_TRUE(source);
    stop.requestStop();
    EXPECT_EQ(test::readAll(**source).error().code, ErrorCode::Cancelled);
}

TEST(FileSource, ReadsWhatAPipesWriterWritesInPieces)
{
    const test::TemporaryFolder folder;
    const std::string pipe = (folder.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const auto source = openFile(pipe);
    ASSERT_TRUE(source);
    std::thread writer([&pipe] {
        std::ofstream out(pipe, std::ios::binary);
        for (int i = 0; i < 100; ++i)
            out << std::string(1000, 'x') << std::flush;
    });
    EXPECT_EQ(test::readAll(**source).value(), std::string(100'000, 'x'));
    writer.join();
}

TEST(FileAtRest, IsARegularFileThatTheKernelDoesNotMakeUp)
{
    const test::TemporaryFolder folder;
    EXPECT_TRUE(isStoredFile(folder.write("a", "some bytes")));
    const std::string pipe = (folder.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& path :
        {pipe, folder.path().string(), std::string("/dev/zero"), std::string("/proc/kmsg"),
            std::string("/proc/kcore"), std::string("/proc/self/status"), std::string()})
        EXPECT_FALSE(isStoredFile(path)) << path;
}

} // namespace highwater
