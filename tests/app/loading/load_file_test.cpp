#include "app/loading/load_file.h"

#include <gtest/gtest.h>

#include "tests/support/dump/trace_dump.h"
#include "tests/support/sample_files.h"

namespace highwater {

TEST(LoadFile, GivesWhatTheImporterGives)
{
    for (const char* name :
        {"encodings/tiny-protocol-4.pickle", "pytorch-snapshot/r1-grpo-before.pickle.zst"}) {
        const std::string path = test::samplePath(name);
        const auto loaded = loadFile(path, {});
        ASSERT_TRUE(loaded);
        EXPECT_EQ(dumpTrace(*loaded->trace), dumpTrace(*openTrace(path, {})->trace));
    }
}

TEST(LoadFile, IsCancelled)
{
    LoadOptions options;
    options.stop.requestStop();
    EXPECT_EQ(loadFile(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), options).error().code,
        ErrorCode::Cancelled);
}

TEST(LoadFile, SaysThatAWorkspaceIsNoRecording)
{
    const auto loaded = loadFile(test::samplePath("workspace/format-1.highwater"), {});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::UnknownFormat);
    EXPECT_NE(loaded.error().message.find("workspace"), std::string::npos) << loaded.error().message;
}

TEST(LoadFile, KeepsToTheLimits)
{
    LoadOptions inflate;
    inflate.maxInflateBytes = 1000;
    EXPECT_EQ(loadFile(test::samplePath("encodings/tiny.pickle.gz"), inflate).error().code,
        ErrorCode::LimitExceeded);
    LoadOptions memory;
    memory.maxMemoryBytes = 1000;
    EXPECT_EQ(loadFile(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), memory).error().code,
        ErrorCode::LimitExceeded);
}

TEST(LoadFile, KeepsToTheMemoryLimitInSmallFilesToo)
{
    LoadOptions memory;
    memory.maxMemoryBytes = 1000;
    EXPECT_FALSE(loadFile(test::samplePath("encodings/tiny-protocol-4.pickle"), memory));
}

TEST(DefaultMemoryLimit, IsAPartOfTheMachine)
{
    EXPECT_GT(defaultMemoryLimit(), std::uint64_t{64} << 20);
}

} // namespace highwater
